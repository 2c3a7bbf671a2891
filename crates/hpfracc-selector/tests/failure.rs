//! Devices that fail, memory that is short, input that is wrong.

mod simulated;

use hpfracc_backend::{Backend, BackendError, Kind};
use hpfracc_selector::{MemoryLimits, Occurrence, Place, Settings};
use simulated::{Fake, World, apply, awaited, bind, conv, flat, per_call};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

fn card(free: impl Fn() -> Option<u64> + Send + Sync + 'static) -> Place {
    Place::Device {
        name: "card".to_owned(),
        driver: "1.0".to_owned(),
        software: false,
        free: Arc::new(free),
    }
}

fn put_on_card(world: &mut World, index: usize) {
    let candidate = world.candidates.remove(index).on(card(|| None));
    world.candidates.insert(index, candidate);
}

/// The device fails in mid use: the same input goes to the host, the device rests, comes back.
#[test]
fn a_failing_device_hands_its_input_on() {
    let (mut world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    put_on_card(&mut world, 0);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    apply(map.as_ref(), 100);
    let before = host.applied();
    device.fails.store(true, Relaxed);
    let mut y = [f64::NAN; 4];
    map.apply(&[42.0, 0.0, 0.0, 0.0], &mut y).unwrap();
    assert_eq!(host.inputs.lock().unwrap().last(), Some(&42.0));
    assert_eq!(y, [43.0; 4], "the host's result, not what the device left");
    let attempts = world.nanos(|| {
        apply(map.as_ref(), 50);
    });
    assert_eq!(host.applied(), before + 51);
    assert!(attempts < 51.0 * 1e4 + 2e3, "the resting device is not used: {attempts}");
    let failed = |what: &Occurrence| matches!(what, Occurrence::Failed { error, .. } if error.contains("unplugged"));
    let history = selector.experience().history();
    assert_eq!(history.iter().filter(|event| failed(&event.what)).count(), 1);
    // A second later it is used again, fails, and rests twice as long.
    world.clock.advance(1_100_000_000);
    apply(map.as_ref(), 40);
    world.clock.advance(1_100_000_000);
    apply(map.as_ref(), 40);
    let history = selector.experience().history();
    assert_eq!(history.iter().filter(|event| failed(&event.what)).count(), 2);
    // Mended, it is used again.
    device.fails.store(false, Relaxed);
    world.clock.advance(3_000_000_000);
    let before = device.applied();
    apply(map.as_ref(), 200);
    assert!(device.applied() > before + 150, "{}", device.applied() - before);
    let history = selector.experience().history();
    assert!(history.iter().any(|event| event.what == Occurrence::Recovered));
}

/// Candidates on one device rest together; a new workload does not start on it.
#[test]
fn a_failure_counts_for_the_whole_device() {
    let (mut world, [first, second, host]) =
        World::of([("card-fft", 1e-6, 1e3), ("card-sums", 2e-6, 2e3), ("host", 1e-5, 1e4)]);
    put_on_card(&mut world, 0);
    put_on_card(&mut world, 1);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    first.fails.store(true, Relaxed);
    apply(map.as_ref(), 10);
    assert_eq!((second.applied(), host.applied()), (0, 10));
    apply(bind(&selector, conv(8)).as_ref(), 10);
    assert_eq!((second.applied(), host.applied()), (0, 20));
}

#[test]
fn a_device_that_fails_to_bind_is_left_for_the_next() {
    let (world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    device.fails_binding.store(true, Relaxed);
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(4)).as_ref(), 10);
    assert_eq!((device.applied(), host.applied()), (0, 10));
}

