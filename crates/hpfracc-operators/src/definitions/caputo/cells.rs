//! Contributions of a cell of the grid to the derivative of a quadratic interpolant at `shift`
//! steps after a node, with b = 1 - alpha:
//!
//! ```text
//! slope_j = (j+shift)^b - (j-1+shift)^b
//! bend_j  = int_{j-1+shift}^{j+shift} x^b dx - [(j+shift)^b + (j-1+shift)^b] / 2
//! ```
//!
//! The first belongs to the slope of f over the cell, the second to the change of slope. About the
//! middle of the cell both are series whose terms have one sign, so nothing cancels; as differences
//! of powers, bend_j would have lost every digit at j = 1e6.

use crate::Number;
use crate::schemes::power_sums::PowerSum;

pub(super) struct Cells<N> {
    b: N,
    shift: N,
    slopes: PowerSum<N>,
    bends: PowerSum<N>,
}

impl<N: Number> Cells<N> {
    /// For 1/2 <= shift <= 1.
    pub(super) fn new(b: N, shift: N) -> Self {
        let half = |p: usize| 0.5f64.powi(p as i32);
        let slopes = PowerSum::odd(b, 0.5, |p| 2.0 * half(p));
        let bends = PowerSum::even(b, 0.5, |p| half(p) * (1.0 / (p + 1) as f64 - 1.0));
        Self { b, shift, slopes, bends }
    }

    /// slope_j and bend_j for j = 1, 2, ..
    pub(super) fn all(&self) -> impl Iterator<Item = (N, N)> {
        (1..).map(|j: u64| {
            let x = self.shift + (j as f64 - 0.5);
            let power = x.powf(self.b);
            (self.slopes.at(x, power), self.bends.at(x, power))
        })
    }
}
