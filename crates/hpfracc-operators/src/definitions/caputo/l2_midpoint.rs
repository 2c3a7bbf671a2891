//! The scheme of order 3 - alpha for 1 < alpha < 2: second differences against the exact integral
//! of the kernel over cells centred at the nodes.
//!
//! With d_j = f_{j+1} - 2 f_j + f_{j-1}, b = 2 - alpha and s = h^-alpha / Gamma(3-alpha), take
//! f'' = d_j / h^2 on the cell (t_j - h/2, t_j + h/2), and extend the first and the last cell to
//! the ends of (0, t_n):
//!
//! ```text
//! D^alpha f(t_n) = s [ sum_{j=1..n-1} g_{n-1-j} d_j + (n^b - (n-1/2)^b) d_1 ]     n >= 2
//! g_0 = (3/2)^b,   g_k = (k+3/2)^b - (k+1/2)^b
//! ```
//!
//! The slopes are at half steps as in Sun and Wu, Appl. Numer. Math. 56 (2006) 193, DOI
//! 10.1016/j.apnum.2005.03.003. They evaluate there too, which gives the mean of two nodes and
//! needs f'(0); here the value is wanted at the node, so the last half cell takes the nearest
//! second difference (an error of h^(2-alpha) h f''') and the first one d_1, which needs no f'(0).
//! Exact for polynomials of degree 2. The value at t_1 uses the next sample: f'' has no other
//! estimate there.
//!
//! (k+1/2)^b - (k-1/2)^b = 2^-b [(2k+1)^b - (2k-1)^b] is a sum of two forward differences of
//! powers at twice the resolution, all positive: nothing cancels.

use crate::schemes::sequences::forward_differences_of_powers;
use crate::{Number, Toeplitz};
use hpfracc_types::Grid;

/// Stencil of d_1.
const STENCIL: [f64; 3] = [1.0, -2.0, 1.0];

/// The scheme looks at f_0, f_1 and f_2 from the start.
pub(super) const MIN_POINTS: usize = 3;

pub(super) fn weights<N: Number>(alpha: N, grid: Grid) -> Toeplitz<N> {
    let (n, b) = (grid.n(), -alpha + 2.0);
    let scale = N::constant(grid.dt()).powf(-alpha) * (-alpha + 3.0).recip_gamma();
    let halved = N::constant(0.5).powf(b);
    let fine = forward_differences_of_powers(b, 2 * n + 2, |d| halved * d);
    // D_k = ((k+1)/2)^b - (k/2)^b.
    let lag = |k: usize| match k {
        0 => halved * N::constant(3.0).powf(b),
        _ => fine[2 * k + 1] + fine[2 * k + 2],
    };
    let entry = |m: usize| match m {
        0 => N::constant(0.0),
        // (0, t_1) is one cell with f'' = d_1 / h^2: 1^b.
        1 => N::constant(1.0),
        _ => fine[2 * m - 1],
    };
    let lags = (0..n).map(|k| scale * lag(k)).collect();
    let column = (0..n).map(|m| scale * entry(m)).collect();
    Toeplitz::of_differences(2, lags).with_start(column, STENCIL.to_vec())
}
