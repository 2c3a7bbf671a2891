//! The fractional Poisson equation `(-lap)^s u = f`.

use super::build::mask;
use super::grid::PyBox;
use super::numbers::shaped;
use crate::arrays;
use crate::errors::OrRaise;
use crate::ode::control;
use hpfracc::pde::models::FractionalPoisson;
use hpfracc::spatial::{IntegralLaplacian, IntegralLaplacian1d, PoissonSolution, SpatialError};
use numpy::PyArrayDyn;
use pyo3::prelude::*;

/// Solution with the spectral definition, by values of f on the box.
#[pyfunction]
pub(super) fn poisson_spectral<'py>(
    py: Python<'py>,
    grid: &PyBox,
    s: f64,
    f: &Bound<'py, PyAny>,
) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
    let (grid, f) = (grid.grid().clone(), arrays::vector("f", f)?);
    let shape = grid.shape();
    let u = control::run(py, None, move |_| FractionalPoisson { s }.solve(grid, &f))?;
    shaped(py, u.or_raise()?, &shape)
}

/// Solution on the box, with NaN outside of the domain; iterations and residual of the linear solver.
type OnBox<'py> = (Bound<'py, PyArrayDyn<f64>>, usize, f64);

/// Solution with the integral definition, by values of f on the box; `inside` says which nodes are in the domain.
#[pyfunction]
pub(super) fn poisson_integral<'py>(
    py: Python<'py>,
    axes: Vec<(f64, f64, usize)>,
    s: f64,
    f: &Bound<'py, PyAny>,
    inside: Option<&Bound<'py, PyAny>>,
) -> PyResult<OnBox<'py>> {
    let shape: Vec<usize> = axes.iter().map(|(_, _, n)| *n).collect();
    let f = arrays::vector("f", f)?;
    let inside = inside.map(|inside| mask(inside)).transpose()?;
    let run = move |_: &control::Control| solve(2.0 * s, &axes, &f, inside.as_deref());
    let (u, solution) = control::run(py, None, run)?.or_raise()?;
    Ok((shaped(py, u, &shape)?, solution.iterations, solution.residual))
}

fn solve(
    alpha: f64,
    axes: &[(f64, f64, usize)],
    f: &[f64],
    inside: Option<&[bool]>,
) -> Result<(Vec<f64>, PoissonSolution), SpatialError> {
    if let ([(from, to, n)], None) = (axes, inside) {
        let laplacian = IntegralLaplacian1d::new(alpha, (*from, *to), *n)?;
        let solution = laplacian.with_boundary_correction().poisson(f)?;
        return Ok((solution.values.clone(), solution));
    }
    let laplacian = match inside {
        None => IntegralLaplacian::on(alpha, axes)?,
        Some(inside) => IntegralLaplacian::masked(alpha, axes, inside)?,
    };
    let of_domain: Vec<f64> = match inside {
        None => f.to_vec(),
        Some(inside) => {
            f.iter().zip(inside).filter(|(_, inside)| **inside).map(|(f, _)| *f).collect()
        }
    };
    let solution = laplacian.poisson(&of_domain)?;
    Ok((laplacian.on_box(&solution.values, f64::NAN), solution))
}
