//! The L1 scheme, 0 < alpha < 1: the slopes of the piecewise linear interpolant, integrated exactly
//! against the weakly singular kernel.
//!
//! ```text
//! D^alpha f(t_n) = s sum_{j<n} b_j (f_{n-j} - f_{n-1-j})
//! b_j = (j+1)^(1-alpha) - j^(1-alpha),   s = h^-alpha / Gamma(2-alpha)
//! ```
//!
//! On a mesh each slope is integrated over its own cell; see [`Cells`].

use crate::memory::recurrence::{PowerNodes, Recurrence, Request, of_slopes};
use crate::schemes::cells::{Cells, with_start};
use crate::schemes::sequences::{
    forward_differences_of_powers, powers, write_forward_differences_of_powers,
};
use crate::{MeshMemory, Number, Result, Weights};
use hpfracc_types::Grid;

/// `s b_j` by lag: the convolution of first differences.
pub(crate) fn weights<N: Number>(alpha: N, grid: Grid) -> Vec<N> {
    let s = scale(alpha, grid.dt());
    forward_differences_of_powers(-alpha + 1.0, grid.n(), |b| b * s)
}

/// Adds `factor` times the weights to `sum`.
pub(crate) fn add_weights<N: Number>(alpha: N, grid: Grid, factor: f64, sum: &mut [N]) {
    let (b, s) = (-alpha + 1.0, scale(alpha, grid.dt()));
    write_forward_differences_of_powers(b, sum, |sum, value, derivative| {
        *sum = *sum + b.function(value, derivative) * s * factor;
    });
}

/// `s = h^-alpha / Gamma(2-alpha)`.
pub(crate) fn scale<N: Number>(alpha: N, dt: f64) -> N {
    N::constant(dt).powf(-alpha) * (-alpha + 2.0).recip_gamma()
}

/// The Riemann–Liouville derivative of the constant 1, `t^-alpha/Gamma(1-alpha)`. Entry 0 is the
/// value for a function that rises from zero to 1 within one step: `h^-alpha/Gamma(2-alpha)`.
pub(crate) fn of_constant<N: Number>(alpha: N, grid: Grid) -> Vec<N> {
    let factor = N::constant(grid.dt()).powf(-alpha) * (-alpha + 1.0).recip_gamma();
    let mut column = powers(-alpha, grid.n(), |power| power * factor);
    column[0] = scale(alpha, grid.dt());
    column
}

/// The recurrence of the scheme, whose weights from lag 1 on are
/// `h^-alpha/Gamma(1-alpha) int_j^(j+1) s^-alpha ds`.
pub(crate) fn recurrence<N: Number>(
    alpha: N,
    request: Request,
) -> Result<(Recurrence<N>, PowerNodes<N>)> {
    let nodes = PowerNodes::new(alpha, request)?;
    let factor = N::constant(request.dt).powf(-alpha) * (-alpha + 1.0).recip_gamma();
    let far = nodes.one_step_on(&nodes.sum, factor, &nodes.sum.cells(1.0));
    Ok((of_slopes(request, nodes.relative_error, scale(alpha, request.dt), far), nodes))
}

/// The scheme on steps of any length.
pub(crate) fn on_cells<N: Number>(
    alpha: N,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights<N>> {
    Cells::slopes(steps).integral(-alpha + 1.0, memory)
}

/// [`on_cells`] for the Riemann–Liouville derivative, with the term `f(0) x^-alpha/Gamma(1-alpha)`.
/// Its value at x = 0 is that for a function that rises from zero to f(0) within the first step.
pub(crate) fn riemann_liouville_on_cells<N: Number>(
    alpha: N,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights<N>> {
    let factor = (-alpha + 1.0).recip_gamma();
    let mut x = 0.0;
    let later = steps.iter().map(|h| {
        x += h;
        factor * N::constant(x).powf(-alpha)
    });
    let column = std::iter::once(scale(alpha, steps[0])).chain(later).collect();
    Ok(with_start(on_cells(alpha, steps, memory)?, column, vec![1.0]))
}
