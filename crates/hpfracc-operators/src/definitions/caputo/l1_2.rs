//! The L1-2 scheme, 0 < alpha < 1: from the second cell on the parabola through the cell's ends and
//! the sample before it, on the first cell the line, against the exact integral of the kernel.
//!
//! ```text
//! D^alpha f(t_n) = s [ sum_{j<n} c_j (f_{n-j} - f_{n-1-j}) - e_{n-1} (f_1 - f_0) ]
//! b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
//! e_j = int_j^{j+1} x^(1-alpha) dx - [(j+1)^(1-alpha) + j^(1-alpha)] / 2
//! c_0 = b_0 + e_0,   c_j = b_j + e_j - e_{j-1}
//! ```
//!
//! The subtracted e_{n-1} is the bend of a parabola on the first cell, which has only a line.

use super::cells::Cells;
use crate::schemes::l1;
use crate::{Number, Toeplitz};
use hpfracc_types::Grid;
use std::iter::once;

pub(crate) fn weights<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let b = -alpha + 1.0;
    // int_0^1 x^b dx - 1/2
    let first = (b * -1.0 + 1.0) * (b + 1.0).recip() * 0.5;
    let cells = Cells::new(b, N::constant(1.0));
    let mut causal = Vec::with_capacity(grid.n());
    let mut column = vec![N::constant(0.0)];
    let mut before = N::constant(0.0);
    for (slope, bend) in once((N::constant(1.0), first)).chain(cells.all()).take(grid.n()) {
        causal.push(slope + bend - before);
        column.push(bend * -1.0);
        before = bend;
    }
    column.truncate(grid.n());
    let scale = l1::scale(alpha, grid.dt());
    let scaled = |v: Vec<N>| v.into_iter().map(|w| w * scale).collect::<Vec<N>>();
    Toeplitz::of_differences(1, scaled(causal)).with_start(scaled(column), vec![-1.0, 1.0])
}
