//! One axis: eigenvectors of the second difference, and transforms of lines to them.

mod axis_operator;
mod band;
mod cosine;
mod dense;
mod hartley;
mod quarter;
mod robin;

pub(super) use axis_operator::{AxisOperator, extremes};
use num_complex::Complex64;

/// Real transform of lines to the eigenvectors of an axis and back, for complex lines of n values:
/// the real and the imaginary part are two lines.
pub(super) trait LineTransform: Send + Sync {
    /// Overwrites values with coefficients, `S^-1 x`.
    fn to_modes(&self, line: &mut [Complex64], scratch: &mut [Complex64]);

    /// Overwrites coefficients with values, `S x`.
    fn to_values(&self, line: &mut [Complex64], scratch: &mut [Complex64]);

    /// Number of values of the scratch that both need.
    fn scratch_len(&self) -> usize;
}
