//! Choosing between methods of a solver: regret, exploration, wisdom, explanations.

mod simulated;

use hpfracc_backend::{Autotuner, CostTerm, Method, Work};
use hpfracc_selector::{Effort, Experience, Occurrence, Settings, Source, Subject};
use simulated::{FakeClock, World, apply, bind, conv};
use std::sync::Arc;

const METHODS: [&str; 3] = ["direct", "blocked", "exponentials"];

/// Nanoseconds of each method on the simulated machine.
fn truth(method: usize, components: f64, steps: f64) -> f64 {
    match method {
        0 => 40.0 + components * (0.9 * steps + 0.22 * steps * steps),
        // Padding to powers of two.
        1 => {
            let m = steps.log2().ceil().exp2();
            600.0 + components * (9.0 * steps + 1.1 * m * m.log2() * m.log2())
        }
        _ => 3000.0 + components * 95.0 * steps,
    }
}

/// Operations of each method with priors that are wrong by factors of 10, 1/5 and 3.
fn terms(components: f64, steps: f64) -> [Vec<CostTerm>; 3] {
    let (n, log) = (components * steps, steps.log2());
    [
        vec![CostTerm::new(1.0, 1e-7), CostTerm::new(n * steps, 2.2e-9)],
        vec![CostTerm::new(n, 2e-9), CostTerm::new(n * log * log, 2.2e-10)],
        vec![CostTerm::new(1.0, 1e-6), CostTerm::new(n, 3e-7)],
    ]
}

