//! Riemann–Liouville operators in a variable x = phi(t) instead of t, such as Hadamard's and
//! Katugampola's.

use crate::definitions::entry::{Definition, Range};
use crate::error::demand;
use crate::schemes::cells::Cells;
use crate::schemes::l1;
use crate::{
    Caputo, Discretisation, MeshMemory, Number, OperatorError, Result, RiemannLiouville,
    RlIntegral, Weights,
};
use hpfracc_types::{Grid, Mesh, Order};

/// The three operators in x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Kind {
    /// The integral, by the product trapezoidal rule in x.
    Integral,
    /// The derivative of the integral, by the L1 scheme in x.
    RiemannLiouville,
    /// The integral of the derivative, by the L1 scheme in x.
    Caputo,
}

impl Kind {
    /// Names of the operator, by the definitions of the three, and of the scheme.
    pub(crate) fn name(self, of: [&Definition; 3]) -> (&'static str, &'static str) {
        (of[self as usize].name, if self == Self::Integral { "trapezoid" } else { "l1" })
    }

    /// Refuses an order outside the range.
    pub(crate) fn check(self, name: (&'static str, &'static str), order: Order) -> Result<()> {
        let range = if self == Self::Integral { Range::TO_TWO } else { Range::UNIT };
        range.check(name, order)
    }

    /// The operator of order alpha on points with these distances in x.
    pub(crate) fn weights<N: Number>(
        self,
        alpha: N,
        steps: Vec<f64>,
        memory: MeshMemory,
    ) -> Result<Weights<N>> {
        check_steps(&steps)?;
        match self {
            Self::Integral => Cells::through_samples(steps).integral(alpha, memory),
            Self::Caputo => l1::on_cells(alpha, steps, memory),
            Self::RiemannLiouville => l1::riemann_liouville_on_cells(alpha, steps, memory),
        }
    }

    /// The operator of order alpha on points that are equally far apart in x.
    pub(crate) fn on_grid<N: Number>(self, alpha: N, grid: Grid) -> Result<Weights<N>> {
        let order = Order::new(alpha.value())?;
        match self {
            Self::Integral => RlIntegral::trapezoid(order)?.weights_at(alpha, grid),
            Self::RiemannLiouville => RiemannLiouville::l1(order)?.weights_at(alpha, grid),
            Self::Caputo => Caputo::l1(order)?.weights_at(alpha, grid),
        }
    }
}

/// Times of samples as (time, distance to the next): of a grid, whose distances are exact, or of a
/// mesh.
pub(crate) fn of_grid(grid: Grid, start: f64) -> impl Iterator<Item = (f64, f64)> {
    grid.points().take(grid.n() - 1).map(move |t| (start + t, grid.dt()))
}

/// As [`of_grid`] for a mesh.
pub(crate) fn of_mesh(mesh: &Mesh) -> impl Iterator<Item = (f64, f64)> {
    mesh.points().windows(2).map(|pair| (pair[0], pair[1] - pair[0]))
}

/// The distance between times t and t + d in x = t^rho/rho, for t >= 0; as rho falls to 0 it is
/// that in log t.
pub(crate) fn power_step(rho: f64, (t, d): (f64, f64)) -> f64 {
    if t == 0.0 {
        return d.powf(rho) / rho;
    }
    t.powf(rho) * (rho * (d / t).ln_1p()).exp_m1() / rho
}

/// Refuses distances of samples in the variable of the definition that have lost digits or
/// overflowed, as with powers of large times or steps far below the time.
pub(crate) fn check_steps(steps: &[f64]) -> Result<()> {
    match steps.iter().find(|step| !(step.is_normal() && **step > 0.0)) {
        None => Ok(()),
        Some(&value) => Err(OperatorError::Parameter {
            what: "a step in the variable of the definition, log t or a power of t,",
            value,
            expected: "positive and inside the range of f64: check the start and the exponent",
        }),
    }
}

/// Refuses a time outside the domain of the definition.
pub(crate) fn check_start(
    start: f64,
    inside: bool,
    what: &'static str,
    expected: &'static str,
) -> Result<()> {
    demand((what, start, start.is_finite() && inside, expected))
}
