//! Which candidate a workload goes to.

mod simulated;

use hpfracc_backend::{Backend, BackendError, Kind, LinearMap, Workload};
use hpfracc_selector::{Clock, Effort, Place, Prior, Selector, Settings, Task, UnitCosts, Usage};
use simulated::{Fake, Step, World, apply, bind, conv, flat, per_call};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

fn device(software: bool) -> Place {
    Place::Device {
        name: "card".to_owned(),
        driver: "1.0".to_owned(),
        software,
        free: Arc::new(|| None),
    }
}

/// One is faster below 1000 samples, the other above; one operator uses both sizes.
#[test]
fn sizes_of_one_kind_are_chosen_apart() {
    let mut world = World::default();
    let quadratic = |w: Workload, step: Step| match step {
        Step::Plan | Step::Bind => 100.0,
        _ => (w.signal_len() as f64).powi(2),
    };
    let linear = |w: Workload, step: Step| match step {
        Step::Plan | Step::Bind => 100.0,
        _ => 1000.0 * w.signal_len() as f64,
    };
    let short = world.add("short", per_call(1e-4), quadratic);
    let long = world.add("long", per_call(1e-4), linear);
    let selector = world.selector(Settings::default());
    let maps = [100, 10_000].map(|len| bind(&selector, conv(len)));
    for _ in 0..2000 {
        for map in &maps {
            apply(map.as_ref(), 1);
        }
    }
    let count = |knobs: &simulated::Knobs, len| {
        knobs.by_len.lock().unwrap().get(&len).copied().unwrap_or(0)
    };
    assert!(count(&short, 100) > 1900, "{}", count(&short, 100));
    assert!(count(&long, 10_000) > 1900, "{}", count(&long, 10_000));
    assert_eq!(selector.preferred(conv(100)), Some("short"));
    assert_eq!(selector.preferred(conv(10_000)), Some("long"));
}

/// The prior is wrong by a factor of ten: the choice made first is not kept.
#[test]
fn another_choice_is_tried_once_there_is_one() {
    let (world, [promised, better]) =
        World::of([("promised", 1e-6, 10_000.0), ("better", 1e-5, 1000.0)]);
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(64));
    apply(map.as_ref(), 1000);
    assert!(better.applied() > 900, "{} {}", promised.applied(), better.applied());
    let preferred = selector.explain(conv(64)).unwrap();
    assert_eq!(preferred.chosen.as_deref(), Some("better"));
}

