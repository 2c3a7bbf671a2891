//! The L1 scheme, 0 < alpha < 1: the samples' slopes against the exact integral of the kernel.
//!
//! ```text
//! D^alpha f(t_n) = s sum_{j<n} b_j (f_{n-j} - f_{n-1-j})
//! b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
//! ```

use crate::dual::Dual;
use crate::weights::filled;
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, recip_gamma,
};
use hpfracc_types::Grid;

/// `s b_j` by lag: the convolution of first differences.
pub(crate) fn weights(alpha: f64, grid: Grid) -> Vec<f64> {
    let mut b = filled(grid.n(), |b| forward_differences_of_powers(1.0 - alpha, b));
    let s = scale(alpha, grid);
    b.iter_mut().for_each(|b| *b *= s);
    b
}

/// d(s b_j)/d alpha, where ds/d alpha = s (psi(2-alpha) - ln h).
pub(crate) fn weights_derivative(alpha: f64, grid: Grid) -> Vec<f64> {
    let b = filled(grid.n(), |b| forward_differences_of_powers(1.0 - alpha, b));
    let db = filled(grid.n(), |db| forward_differences_of_powers_derivative(1.0 - alpha, db));
    let s = scale(alpha, grid);
    let ds = s * (digamma(2.0 - alpha) - grid.dt().ln());
    // The exponent 1 - alpha falls as alpha rises.
    b.iter().zip(&db).map(|(b, db)| ds * b - s * db).collect()
}

pub(crate) fn scale(alpha: f64, grid: Grid) -> f64 {
    grid.dt().powf(-alpha) * recip_gamma(2.0 - alpha)
}

/// [`scale`] with its derivative in alpha.
pub(crate) fn dual_scale(alpha: f64, grid: Grid) -> Dual {
    let alpha = Dual::order(alpha);
    Dual::constant(grid.dt()).powf(alpha * -1.0) * (alpha * -1.0 + 2.0).recip_gamma()
}

/// [`weights`] with their derivatives in alpha.
pub(crate) fn dual_weights(alpha: f64, grid: Grid) -> Vec<Dual> {
    let slopes = weights_derivative(alpha, grid);
    weights(alpha, grid).into_iter().zip(slopes).map(|(w, dw)| Dual::new(w, dw)).collect()
}
