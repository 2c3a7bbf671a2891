//! Models and seeded data of several tests.

use hpfracc_equation::Formula;
use hpfracc_fit::{Fit, FormulaModel, Found, Set};
use hpfracc_lanes::random::{Gaussian, Philox};

pub(crate) fn model(text: &str) -> FormulaModel {
    FormulaModel::new(&[Formula::parse(text, &["x", "y"]).unwrap()]).unwrap()
}

pub(crate) fn line() -> FormulaModel {
    model("y = a + b x; a = 0; b = 0")
}

/// A standard normal number of a seed and an index.
pub(crate) fn normal(seed: u64, index: usize) -> f64 {
    let [a, b, ..] = Philox::new(seed).block([index as u32, 0, 0, 0]);
    f64::pair(a, b).0
}

/// `n` times 0, 0.5, 1, ..., and 2 - 0.5 x with a normal error.
pub(crate) fn noisy_line(n: usize, seed: u64, error: f64) -> (Vec<f64>, Vec<f64>) {
    let x: Vec<f64> = (0..n).map(|i| 0.5 * i as f64).collect();
    let y = x.iter().enumerate().map(|(i, x)| 2.0 - 0.5 * x + error * normal(seed, i)).collect();
    (x, y)
}

/// Fit of a model to one column.
pub(crate) fn fit<'a>(model: &'a FormulaModel, x: &'a [f64], y: &'a [f64]) -> Found<'a> {
    Fit::new(Set::new("data", model).input(x).response(y)).unwrap().run().unwrap()
}

/// Inverse of the symmetric matrix [a b; b c], as (aa, ab, bb).
pub(crate) fn inverse((a, b, c): (f64, f64, f64)) -> (f64, f64, f64) {
    let determinant = a * c - b * b;
    (c / determinant, -b / determinant, a / determinant)
}

/// `(aa, ab, bb)` of a sum of weighted rows (1, x).
pub(crate) fn moments(x: &[f64], weight: impl Fn(usize) -> f64) -> (f64, f64, f64) {
    let sum = |power: i32| x.iter().enumerate().map(|(i, x)| weight(i) * x.powi(power)).sum();
    (sum(0), sum(1), sum(2))
}

/// The product A B A of symmetric matrices.
pub(crate) fn sandwich(a: (f64, f64, f64), b: (f64, f64, f64)) -> (f64, f64, f64) {
    let product = |r: [f64; 2], s: [f64; 2]| {
        r[0] * (b.0 * s[0] + b.1 * s[1]) + r[1] * (b.1 * s[0] + b.2 * s[1])
    };
    let rows = [[a.0, a.1], [a.1, a.2]];
    (product(rows[0], rows[0]), product(rows[0], rows[1]), product(rows[1], rows[1]))
}

pub(crate) fn assert_close(found: f64, expected: f64, tolerance: f64, what: &str) {
    let error = (found - expected).abs() / expected.abs().max(1e-300);
    assert!(error <= tolerance, "{what}: {found}, expected {expected}, error {error:.1e}");
}
