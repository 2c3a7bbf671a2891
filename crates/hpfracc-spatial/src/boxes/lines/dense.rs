//! Eigenvectors without a fast transform.

use super::LineTransform;
use num_complex::Complex64;

/// Transform by matrices of eigenvectors, n^2 products a line.
pub(super) struct Dense {
    /// Row j: the coefficients of a unit value at point j, column j of `S^-1`.
    to_modes: Vec<f64>,
    /// Row k: the values of eigenvector k, column k of S.
    to_values: Vec<f64>,
}

impl Dense {
    /// From the eigenvectors in the rows of a matrix, orthonormal in these weights:
    /// `S^-1 = S' diag(weights)`.
    pub(super) fn new(eigenvectors: Vec<f64>, weights: &[f64]) -> Self {
        let n = weights.len();
        let mut to_modes = vec![0.0; n * n];
        for (k, vector) in eigenvectors.chunks_exact(n).enumerate() {
            for (j, (v, w)) in vector.iter().zip(weights).enumerate() {
                to_modes[j * n + k] = v * w;
            }
        }
        Self { to_modes, to_values: eigenvectors }
    }
}

/// Overwrites a line with its product with a matrix: the sum of the rows times the values.
fn multiply(rows: &[f64], line: &mut [Complex64], scratch: &mut [Complex64]) {
    let n = line.len();
    let sums = &mut scratch[..n];
    sums.fill(Complex64::default());
    for (x, row) in line.iter().zip(rows.chunks_exact(n)) {
        for (sum, s) in sums.iter_mut().zip(row) {
            *sum += x * s;
        }
    }
    line.copy_from_slice(sums);
}

impl LineTransform for Dense {
    fn to_modes(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        multiply(&self.to_modes, line, scratch);
    }

    fn to_values(&self, line: &mut [Complex64], scratch: &mut [Complex64]) {
        multiply(&self.to_values, line, scratch);
    }

    fn scratch_len(&self) -> usize {
        self.to_modes.len().isqrt()
    }
}
