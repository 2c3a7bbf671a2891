//! After set-up, a step allocates nothing.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{AdamsBashforthMoulton, Options, Problem, Progress, Steps, solve};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
fn no_step_allocates() {
    let rhs = |_: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1], dydt[2]) = (-y[0] + y[1], -y[1], y[0] - y[2]);
    };
    let rows: [&[f64]; 2] = [&[1.0, 2.0, 3.0], &[0.0, 1.0, 0.0]];
    let problem = Problem::new(&[0.5, 1.5, 0.7], (0.0, 1.0), &rows, rhs).unwrap();
    for history in [
        HistoryChoice::Direct,
        HistoryChoice::Blocked,
        HistoryChoice::Exponentials { tolerance: 1e-8 },
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
            let options = Options { history, progress: Some(&mut progress), ..Options::default() };
            let scheme = AdamsBashforthMoulton::default();
            solve(&problem, &scheme, &Steps::Uniform(5000), options).unwrap();
            assert!(first > 0);
            last - first
        });
        assert_eq!(least.min(), Some(0), "{history:?}");
    }
}
