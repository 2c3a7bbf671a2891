//! After set-up, a step allocates nothing, on steps of any length; nor do rejected ones.

use hpfracc_solvers::history::HistoryChoice;
use hpfracc_solvers::ode::{
    AdamsBashforthMoulton, Keep, Options, Problem, ProductTrapezoid, Progress, Scheme, Steps, solve,
};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
fn no_step_allocates() {
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1], dydt[2]) = (-y[0] + y[1], -y[1] + (9.0 * t).sin(), y[0] - y[2] * y[2]);
    };
    let rows: [&[f64]; 2] = [&[1.0, 2.0, 3.0], &[0.0, 1.0, 0.0]];
    let problem = Problem::new(&[0.5, 1.5, 0.7], (0.0, 1.0), &rows, rhs).unwrap();
    let pece = AdamsBashforthMoulton::default();
    let graded = Steps::Graded { n: 700, exponent: 2.0 };
    let adaptive = Steps::Adaptive { relative: 1e-5, absolute: 1e-5, shortest: 1e-12 };
    let exponentials = HistoryChoice::Exponentials { tolerance: 1e-8 };
    for scheme in [&ProductTrapezoid as &dyn Scheme, &pece] {
        for (steps, history, keep) in [
            (&graded, HistoryChoice::Direct, Keep::Nodes),
            (&graded, exponentials, Keep::Nodes),
            (&graded, exponentials, Keep::Last),
            (&adaptive, HistoryChoice::Exact, Keep::Last),
        ] {
            let (mut first, mut last) = (0, 0);
            let mut progress = |progress: Progress| {
                let calls = ALLOCATOR.calls();
                if progress.steps == 0 {
                    first = calls;
                }
                last = calls;
            };
            let options =
                Options { history, keep, progress: Some(&mut progress), ..Options::default() };
            let solution = solve(&problem, scheme, steps, options).unwrap();
            assert!(solution.statistics().steps > 100);
            assert!(first > 0 && last == first, "{steps:?} {history:?}: {}", last - first);
        }
    }
}
