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

/// Index of the point opposite to that of index j. For even n the first point, whose mirror image is
/// outside the grid, is its own.
pub(crate) fn mirrored(j: usize, n: usize) -> usize {
    (2 * centre(n) + n - j) % n
}
