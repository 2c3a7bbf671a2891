//! The L1 scheme, 0 < alpha < 1: the samples' slopes against the exact integral of the kernel.
//!
//! ```text
//! D^alpha f(t_n) = s sum_{j<n} b_j (f_{n-j} - f_{n-1-j})
//! b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
//! ```
//!
//! On steps of any length the slopes stand against the integrals over their own cells; see
//! [`Cells`](crate::schemes::cells::Cells).

use crate::memory::recurrence::{Asked, PowerNodes, Recurrence, of_slopes};
use crate::schemes::cells::{Cells, In, with_start};
use crate::schemes::dual::Dual;
use crate::weights::filled;
use crate::{MeshMemory, OperatorError, Weights};
use hpfracc_special::{
    digamma, forward_differences_of_powers, forward_differences_of_powers_derivative, recip_gamma,
};
use hpfracc_types::{Grid, Order};

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

/// The scheme on steps of any length.
pub(crate) fn on_cells(
    order: Order,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights, OperatorError> {
    Cells::slopes(steps).integral(1.0 - order.value(), In::Value, memory)
}

/// Its derivative in alpha.
pub(crate) fn on_cells_derivative(
    order: Order,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights, OperatorError> {
    let in_mu = Cells::slopes(steps).integral(1.0 - order.value(), In::OrderDerivative, memory)?;
    Ok(in_mu.scaled(-1.0))
}

/// [`on_cells`] for the Riemann–Liouville derivative: with `f(0) x^-alpha/Gamma(1-alpha)`, whose value at
/// the start is that of a record that rises from zero within the first step.
pub(crate) fn riemann_liouville_on_cells(
    order: Order,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights, OperatorError> {
    let alpha = order.value();
    let first = steps[0].powf(-alpha) * recip_gamma(2.0 - alpha);
    let factor = recip_gamma(1.0 - alpha);
    let column = column_of_distances(&steps, first, |x| factor * x.powf(-alpha));
    Ok(with_start(on_cells(order, steps, memory)?, column, vec![1.0]))
}

/// The derivative in alpha of [`riemann_liouville_on_cells`].
pub(crate) fn riemann_liouville_on_cells_derivative(
    order: Order,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights, OperatorError> {
    let alpha = order.value();
    let ln_h = steps[0].ln();
    let first = steps[0].powf(-alpha) * recip_gamma(2.0 - alpha) * (digamma(2.0 - alpha) - ln_h);
    let (factor, psi) = (recip_gamma(1.0 - alpha), digamma(1.0 - alpha));
    let column = column_of_distances(&steps, first, |x| factor * x.powf(-alpha) * (psi - x.ln()));
    Ok(with_start(on_cells_derivative(order, steps, memory)?, column, vec![1.0]))
}

/// `first`, and then a function of the distances from the start.
fn column_of_distances(steps: &[f64], first: f64, of: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut x = 0.0;
    let behind = steps.iter().map(|h| {
        x += h;
        of(x)
    });
    std::iter::once(first).chain(behind).collect()
}
