//! After set-up, an implicit step allocates nothing.

use hpfracc_ode::history::HistoryChoice;
use hpfracc_ode::{
    Exponential, L1, LinearMultistep, Options, Problem, ProductRectangle, ProductTrapezoid,
    Progress, Scheme, Steps, solve,
};
use hpfracc_testkit::CountingAllocator;

#[global_allocator]
static ALLOCATOR: CountingAllocator = CountingAllocator::new();

#[test]
fn no_step_allocates() {
    // Not linear, and not diagonal: the solve updates and factors Jacobians.
    let rhs = |t: f64, y: &[f64], dydt: &mut [f64]| {
        (dydt[0], dydt[1]) = (-y[0].powi(3) + y[1] + t.sin(), y[0] - 50.0 * y[1] * y[1]);
    };
    let problem = Problem::new(&[0.5, 0.7], (0.0, 5.0), &[&[1.0, 2.0]], rhs).unwrap();
    let equal = Steps::Uniform(2500);
    let cases: [(&dyn Scheme, Steps); 6] = [
        (&ProductRectangle::Implicit, equal.clone()),
        (&ProductTrapezoid, equal.clone()),
        (&LinearMultistep::Bdf2, equal.clone()),
        (&L1, equal.clone()),
        (&L1, Steps::Graded { n: 300, exponent: 2.0 }),
        (&Exponential::trapezoid(&[-3.0]), equal),
    ];
    for (scheme, steps) in cases {
        let histories = [HistoryChoice::Direct, HistoryChoice::Blocked];
        // Blocks want equal steps.
        let kinds = if matches!(steps, Steps::Uniform(_)) { 2 } else { 1 };
        for history in histories.into_iter().take(kinds) {
            let name = scheme.name();
            let mut jacobians = 0;
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
                let options =
                    Options { history, progress: Some(&mut progress), ..Options::default() };
                let solution = solve(&problem, scheme, &steps, options).unwrap();
                jacobians = solution.statistics().jacobians;
                assert!(first > 0);
                last - first
            });
            assert_eq!(least.min(), Some(0), "{name}, {history:?}");
            assert!(name.starts_with("exponential") || jacobians > 3, "{name}: {jacobians}");
        }
    }
}