/// Two candidates, 1000 pairs of times: the better one gets nearly all applications.
#[test]
fn the_better_of_two_wins_in_a_thousand_rounds() {
    let mut right = 0;
    for round in 0..1000_u64 {
        let mut world = World::default();
        // Times from 1 to 100 us, at least 10 % apart, by a multiplicative generator.
        let random = |k: u64| {
            let bits = (round * 2 + k + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
            1000.0 * 100f64.powf(bits as f64 / (1u64 << 24) as f64)
        };
        let (a, mut b) = (random(0), random(1));
        if (a / b).ln().abs() < 0.1 {
            b *= 1.2;
        }
        let knobs =
            [world.add("a", per_call(1e-5), flat(a)), world.add("b", per_call(1e-5), flat(b))];
        let selector = world.selector(Settings::default());
        apply(bind(&selector, conv(64)).as_ref(), 300);
        let better = usize::from(b < a);
        right += usize::from(knobs[better].applied() > 200);
    }
    assert!(right >= 970, "{right} of 1000");
}

/// A solver binds once and applies a tiny map at each step. The device would take 300 times as
/// long.
#[test]
fn a_loop_of_tiny_steps_stays_close_to_the_best() {
    let mut world = World::default();
    let host = world.add("host", simulated::SUMS, flat(150.0));
    world.add("device", Prior::device(1e10), flat(50_000.0));
    let selector = world.selector(Settings::default());
    let mut maps = Vec::new();
    let spent = world.nanos(|| {
        for len in 16..80 {
            let map = bind(&selector, conv(len));
            apply(map.as_ref(), 1000);
            maps.push(map);
        }
    });
    let best = 64.0 * (200.0 + 1000.0 * 150.0);
    assert!(spent < 1.02 * best, "{}", spent / best);
    assert_eq!(host.applied(), 64_000);
}

/// Applied once, the candidate that needs no preparation wins; applied again and again, the other.
#[test]
fn once_and_repeated_are_chosen_apart() {
    let mut world = World::default();
    let prepared = |_: Workload, step: Step| match step {
        Step::Plan => 1e3,
        Step::Bind => 1e6,
        _ => 1e3,
    };
    let plain = world.add("plain", per_call(1e-5), flat(1e4));
    let spectral = world.add("spectral", per_call(1e-6), prepared);
    let selector = world.selector(Settings { effort: Effort::Measure, ..Settings::default() });
    let once = Task { usage: Usage::Once, ..conv(64).into() };
    drop(bind(&selector, conv(64)));
    let chosen = |task: Task| selector.explain(task).unwrap().chosen;
    assert_eq!(chosen(once).as_deref(), Some("plain"));
    assert_eq!(chosen(conv(64).into()).as_deref(), Some("spectral"));
    // Ski rental: the costs of a map applied so often are at most twice the best in hindsight.
    for times in [1, 3, 30, 100, 120, 150, 1000, 100_000] {
        let selector = world.selector(Settings { effort: Effort::Measure, ..Settings::default() });
        drop(bind(&selector, conv(64)));
        let spent = world.nanos(|| {
            apply(bind(&selector, conv(64)).as_ref(), times);
        });
        let best = f64::min(200.0 + 1e4 * times as f64, 1.001e6 + 1e3 * times as f64);
        assert!(spent < 2.1 * best, "{times}: {}", spent / best);
    }
    assert!(plain.applied() > 0 && spectral.applied() > 0);
}

/// A workload that is always applied often is bound to the right candidate from the start.
#[test]
fn how_often_maps_are_applied_is_learned() {
    let mut world = World::default();
    let prepared = |_: Workload, step: Step| match step {
        Step::Plan | Step::Bind => 1e6,
        _ => 1e3,
    };
    let plain = world.add("plain", per_call(1e-5), flat(1e4));
    world.add("spectral", per_call(1e-6), prepared);
    let selector = world.selector(Settings::default());
    for _ in 0..5 {
        apply(bind(&selector, conv(64)).as_ref(), 5000);
    }
    let before = plain.bound.load(std::sync::atomic::Ordering::Relaxed);
    for _ in 0..20 {
        apply(bind(&selector, conv(64)).as_ref(), 5000);
    }
    assert_eq!(plain.bound.load(std::sync::atomic::Ordering::Relaxed), before);
}

/// Forward and transposed differ by backend.
#[test]
fn directions_are_chosen_apart() {
    let mut world = World::default();
    let cost = |forward: f64, transposed: f64| {
        move |_: Workload, step: Step| match step {
            Step::Forward => forward,
            Step::Transpose => transposed,
            _ => 100.0,
        }
    };
    let a = world.add("a", per_call(1e-5), cost(1e4, 9e4));
    let b = world.add("b", per_call(1e-5), cost(9e4, 1e4));
    let selector = world.selector(Settings::default());
    let map = bind(&selector, conv(64));
    let (x, mut y) = ([1.0; 64], [0.0; 64]);
    for _ in 0..1000 {
        map.apply(&x, &mut y).unwrap();
        map.apply_transpose(&x, &mut y).unwrap();
    }
    assert!(a.applied() > 900 && b.applied() > 900, "{} {}", a.applied(), b.applied());
    let spent = world.nanos(|| {
        for _ in 0..1000 {
            map.apply(&x, &mut y).unwrap();
            map.apply_transpose(&x, &mut y).unwrap();
        }
    });
    assert!(spent < 1.1 * 2e7, "{spent}");
}

#[test]
fn ties_do_not_make_the_choice_restless() {
    let (world, _) = World::of([("a", 1e-5, 1e4), ("b", 1e-5, 1.01e4)]);
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(64)).as_ref(), 100_000);
    let changes = selector
        .experience()
        .history()
        .into_iter()
        .filter(|event| matches!(event.what, hpfracc_selector::Occurrence::Preferred { .. }));
    assert!(changes.count() <= 2);
}

