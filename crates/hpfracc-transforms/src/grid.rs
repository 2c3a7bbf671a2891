//! The grid that both fractional Fourier transforms share.

use ndarray::Array1;

/// Index of the point zero.
pub(crate) fn centre(n: usize) -> usize {
    n / 2
}

/// `(j - floor(n/2)) / sqrt(n)`.
pub(crate) fn coordinates(n: usize) -> Array1<f64> {
    (0..n).map(|j| (j as f64 - centre(n) as f64) / (n as f64).sqrt()).collect()
}