/// Calls `with` with the work of a history of this size.
fn with_work<R>(components: u64, steps: u64, with: impl FnOnce(&Work<'_>) -> R) -> R {
    let terms = terms(components as f64, steps as f64);
    let methods = [0, 1, 2].map(|i| Method { name: METHODS[i], terms: &terms[i] });
    with(&Work {
        name: "history",
        scalar: "f64",
        sizes: &[("components", components), ("steps", steps)],
        methods: &methods,
    })
}

/// Runs the work once; returns the method and its nanoseconds.
fn run(tuner: &Experience, clock: &FakeClock, components: u64, steps: u64) -> (usize, f64) {
    with_work(components, steps, |work| {
        let method = tuner.choose(work);
        let nanos = truth(method, components as f64, steps as f64);
        clock.advance(nanos as u64);
        tuner.record(work, method, nanos * 1e-9);
        (method, nanos)
    })
}

fn best(components: u64, steps: u64) -> f64 {
    let each = (0..3).map(|i| truth(i, components as f64, steps as f64));
    each.fold(f64::INFINITY, f64::min)
}

fn tuner(world: &World) -> Arc<Experience> {
    world.experience(Settings::default())
}

const STEPS: [u64; 12] = [8, 20, 50, 100, 170, 300, 500, 1000, 2000, 5000, 12_000, 30_000];
const COMPONENTS: [u64; 3] = [1, 3, 16];

/// Over all sizes, the time lost against the best choice in hindsight is at most 5 % after one
/// pass.
#[test]
fn regret_after_learning_is_small() {
    let world = World::default();
    let tuner = tuner(&world);
    let mut regrets = Vec::new();
    for pass in 0..3 {
        let (mut spent, mut least) = (0.0, 0.0);
        for steps in STEPS {
            for components in COMPONENTS {
                // As many solves of each size as fill some milliseconds.
                let repeats = 20 + (5e6 / best(components, steps)) as usize;
                for _ in 0..repeats {
                    spent += run(&tuner, &world.clock, components, steps).1;
                    least += best(components, steps);
                }
            }
        }
        println!("pass {pass}: {:.4} of the best", spent / least);
        regrets.push(spent / least - 1.0);
    }
    assert!(regrets[0] < 0.25 && regrets[1] < 0.05 && regrets[2] < 0.05, "{regrets:?}");
}

/// Sizes never run go to the right method: the models carry over.
#[test]
fn sizes_never_run_are_chosen_by_the_models() {
    let world = World::default();
    let tuner = tuner(&world);
    for steps in [20, 100, 500, 2000, 10_000, 40_000] {
        for _ in 0..200 {
            run(&tuner, &world.clock, 1, steps);
        }
    }
    for steps in [14, 60, 4000, 25_000, 100_000] {
        let (_, nanos) = run(&tuner, &world.clock, 1, steps);
        assert!(nanos < 1.1 * best(1, steps), "{steps} steps: {nanos} of {}", best(1, steps));
    }
}

/// Times go to the file of wisdom, and back, whether or not the methods were named before.
#[test]
fn wisdom_has_the_times_of_methods() {
    let (world, _) = World::of([("a", 1e-5, 1e4)]);
    let selector = world.selector(Settings::default());
    apply(bind(&selector, conv(64)).as_ref(), 10);
    let learned = selector.experience();
    for _ in 0..300 {
        run(learned, &world.clock, 2, 1000);
    }
    let text = learned.wisdom().unwrap();
    let settings = Settings { effort: Effort::WisdomOnly, ..Settings::default() };
    let later = world.selector(settings);
    let later = later.experience();
    let explain = |tuner: &Experience| with_work(2, 1000, |work| tuner.explain_work(work));
    let read = later.read_wisdom(&text).unwrap();
    assert!(read >= 3, "{read}");
    let (expected, found) = (explain(learned), explain(later));
    assert_eq!(found.chosen, expected.chosen);
    assert_eq!(found.rows[0].prediction.source, Source::Timed);
    assert_eq!(run(later, &world.clock, 2, 1000).1, best(2, 1000));
    // Nothing is learned from there on, and what was read is written again.
    let again = world.selector(Settings::default());
    again.experience().read_wisdom(&later.wisdom().unwrap()).unwrap();
    assert_eq!(explain(again.experience()).chosen, expected.chosen);
    // An impossible timing is refused with its place.
    let wrong = text.replace("\"counts\":[", "\"counts\":[-1.0,");
    assert!(again.experience().read_wisdom(&wrong).is_err());
}

#[test]
fn explanations_history_and_summary_name_the_work() {
    let world = World::default();
    let tuner = tuner(&world);
    for _ in 0..500 {
        run(&tuner, &world.clock, 3, 2000);
    }
    let explanation = with_work(3, 2000, |work| tuner.explain_work(work));
    let text = explanation.to_string();
    for part in ["history: 3 components, 2000 steps", "f64", "direct", "chosen", "timed"] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert_eq!(explanation.executions, 500);
    let history = tuner.history();
    let tried = history.iter().find(|event| matches!(event.what, Occurrence::Tried { .. }));
    assert!(matches!(&tried.unwrap().subject, Subject::Work(work) if work.name == "history"));
    let summary = tuner.summary();
    assert_eq!(summary.works[0].executions, 500);
    assert_eq!(summary.works[0].preferred, explanation.chosen);
    assert!(summary.to_string().contains("2000 steps"), "{summary}");
    tuner.reset();
    assert!(tuner.summary().works.is_empty());
    let again = with_work(3, 2000, |work| tuner.explain_work(work));
    assert_eq!(again.rows[0].prediction.source, Source::Prior);
}

/// Single and double precision, and lists of methods, are separate; shared methods share times.
#[test]
fn a_method_that_is_not_offered_is_not_chosen() {
    let world = World::default();
    let tuner = tuner(&world);
    for _ in 0..300 {
        run(&tuner, &world.clock, 1, 30_000);
    }
    with_work(1, 30_000, |work| {
        let chosen = METHODS[tuner.choose(work)];
        assert_eq!(chosen, "exponentials");
        let exact = Work { methods: &work.methods[..2], ..*work };
        assert_eq!(METHODS[tuner.choose(&exact)], "blocked");
        let explanation = tuner.explain_work(&exact);
        assert_eq!(explanation.rows.len(), 2);
        assert!(explanation.rows.iter().any(|row| row.prediction.source == Source::Timed));
        let single = tuner.explain_work(&Work { scalar: "f32", ..*work });
        assert!(single.rows.iter().all(|row| row.prediction.source == Source::Prior));
        // One method alone, or none, needs no decision.
        assert_eq!(tuner.choose(&Work { methods: &work.methods[1..2], ..*work }), 0);
        assert_eq!(tuner.choose(&Work { methods: &[], ..*work }), 0);
    });
}

/// Invalid times are ignored, and a trial without a record does not prevent others.
#[test]
fn bad_records_are_harmless() {
    let world = World::default();
    let tuner = tuner(&world);
    with_work(1, 100, |work| {
        for seconds in [f64::NAN, -1.0, 0.0] {
            tuner.record(work, 0, seconds);
        }
        tuner.record(work, 3, 1.0);
        assert_eq!(tuner.explain_work(work).executions, 0);
        let mut unrecorded = 0;
        for _ in 0..3000 {
            let method = tuner.choose(work);
            if method == 0 {
                tuner.record(work, 0, truth(0, 1.0, 100.0) * 1e-9);
            } else {
                unrecorded += 1;
            }
        }
        assert!(unrecorded > 1, "{unrecorded} trials");
    });
}
