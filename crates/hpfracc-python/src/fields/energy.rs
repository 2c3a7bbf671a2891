//! Energies of phase fields.

use super::grid::PyBox;
use super::numbers::Fields;
use crate::errors::OrRaise;
use hpfracc::pde::models::AllenCahn;
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// Energy `int epsilon^2 |grad u|^2 / 2 + (1 - u^2)^2 / 4` of each field of a batch.
#[pyfunction]
pub(super) fn field_energy<'py>(
    py: Python<'py>,
    grid: &PyBox,
    epsilon: f64,
    u: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let grid = grid.grid();
    let fields = Fields::of("u", u, &grid.shape())?;
    // The energy does not depend on the order in time.
    let model = AllenCahn { alpha: 1.0, epsilon };
    let energies: Result<Vec<f64>, _> = py
        .detach(|| fields.values.chunks_exact(grid.len()).map(|u| model.energy(grid, u)).collect());
    fields.numbers(py, energies.or_raise()?)
}