/// Memory that runs out while running excludes a candidate from this map alone.
#[test]
fn memory_that_runs_out_moves_one_map() {
    let (world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    device.lacks_memory.store(true, Relaxed);
    apply(map.as_ref(), 100);
    assert_eq!(host.applied(), 100);
    device.lacks_memory.store(false, Relaxed);
    apply(bind(&selector, conv(4)).as_ref(), 100);
    assert_eq!(device.applied(), 100);
}

#[test]
fn when_all_fail_the_error_is_the_devices() {
    let mut world = World::default();
    for name in ["a", "b"] {
        world.add(name, per_call(1e-6), flat(1e3)).fails.store(true, Relaxed);
    }
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    for _ in 0..3 {
        let error = map.apply(&[0.0; 4], &mut [0.0; 4]).unwrap_err();
        assert!(matches!(error, BackendError::Device { .. }), "{error}");
    }
}

/// Wrong lengths are errors at once: nothing runs, nothing is held against a candidate.
#[test]
fn bad_input_is_an_error_at_once() {
    let (world, [only, _]) = World::of([("a", 1e-6, 1e3), ("b", 1e-6, 1e3)]);
    let selector = world.selector(Settings::default());
    let plan = selector.plan(conv(4)).unwrap();
    assert!(matches!(plan.bind(&[0.0; 3]), Err(BackendError::Length { .. })));
    let map = plan.bind(&[0.0; 4]).unwrap();
    let error = map.apply(&[0.0; 5], &mut [0.0; 4]).unwrap_err();
    assert!(matches!(error, BackendError::Length { argument: "x", found: 5, .. }));
    assert_eq!(only.applied(), 0);
    assert!(selector.experience().history().is_empty());
}

/// Free memory of the device changes: the plan that fitted does not any more, and fits again.
#[test]
fn plans_beyond_the_memory_limit_are_left_out() {
    let mut world = World::default();
    let bytes = |fake: Fake| Fake { bytes: |w| 1000 * w.signal_len(), ..fake };
    let device = world.add_fake("device", per_call(1e-6), flat(1e3), bytes);
    let host = world.add("host", per_call(1e-5), flat(1e4));
    let free = Arc::new(AtomicU64::new(100_000));
    let seen = Arc::clone(&free);
    let candidate = world.candidates.remove(0).on(card(move || Some(seen.load(Relaxed))));
    world.candidates.insert(0, candidate);
    let memory_limits = MemoryLimits { device_fraction: 0.5, ..Settings::default().memory_limits };
    let selector = world.selector(Settings { memory_limits, ..Settings::default() });
    apply(bind(&selector, conv(50)).as_ref(), 10);
    assert_eq!((device.applied(), host.applied()), (10, 0));
    apply(bind(&selector, conv(51)).as_ref(), 10);
    assert_eq!((device.applied(), host.applied()), (10, 10));
    let explanation = selector.explain(conv(51)).unwrap();
    assert_eq!(explanation.chosen.as_deref(), Some("host"));
    let out = explanation.rows.last().unwrap();
    assert_eq!(out.prediction.candidate, "device");
    assert!(out.reason.contains("needs 51000 bytes") && out.reason.contains("50000"), "{out:?}");
    let history = selector.experience().history();
    assert!(history.iter().any(|event| matches!(event.what, Occurrence::LeftOut { .. })));
    free.store(200_000, Relaxed);
    apply(bind(&selector, conv(51)).as_ref(), 10);
    assert_eq!(device.applied(), 20);
}

/// Either by what a plan says, or, before there is one, by kernel, signals and results alone.
#[test]
fn a_host_limit_that_nothing_meets_is_an_error_of_memory() {
    let memory_limits = MemoryLimits { host_bytes: Some(200), ..Settings::default().memory_limits };
    let mut world = World::default();
    let bytes = |fake: Fake| Fake { bytes: |w| 16 * w.signal_len(), ..fake };
    world.add_fake("large", per_call(1e-6), flat(1e3), bytes);
    let selector = world.selector(Settings { memory_limits, ..Settings::default() });
    for (len, least) in [(6, 240), (9, 216)] {
        let Err(error) = selector.plan(conv(len)) else { panic!("planned beyond the limit") };
        let BackendError::Memory { needed, limit: 200, .. } = error else { panic!("{error}") };
        assert_eq!(needed, least, "{len} samples");
    }
    assert!(selector.plan(conv(5)).is_ok());
}

/// What was bound to a lost device stays lost: after the rest, the same map is planned and bound
/// again, once for each time the device was lost.
#[test]
fn a_map_on_a_lost_device_is_bound_anew_after_the_rest() {
    let (mut world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    put_on_card(&mut world, 0);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    apply(map.as_ref(), 100);
    for lost in 1..=3 {
        let bound = device.bound.load(Relaxed);
        device.lost.store(lost, Relaxed);
        let by_host = host.applied();
        apply(map.as_ref(), 20);
        assert_eq!(host.applied(), by_host + 20);
        world.clock.advance(2_000_000_000);
        let before = device.applied();
        apply(map.as_ref(), 200);
        assert!(device.applied() > before + 150, "{lost}: {}", device.applied() - before);
        assert_eq!(device.bound.load(Relaxed), bound + 1);
    }
}

/// The futures are those of the candidates; one that fails hands its input on all the same.
#[test]
fn futures_are_those_of_the_candidate() {
    let (mut world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    put_on_card(&mut world, 0);
    device.never_waits.store(true, Relaxed);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(4));
    let (x, mut y) = ([1.0; 4], [f64::NAN; 4]);
    for n in 1..=50 {
        let (polls, outcome) = awaited(map.apply_async(&x, &mut y));
        outcome.unwrap();
        assert_eq!((polls, device.applied()), (2, n));
        let (polls, outcome) = awaited(map.apply_transpose_async(&x, &mut y));
        outcome.unwrap();
        assert_eq!(polls, 2);
        device.applied.fetch_sub(1, Relaxed);
    }
    let used = selector.experience().summary().workloads;
    assert_eq!(used.iter().map(|usage| usage.executions).sum::<u64>(), 100);
    device.fails.store(true, Relaxed);
    let (_, outcome) = awaited(map.apply_async(&[42.0, 0.0, 0.0, 0.0], &mut y));
    outcome.unwrap();
    assert_eq!((host.applied(), y), (1, [43.0; 4]));
    let (_, short) = awaited(map.apply_async(&x[1..], &mut y));
    assert!(matches!(short, Err(BackendError::Length { .. })));
    // Dropped half way, it owes nothing.
    device.fails.store(false, Relaxed);
    world.clock.advance(2_000_000_000);
    drop(map.apply_async(&x, &mut y));
    awaited(map.apply_async(&x, &mut y)).1.unwrap();
}

/// A candidate with a list of kinds is neither planned nor predicted for others.
#[test]
fn kinds_told_beforehand_are_not_asked_for() {
    let mut world = World::default();
    let sums = world.add_fake("sums", per_call(1e-9), flat(1.0), |fake| Fake {
        only: Some(Kind::Dense),
        ..fake
    });
    let host = world.add("host", per_call(1e-5), flat(1e4));
    let candidate = world.candidates.remove(0).for_kinds([Kind::Dense]);
    world.candidates.insert(0, candidate);
    let selector = world.selector(Settings::default());
    let expected = selector.predict(conv(4)).unwrap();
    assert_eq!(expected.iter().map(|p| p.candidate.as_str()).collect::<Vec<_>>(), ["host"]);
    assert_eq!(selector.preferred(conv(4)), Some("host"));
    apply(bind(&selector, conv(4)).as_ref(), 10);
    assert_eq!((sums.applied(), host.applied()), (0, 10));
    let explained = selector.explain(conv(4)).unwrap();
    assert!(explained.rows[1].reason.contains("no algorithm"), "{explained}");
}

/// Whoever notes it, planning, binding or running: one failure is one event and one rest.
#[test]
fn a_failure_before_anything_runs_is_counted_once() {
    for planning in [false, true] {
        let (mut world, [first, device, host]) =
            World::of([("first", 1e-6, 1e3), ("device", 1e-5, 1e4), ("host", 1e-4, 1e5)]);
        put_on_card(&mut world, 1);
        let selector = world.selector(Settings::default());
        let map = bind(&selector, conv(4));
        first.fails.store(true, Relaxed);
        let knob = if planning { &device.fails_planning } else { &device.fails_binding };
        knob.store(true, Relaxed);
        apply(map.as_ref(), 1);
        assert_eq!(host.applied(), 1);
        let history = selector.experience().history();
        let events: Vec<_> = history.iter().filter(|event| event.candidate == "device").collect();
        let [event] = events[..] else { panic!("{events:?}") };
        let Occurrence::Failed { error, rest } = &event.what else { panic!("{event}") };
        assert!(error.contains("unplugged") && rest.as_secs() == 1, "{event}");
    }
}

/// Without learning a device that works again is sound again, and its next failure the first.
#[test]
fn devices_recover_with_learning_off() {
    let (mut world, [device, _]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
    put_on_card(&mut world, 0);
    let selector = world.selector(Settings { learning: false, ..Settings::default() });
    let map = bind(&selector, conv(4));
    for _ in 0..2 {
        device.fails.store(true, Relaxed);
        apply(map.as_ref(), 20);
        device.fails.store(false, Relaxed);
        world.clock.advance(1_100_000_000);
        let before = device.applied();
        apply(map.as_ref(), 100);
        assert!(device.applied() > before + 80, "{}", device.applied() - before);
    }
    let history = selector.experience().history();
    let recovered = history.iter().filter(|event| event.what == Occurrence::Recovered);
    assert_eq!(recovered.count(), 2, "{history:?}");
}

/// A device that is not back after its first rest is used again after the next one, by the same
/// map.
#[test]
fn a_device_that_cannot_be_opened_again_at_once_is_asked_later() {
    for (planning, learning) in [(true, true), (false, true), (true, false), (false, false)] {
        let (mut world, [device, host]) = World::of([("device", 1e-6, 1e3), ("host", 1e-5, 1e4)]);
        put_on_card(&mut world, 0);
        let selector = world.selector(Settings { learning, ..Settings::default() });
        let map = bind(&selector, conv(4));
        apply(map.as_ref(), 100);
        let knob = if planning { &device.fails_planning } else { &device.fails_binding };
        knob.store(true, Relaxed);
        device.lost.store(1, Relaxed);
        apply(map.as_ref(), 20);
        for seconds in [1, 2] {
            world.clock.advance(seconds * 1_000_000_000 + 1_000_000);
            let by_host = host.applied();
            apply(map.as_ref(), 100);
            assert_eq!(host.applied(), by_host + 100);
        }
        knob.store(false, Relaxed);
        world.clock.advance(5_000_000_000);
        let before = device.applied();
        apply(map.as_ref(), 200);
        assert!(device.applied() > before + 150, "{}", device.applied() - before);
        let history = selector.experience().history();
        let failed = |what: &Occurrence| matches!(what, Occurrence::Failed { .. });
        assert_eq!(history.iter().filter(|event| failed(&event.what)).count(), 3, "{history:?}");
    }
}
