//! Riemann–Liouville operators in a variable x = phi(t) instead of t, such as Hadamard's and
//! Katugampola's.

use crate::definitions::kind::Kind;
use crate::error::demand;
use crate::schemes::cells::Cells;
use crate::schemes::l1;
use crate::{MeshMemory, Number, Result, Weights};
use hpfracc_types::{Grid, Mesh};

/// The operator of order alpha on points with these distances in x.
pub(crate) fn weights<N: Number>(
    kind: Kind,
    alpha: N,
    steps: Vec<f64>,
    memory: MeshMemory,
) -> Result<Weights<N>> {
    check_steps(&steps)?;
    match kind {
        Kind::Integral => Cells::through_samples(steps).integral(alpha, memory),
        Kind::Caputo => l1::on_cells(alpha, steps, memory),
        Kind::RiemannLiouville => l1::riemann_liouville_on_cells(alpha, steps, memory),
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
    let what = "a step in the variable of the definition, log t or a power of t,";
    let expected = "positive and inside the range of f64: check the start and the exponent";
    steps.iter().try_for_each(|&h| demand((what, h, h.is_normal() && h > 0.0, expected)))
}
