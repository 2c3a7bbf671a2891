//! After set-up, a step allocates nothing, on steps of any length; nor do rejected ones.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    AdamsBashforthMoulton, Options, Problem, ProductTrapezoid, Progress, SaveNodes, Scheme, Steps,
    solve,
};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

/// One test: others at the same time would count too.
#[test]
fn allocations() {
    no_step_allocates();
    adaptive_steps_allocate_once_when_exponentials_take_over();
}

fn no_step_allocates() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1], dydt[2]) = (-y[0] + y[1], -y[1] + (9.0 * t).sin(), y[0] - y[2] * y[2]);
    };
    let rows: [&[f64]; 2] = [&[1.0, 2.0, 3.0], &[0.0, 1.0, 0.0]];
    let problem = Problem::new(&[0.5, 1.5, 0.7], (0.0, 1.0), &rows, rhs).unwrap();
    let pece = AdamsBashforthMoulton::default();
    let graded = Steps::Graded { n: 700, exponent: 2.0 };
    let adaptive = Steps::adaptive(1e-5, 1e-5);
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        for (steps, history, save_nodes) in [
            (&graded, HistoryChoice::Direct, SaveNodes::All),
            (&graded, exponentials, SaveNodes::All),
            (&graded, exponentials, SaveNodes::Last),
            (&adaptive, exponentials, SaveNodes::Last),
        ] {
            // The thread of the test harness may allocate in between, but not every time.
            let least = (0..5).map(|_| {
                let (mut first, mut last) = (0, 0);
                let mut progress = |progress: Progress| {
                    let calls = ALLOCATOR.calls();
                    if progress.steps == 0 {
                        first = calls;
                    }
                    last = calls;
                };
                let options = Options {
                    history,
                    save_nodes,
                    progress: Some(&mut progress),
                    ..Options::default()
                };
                let solution = solve(&problem, scheme, steps, options).unwrap();
                assert!(first > 0 && solution.statistics().steps > 100);
                last - first
            });
            assert_eq!(least.min(), Some(0), "{} {steps:?} {history:?}", scheme.name());
        }
    }
}

fn adaptive_steps_allocate_once_when_exponentials_take_over() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| dydt[0] = -y[0];
    let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], rhs).unwrap();
    let steps = Steps::adaptive(1e-7, 0.0);
    let allocating = || {
        let mut steps_that_do = Vec::with_capacity(100_000);
        let mut calls = 0;
        let mut progress = |progress: Progress| {
            let now = ALLOCATOR.calls();
            if progress.steps > 0 && now != calls {
                steps_that_do.push(progress.steps);
            }
            calls = now;
        };
        let options = Options {
            save_nodes: SaveNodes::Last,
            progress: Some(&mut progress),
            ..Options::default()
        };
        let solution = solve(&problem, &ProductTrapezoid, &steps, options).unwrap();
        assert!(solution.statistics().steps > 1000);
        steps_that_do
    };
    assert!((0..5).any(|_| allocating() == [1000]));
}
