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
//! The e_{n-1} that is taken back is the bend of a parabola on the first cell, which there is none
//! of.

use super::cells::Cells;
use super::l1::dual_scale;
use crate::schemes::dual::{Dual, DualToeplitz};
use hpfracc_types::Grid;
use std::iter::once;

pub(crate) fn weights(alpha: f64, grid: Grid) -> DualToeplitz {
    let b = Dual::constant(1.0) - Dual::order(alpha);
    // int_0^1 x^b dx - 1/2
    let first = (b * -1.0 + 1.0) * (b + 1.0).recip() * 0.5;
    let cells = Cells::new(b, Dual::constant(1.0));
    let mut causal = Vec::with_capacity(grid.n());
    let mut column = vec![Dual::ZERO];
    let mut before = Dual::ZERO;
    for (slope, bend) in once((Dual::constant(1.0), first)).chain(cells.all()).take(grid.n()) {
        causal.push(slope + bend - before);
        column.push(bend * -1.0);
        before = bend;
    }
    column.truncate(grid.n());
    DualToeplitz { differences: 1, causal, starts: vec![(column, vec![-1.0, 1.0])] }
        .scaled(dual_scale(alpha, grid))
}
