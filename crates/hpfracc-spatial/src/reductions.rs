//! Sums and updates of fields with the same bits for any number of threads: sums are taken over
//! blocks of 4096 values and then over the blocks in order.
//!
//! ```
//! use hpfracc_spatial::reductions::{dot, norm, sum, update};
//!
//! let (mut x, y) = ([3.0, 4.0], [1.0, 0.5]);
//! assert_eq!((dot(&x, &y), norm(&x), sum(2, |i| x[i] * x[i])), (5.0, 5.0, 25.0));
//! update(&mut x, |i, x| *x -= y[i]);
//! assert_eq!(x, [2.0, 3.5]);
//! ```

use crate::krylov::reductions as blocks;

/// `sum_i x_i y_i`.
///
/// # Panics
/// If the lengths differ.
pub fn dot(x: &[f64], y: &[f64]) -> f64 {
    assert_eq!(x.len(), y.len(), "values of the two fields");
    blocks::dot(None, x, y)
}

/// Euclidean norm.
pub fn norm(x: &[f64]) -> f64 {
    blocks::norm(None, x)
}

/// `sum_i f(i)` over 0..n.
pub fn sum(n: usize, f: impl Fn(usize) -> f64 + Sync) -> f64 {
    blocks::sum(n, f)
}

/// Calls `f(i, value)` for each value; blocks are shared among threads.
pub fn update(x: &mut [f64], f: impl Fn(usize, &mut f64) + Sync) {
    blocks::update(x, f);
}
