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
//! The slopes stand at half steps as in Sun and Wu, Appl. Numer. Math. 56 (2006) 193, DOI
//! 10.1016/j.apnum.2005.03.003. They evaluate there too, which gives the mean of two nodes and
//! needs f'(0); here the value is wanted at the node, so the last half cell takes the nearest
//! second difference (an error of h^(2-alpha) h f''') and the first one d_1, which needs no f'(0).
//! Exact for polynomials of degree 2. The value at t_1 looks one sample ahead: f'' has no other
//! estimate there.
//!
//! (k+1/2)^b - (k-1/2)^b = 2^-b [(2k+1)^b - (2k-1)^b] is a sum of two forward differences of
//! powers at twice the resolution, all positive: nothing cancels.

use crate::weights::filled;
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, recip_gamma,
};
use hpfracc_types::Grid;
use std::f64::consts::LN_2;

/// Stencil of d_1.
pub(super) const STENCIL: [f64; 3] = [1.0, -2.0, 1.0];

/// The scheme looks at f_0, f_1 and f_2 from the start.
pub(super) const MIN_POINTS: usize = 3;

/// Weights by lag of the convolution of second differences, and the column of d_1.
pub(super) struct Parts {
    pub(super) lags: Vec<f64>,
    pub(super) column: Vec<f64>,
}

impl Parts {
    fn map(self, mut f: impl FnMut(f64) -> f64) -> Self {
        let mut each = |v: Vec<f64>| v.into_iter().map(&mut f).collect();
        Self { lags: each(self.lags), column: each(self.column) }
    }
}

pub(super) fn weights(alpha: f64, grid: Grid) -> Parts {
    let s = scale(alpha, grid);
    unit(alpha, grid.n()).map(|w| s * w)
}

pub(super) fn weights_derivative(alpha: f64, grid: Grid) -> Parts {
    let s = scale(alpha, grid);
    let ds = s * (digamma(3.0 - alpha) - grid.dt().ln());
    let w = unit(alpha, grid.n());
    // The exponent 2 - alpha falls as alpha rises.
    let dw = unit_derivative(alpha, grid.n());
    let combine =
        |w: Vec<f64>, dw: Vec<f64>| w.iter().zip(dw).map(|(w, dw)| ds * w - s * dw).collect();
    Parts { lags: combine(w.lags, dw.lags), column: combine(w.column, dw.column) }
}

fn scale(alpha: f64, grid: Grid) -> f64 {
    grid.dt().powf(-alpha) * recip_gamma(3.0 - alpha)
}

fn unit(alpha: f64, n: usize) -> Parts {
    let b = 2.0 - alpha;
    let fine = filled(2 * n + 2, |d| forward_differences_of_powers(b, d));
    let halved = 0.5f64.powf(b);
    assemble(n, |k| halved * fine[k], halved * 3.0f64.powf(b), 1.0)
}

/// d/db of [`unit`]; the factor 2^-b is differentiated with the rest.
fn unit_derivative(alpha: f64, n: usize) -> Parts {
    let b = 2.0 - alpha;
    let fine = filled(2 * n + 2, |d| forward_differences_of_powers(b, d));
    let slope = filled(2 * n + 2, |d| forward_differences_of_powers_derivative(b, d));
    let halved = 0.5f64.powf(b);
    let first = 1.5f64.powf(b) * 1.5f64.ln();
    assemble(n, |k| halved * (slope[k] - LN_2 * fine[k]), first, 0.0)
}

/// From the differences of powers of half integers, D_k = ((k+1)/2)^b - (k/2)^b.
fn assemble(n: usize, d: impl Fn(usize) -> f64, first_lag: f64, first_column: f64) -> Parts {
    let lags =
        (0..n).map(|k| if k == 0 { first_lag } else { d(2 * k + 1) + d(2 * k + 2) }).collect();
    let column = (0..n)
        .map(|m| match m {
            0 => 0.0,
            // (0, t_1) is one cell with f'' = d_1 / h^2: 1^b.
            1 => first_column,
            _ => d(2 * m - 1),
        })
        .collect();
    Parts { lags, column }
}