#[test]
fn one_candidate_is_used_for_all_and_keeps_no_second_kernel() {
    let (world, [only]) = World::of([("only", 1.0, 10.0)]);
    let selector = world.selector(Settings::default());
    let plan = selector.plan(conv(64)).unwrap();
    assert_eq!(plan.bytes(), 8 * 64);
    apply(plan.bind(&[0.0; 64]).unwrap().as_ref(), 100);
    assert_eq!(only.applied(), 100);
}

#[test]
fn without_candidates_every_workload_is_an_error() {
    let selector: Selector<f64> = World::default().selector(Settings::default());
    assert!(matches!(selector.plan(conv(8)), Err(BackendError::Unsupported { .. })));
    assert!(matches!(selector.plan(conv(0)), Err(BackendError::Size { .. })));
    assert!(selector.predict(conv(8)).unwrap().is_empty());
    assert_eq!(selector.explain(conv(8)).unwrap().chosen, None);
}

#[test]
fn a_kind_goes_to_those_that_have_an_algorithm() {
    let mut world = World::default();
    let dense = |fake: Fake| Fake { only: Some(Kind::Dense), ..fake };
    let conv_only = |fake: Fake| Fake { only: Some(Kind::CausalConvolution), ..fake };
    let products = world.add_fake("products", per_call(1e-9), flat(10.0), dense);
    world.add_fake("sums", per_call(1e-3), flat(1e6), conv_only);
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(8)).as_ref(), 5);
    assert_eq!(products.applied(), 0);
    apply(bind(&selector, Workload::Dense { rows: 2, cols: 3, batch: 1 }).as_ref(), 5);
    assert_eq!(products.applied(), 5);
    let shape = hpfracc_backend::Shape::line(4);
    let multiplier = Workload::SpectralMultiplier { shape, batch: 1 };
    assert!(matches!(selector.plan(multiplier), Err(BackendError::Unsupported { .. })));
    let explanation = selector.explain(conv(8)).unwrap();
    assert_eq!(explanation.rows[1].prediction.candidate, "products");
    assert!(explanation.rows[1].reason.contains("of another kind"), "{explanation}");
}

/// A software adapter is not tried, even where it would be faster.
#[test]
fn a_software_device_is_never_chosen_for_speed() {
    let (mut world, [_, software]) = World::of([("host", 1e-5, 1e5), ("software", 1e-9, 10.0)]);
    let last = world.candidates.pop().unwrap();
    world.candidates.push(last.clone().on(device(true)));
    for effort in [Effort::Estimate, Effort::Measure, Effort::Exhaustive] {
        let selector = world.selector(Settings { effort, ..Settings::default() });
        apply(bind(&selector, conv(64)).as_ref(), 1000);
        assert_eq!(software.applied(), 0);
    }
    // Alone, it serves.
    world.candidates = vec![last.on(device(true))];
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(64)).as_ref(), 10);
    assert_eq!(software.applied(), 10);
}

/// Candidates that are far slower by the model are not run, and the best one is found before any
/// use.
#[test]
fn measuring_leaves_out_what_the_model_rules_out() {
    let (world, [_, b, hopeless]) =
        World::of([("a", 1e-5, 2e4), ("b", 1.2e-5, 1e4), ("hopeless", 1.0, 1e9)]);
    let selector = world.selector(Settings { effort: Effort::Measure, ..Settings::default() });
    let map = bind(&selector, conv(64));
    assert_eq!(hopeless.applied(), 0);
    let measured = b.applied();
    apply(map.as_ref(), 100);
    assert_eq!(b.applied(), measured + 100);
    let explanation = selector.explain(conv(64)).unwrap();
    assert_eq!(explanation.chosen.as_deref(), Some("b"));
    assert!((explanation.rows[0].prediction.seconds / 1e-5 - 1.0).abs() < 0.05, "{explanation}");
}

#[test]
fn measuring_keeps_to_its_budget() {
    let (world, _) = World::of([("a", 1e-2, 1e7), ("b", 1e-2, 1e7)]);
    let selector = world.selector(Settings { effort: Effort::Exhaustive, ..Settings::default() });
    let spent = world.nanos(|| drop(bind(&selector, conv(64))));
    // 2 s allowed, looked at after each round of four timings.
    assert!((1e9..2.1e9).contains(&spent), "{spent}");
}

