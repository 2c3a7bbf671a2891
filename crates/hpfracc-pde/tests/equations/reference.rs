//! References for the tests: other methods, and distances.

use hpfracc_ode::{Collocation, Options, Problem, Steps, solve};

/// Largest difference of two lists.
pub(crate) fn largest(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// State at `until` of a system of equations without structure, by collocation with a dense
/// Jacobian from differences.
pub(crate) fn by_collocation(
    orders: &[f64],
    until: f64,
    initial: &[&[f64]],
    rhs: impl Fn(f64, &[f64], &mut [f64]),
) -> Vec<f64> {
    let problem = Problem::new(orders, (0.0, until), initial, rhs).unwrap();
    let steps = Steps::adaptive(1e-10, 1e-10);
    solve(&problem, &Collocation::default(), &steps, Options::default()).unwrap().last().to_vec()
}
