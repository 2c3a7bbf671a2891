//! The L1 scheme, 0 < alpha < 1: the samples' slopes against the exact integral of the kernel.
//!
//! ```text
//! D^alpha f(t_n) = s sum_{j<n} b_j (f_{n-j} - f_{n-1-j})
//! b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
//! ```

use crate::OperatorError;
use crate::recurrence::{Asked, PowerNodes, Recurrence, of_slopes};
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

/// The scheme's weights from lag 1 on are `h^-alpha/Gamma(1-alpha) int_j^(j+1) s^-alpha ds`.
pub(crate) fn recurrence(
    alpha: f64,
    asked: Asked,
) -> Result<(Recurrence, PowerNodes), OperatorError> {
    let nodes = PowerNodes::new(alpha, asked)?;
    let first = scale_of_step(alpha, asked.dt);
    let factor = asked.dt.powf(-alpha) * recip_gamma(1.0 - alpha);
    let far = nodes.one_step_on(factor, &nodes.sum.cells(1.0));
    Ok((of_slopes(asked, nodes.relative_error, first, far), nodes))
}

/// d/d alpha of [`recurrence`].
pub(crate) fn recurrence_derivative(
    alpha: f64,
    asked: Asked,
) -> Result<(Recurrence, PowerNodes), OperatorError> {
    let nodes = PowerNodes::new(alpha, asked)?;
    let ln_h = asked.dt.ln();
    let first = scale_of_step(alpha, asked.dt) * (digamma(2.0 - alpha) - ln_h);
    let factor = asked.dt.powf(-alpha) * recip_gamma(1.0 - alpha);
    let slope = digamma(1.0 - alpha) - ln_h;
    let far = nodes.one_step_on_slope(factor, slope, &nodes.sum.cells(1.0))?;
    Ok((of_slopes(asked, nodes.relative_error, first, far), nodes))
}

pub(crate) fn scale(alpha: f64, grid: Grid) -> f64 {
    scale_of_step(alpha, grid.dt())
}

fn scale_of_step(alpha: f64, dt: f64) -> f64 {
    dt.powf(-alpha) * recip_gamma(2.0 - alpha)
}