/// Without learning, and with remembered timings only, runs repeat each other.
#[test]
fn nothing_is_learned_where_nothing_shall_be() {
    let still = [
        Settings { learning: false, ..Settings::default() },
        Settings { effort: Effort::WisdomOnly, ..Settings::default() },
    ];
    for settings in still {
        let (world, [promised, _]) = World::of([("promised", 1e-6, 1e6), ("better", 1e-5, 10.0)]);
        let selector = world.selector(settings);
        apply(bind(&selector, conv(64)).as_ref(), 500);
        assert_eq!(promised.applied(), 500);
        assert_eq!(selector.preferred(conv(64)), Some("promised"));
        assert_eq!(selector.experience().summary().workloads.len(), 0);
    }
}

/// A candidate that is cheaper to bind does not serve the first calls: all calls of a map have the
/// same bits.
#[test]
fn with_wisdom_only_a_map_keeps_its_choice() {
    let bound_in = |seconds: f64, prior: Prior| Prior {
        bind: UnitCosts { call: seconds, ..UnitCosts::ZERO },
        ..prior
    };
    let settings = Settings { effort: Effort::WisdomOnly, ..Settings::default() };
    for (settings, moves) in [(settings, false), (Settings::default(), true)] {
        let mut world = World::default();
        let plain = world.add("plain", bound_in(1e-7, per_call(1e-5)), flat(1e4));
        let fast = world.add("fast", bound_in(1e-3, per_call(1e-6)), flat(1e3));
        let selector = world.selector(settings);
        let map = bind(&selector, conv(64));
        let (x, mut y) = ([1.0; 64], [0.0; 64]);
        for _ in 0..500 {
            map.apply(&x, &mut y).unwrap();
            map.apply_transpose(&x, &mut y).unwrap();
        }
        assert_eq!(plain.applied() > 0, moves, "{}", plain.applied());
        assert_eq!(plain.applied() + fast.applied(), 1000);
    }
}

#[test]
fn names_must_differ() {
    let (world, _) = World::of([("same", 1.0, 1.0), ("same", 1.0, 1.0)]);
    let experience = world.experience(Settings::default());
    let error = Selector::new(world.candidates.clone(), experience).unwrap_err();
    assert_eq!(error.to_string(), "two candidates are named `same`");
}

/// Binding may wait for a pool whose threads are waiting for this map: no thread waits while
/// another thread decides.
#[test]
fn a_map_runs_on_while_another_thread_binds() {
    let (world, [first, second]) = World::of([("first", 1e-6, 1e5), ("second", 2e-6, 1e3)]);
    let selector = world.selector(Settings::default());
    let map: Arc<dyn LinearMap<f64>> = bind(&selector, conv(4)).into();
    let (done, is_done) = std::sync::mpsc::channel();
    let (other, waited) = (Arc::clone(&map), Arc::new(AtomicBool::new(false)));
    let noted = Arc::clone(&waited);
    *second.while_binding.lock().unwrap() = Some(Box::new(move || {
        std::thread::spawn(move || done.send(apply(other.as_ref(), 3)));
        let answer = is_done.recv_timeout(std::time::Duration::from_secs(5));
        noted.store(answer.is_err(), Relaxed);
    }));
    apply(map.as_ref(), 100);
    assert!(second.while_binding.lock().unwrap().is_none(), "the second was never bound");
    assert!(!waited.load(Relaxed), "a thread waited until the other had bound");
    assert!(first.applied() >= 4 && second.applied() > 50);
}

/// A clock that is set back, or stands still, costs sense but nothing else.
#[test]
fn a_clock_that_goes_back_is_survived() {
    let mut world = World::default();
    let clock = Arc::clone(&world.clock);
    clock.set(1 << 40);
    let back = move |_, _| {
        clock.set(clock.nanos().saturating_sub(1_000_000));
        0.0
    };
    world.add("back", per_call(1e-6), back);
    world.add("still", per_call(1e-6), |_, _| 0.0);
    let selector = world.selector(Settings::default());
    selector.measure(conv(4), Effort::Measure).unwrap();
    for len in [4, 5, 6] {
        apply(bind(&selector, conv(len)).as_ref(), 100);
    }
    let (_, explored) = selector.experience().exploration_paid();
    assert!(explored.as_secs() < 1, "{explored:?}");
}
