//! `y = S (m * S' x)` with the matrix S of real transforms as sums, axis by axis.
//!
//! S diag(m) S' is symmetric: forward and transposed map are the same.

use crate::{RealTransform, TransformAxes};

pub(super) fn run(multipliers: &[f64], axes: TransformAxes, from: &[f64], to: &mut [f64]) {
    to.copy_from_slice(from);
    let shape = axes.shape();
    let matrices: Vec<Vec<f64>> = axes.iter().map(|(n, transform)| matrix(n, transform)).collect();
    for (axis, matrix) in matrices.iter().enumerate() {
        along_axis(to, shape.lens(), axis, |k, j| matrix[j * shape.lens()[axis] + k]);
    }
    for (value, multiplier) in to.iter_mut().zip(multipliers) {
        *value *= multiplier;
    }
    for (axis, matrix) in matrices.iter().enumerate() {
        along_axis(to, shape.lens(), axis, |j, k| matrix[j * shape.lens()[axis] + k]);
    }
}

/// S, row-major.
fn matrix(n: usize, transform: RealTransform) -> Vec<f64> {
    (0..n * n).map(|entry| transform.entry(n, entry / n, entry % n)).collect()
}

/// The product of all lines along one axis with a matrix, from its entries by row and column.
fn along_axis(field: &mut [f64], lens: &[usize], axis: usize, entry: impl Fn(usize, usize) -> f64) {
    let n = lens[axis];
    let stride: usize = lens[axis + 1..].iter().product();
    for block in field.chunks_exact_mut(n * stride) {
        for offset in 0..stride {
            let line: Vec<f64> = (0..n).map(|j| block[offset + j * stride]).collect();
            for row in 0..n {
                let terms = line.iter().enumerate().map(|(j, value)| entry(row, j) * value);
                block[offset + row * stride] = terms.sum();
            }
        }
    }
}
