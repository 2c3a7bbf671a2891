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

use crate::schemes::l1;
use crate::schemes::power_sums::PowerSum;
use crate::{Number, Toeplitz};
use hpfracc_types::Grid;
use std::iter::once;

struct Cells<N> {
    b: N,
    shift: N,
    slopes: PowerSum<N>,
    bends: PowerSum<N>,
}

impl<N: Number> Cells<N> {
    /// For 1/2 <= shift <= 1.
    fn new(b: N, shift: N) -> Self {
        let half = |p: usize| 0.5f64.powi(p as i32);
        let slopes = PowerSum::odd(b, 0.5, |p| 2.0 * half(p));
        let bends = PowerSum::even(b, 0.5, |p| half(p) * (1.0 / (p + 1) as f64 - 1.0));
        Self { b, shift, slopes, bends }
    }

    /// slope_j and bend_j for j = 1, 2, ..
    fn all(&self) -> impl Iterator<Item = (N, N)> {
        (1..).map(|j: u64| {
            let x = self.shift + (j as f64 - 0.5);
            let power = x.powf(self.b);
            (self.slopes.at(x, power), self.bends.at(x, power))
        })
    }
}

/// The L1-2 scheme, 0 < alpha < 1: from the second cell on the parabola through the cell's ends and
/// the sample before it, on the first cell the line, against the exact integral of the kernel.
///
/// ```text
/// D^alpha f(t_n) = s [ sum_{j<n} c_j (f_{n-j} - f_{n-1-j}) - e_{n-1} (f_1 - f_0) ]
/// b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
/// e_j = int_j^{j+1} x^(1-alpha) dx - [(j+1)^(1-alpha) + j^(1-alpha)] / 2
/// c_0 = b_0 + e_0,   c_j = b_j + e_j - e_{j-1}
/// ```
///
/// The subtracted e_{n-1} is the bend of a parabola on the first cell, which has only a line.
pub(crate) fn l1_2<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let b = -alpha + 1.0;
    // int_0^1 x^b dx - 1/2
    let first = (b * -1.0 + 1.0) * (b + 1.0).recip() * 0.5;
    let cells = Cells::new(b, N::constant(1.0));
    weights(alpha, grid, once((N::constant(1.0), first)).chain(cells.all()))
}

/// The L2-1sigma scheme, 0 < alpha < 1: the value at t_n - alpha h / 2, where the line over the
/// last cell, of which the part before that time counts, is as accurate as a parabola. Every other
/// cell takes the parabola through its ends and the sample after it.
///
/// With sigma = 1 - alpha / 2, for n >= 1:
///
/// ```text
/// D^alpha f(t_{n-1+sigma}) = s [ sum_{j<n} c_j (f_{n-j} - f_{n-1-j}) - e_n (f_1 - f_0) ]
/// b_0 = sigma^(1-alpha),   b_j = (j+sigma)^(1-alpha) - (j-1+sigma)^(1-alpha)
/// e_0 = 0,   e_j = int_{j-1+sigma}^{j+sigma} x^(1-alpha) dx - [(j+sigma)^(1-alpha) + (j-1+sigma)^(1-alpha)] / 2
/// c_j = b_j + e_{j+1} - e_j,   s = h^-alpha / Gamma(2-alpha)
/// ```
///
/// The subtracted e_n belongs to a cell before the first one.
pub(super) fn l2_1_sigma<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let (b, sigma) = (-alpha + 1.0, alpha * -0.5 + 1.0);
    let cells = Cells::new(b, sigma);
    let mut slope = sigma.powf(b);
    weights(
        alpha,
        grid,
        cells.all().map(|(next, bend)| (std::mem::replace(&mut slope, next), bend)),
    )
}

/// c_j from the slope b_j and the bend of each lag, with the correction for the bend of the first
/// cell.
fn weights<N: Number>(alpha: N, grid: Grid, lags: impl Iterator<Item = (N, N)>) -> Toeplitz<N> {
    let scale = l1::scale(alpha, grid.dt());
    let mut causal = Vec::with_capacity(grid.n());
    let mut column = vec![N::constant(0.0)];
    let mut before = N::constant(0.0);
    for (slope, bend) in lags.take(grid.n()) {
        causal.push((slope + bend - before) * scale);
        column.push(bend * -1.0 * scale);
        before = bend;
    }
    column.truncate(grid.n());
    Toeplitz::of_differences(1, causal).with_start(column, vec![-1.0, 1.0])
}
