//! The L2-1sigma scheme, 0 < alpha < 1: the value at t_n - alpha h / 2, where the line over the
//! last cell, of which the part before that time counts, is as accurate as a parabola. Every other
//! cell takes the parabola through its ends and the sample after it.
//!
//! With sigma = 1 - alpha / 2, for n >= 1:
//!
//! ```text
//! D^alpha f(t_{n-1+sigma}) = s [ sum_{j<n} c_j (f_{n-j} - f_{n-1-j}) - e_n (f_1 - f_0) ]
//! b_0 = sigma^(1-alpha),   b_j = (j+sigma)^(1-alpha) - (j-1+sigma)^(1-alpha)
//! e_0 = 0,   e_j = int_{j-1+sigma}^{j+sigma} x^(1-alpha) dx - [(j+sigma)^(1-alpha) + (j-1+sigma)^(1-alpha)] / 2
//! c_j = b_j + e_{j+1} - e_j,   s = h^-alpha / Gamma(2-alpha)
//! ```
//!
//! The subtracted e_n belongs to a cell before the first one.

use super::cells::Cells;
use crate::schemes::l1;
use crate::{Number, Toeplitz};
use hpfracc_types::Grid;

pub(super) fn weights<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let (b, sigma) = (-alpha + 1.0, alpha * -0.5 + 1.0);
    let cells = Cells::new(b, sigma);
    let mut causal = Vec::with_capacity(grid.n());
    let mut column = vec![N::constant(0.0)];
    let (mut slope, mut before) = (sigma.powf(b), N::constant(0.0));
    for (next_slope, bend) in cells.all().take(grid.n()) {
        causal.push(slope + bend - before);
        column.push(bend * -1.0);
        (slope, before) = (next_slope, bend);
    }
    column.truncate(grid.n());
    let scale = l1::scale(alpha, grid.dt());
    let scaled = |v: Vec<N>| v.into_iter().map(|w| w * scale).collect::<Vec<N>>();
    Toeplitz::of_differences(1, scaled(causal)).with_start(scaled(column), vec![-1.0, 1.0])
}
