//! Operators on boxes and intervals.

use super::grid::PyBox;
use super::operator::PyOperator;
use super::tree::Leaf;
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::spatial::{
    AdvectionDiffusion, AdvectionScheme, Diffusion, IntegralLaplacian, IntegralLaplacian1d,
    Laplacian, SkewedLaplacian1d, SpatialOperator,
};
use pyo3::prelude::*;
use std::sync::Arc;

/// Minus the Laplacian of a box with a coefficient for each axis.
#[pyfunction]
pub(super) fn laplacian_operator(
    py: Python<'_>,
    grid: &PyBox,
    kappa: Vec<f64>,
) -> PyResult<PyOperator> {
    let grid = grid.grid().clone();
    let shape = grid.shape();
    let laplacian = py.detach(|| Laplacian::new(grid, &kappa)).or_raise()?;
    Ok(PyOperator::leaf(Leaf::Laplacian(Arc::new(laplacian)), shape))
}

/// Coefficient in cells: one array. On the faces across each axis: a list of arrays.
fn diffusion(
    grid: &PyBox,
    cells: Option<&Bound<'_, PyAny>>,
    faces: Vec<Bound<'_, PyAny>>,
    reaction: Option<&Bound<'_, PyAny>>,
) -> PyResult<Diffusion> {
    let grid = grid.grid().clone();
    let diffusion = match cells {
        Some(kappa) => Diffusion::from_cells(grid, &arrays::vector("kappa", kappa)?),
        None => {
            let faces = faces.iter().map(|kappa| arrays::vector("kappa", kappa));
            Diffusion::from_faces(grid, faces.collect::<PyResult<_>>()?)
        }
    };
    let diffusion = diffusion.or_raise()?;
    match reaction {
        Some(reaction) => diffusion.with_reaction(arrays::vector("reaction", reaction)?).or_raise(),
        None => Ok(diffusion),
    }
}

/// Diffusion with variable coefficients, and a reaction.
#[pyfunction]
pub(super) fn diffusion_operator(
    grid: &PyBox,
    cells: Option<&Bound<'_, PyAny>>,
    faces: Vec<Bound<'_, PyAny>>,
    reaction: Option<&Bound<'_, PyAny>>,
) -> PyResult<PyOperator> {
    let operator = diffusion(grid, cells, faces, reaction)?;
    Ok(PyOperator::leaf(Leaf::Diffusion(Arc::new(operator)), grid.grid().shape()))
}

/// Diffusion with advection on one axis.
#[pyfunction]
pub(super) fn advection_operator(
    grid: &PyBox,
    cells: Option<&Bound<'_, PyAny>>,
    faces: Vec<Bound<'_, PyAny>>,
    reaction: Option<&Bound<'_, PyAny>>,
    velocity: &Bound<'_, PyAny>,
    scheme: &str,
) -> PyResult<PyOperator> {
    let scheme = match scheme {
        "central" => AdvectionScheme::Central,
        "upwind" => AdvectionScheme::Upwind,
        _ => {
            let message = format!("scheme is {scheme:?}, expected \"central\" or \"upwind\"");
            return Err(errors::input(message));
        }
    };
    let diffusion = diffusion(grid, cells, faces, reaction)?;
    let velocity = arrays::vector("velocity", velocity)?;
    let operator = AdvectionDiffusion::new(&diffusion, &velocity, scheme).or_raise()?;
    Ok(PyOperator::leaf(Leaf::AdvectionDiffusion(Arc::new(operator)), grid.grid().shape()))
}

/// Integral fractional Laplacian with zero values outside: of an interval, or of a domain in a box.
#[pyfunction]
pub(super) fn integral_operator(
    py: Python<'_>,
    alpha: f64,
    axes: Vec<(f64, f64, usize)>,
    inside: Option<&Bound<'_, PyAny>>,
    boundary_correction: bool,
    ball: Option<(Vec<f64>, f64)>,
) -> PyResult<PyOperator> {
    let inside = inside.map(|inside| mask(inside)).transpose()?;
    if let ([(from, to, n)], None, None) = (&axes[..], &inside, &ball) {
        let operator = py.detach(|| {
            let operator = IntegralLaplacian1d::new(alpha, (*from, *to), *n)?;
            Ok(if boundary_correction { operator.with_boundary_correction() } else { operator })
        });
        let operator: Result<_, hpfracc::spatial::SpatialError> = operator;
        return Ok(PyOperator::leaf(Leaf::Interval(Arc::new(operator.or_raise()?)), vec![*n]));
    }
    if boundary_correction {
        return Err(errors::input(
            "boundary_correction is for whole intervals; balls in boxes have ball=(centre, radius)",
        ));
    }
    let shape: Vec<usize> = axes.iter().map(|(_, _, n)| *n).collect();
    let operator = py.detach(|| {
        let operator = match &inside {
            Some(inside) => IntegralLaplacian::masked(alpha, &axes, inside)?,
            None => IntegralLaplacian::on(alpha, &axes)?,
        };
        match &ball {
            Some((centre, radius)) => operator.with_ball_correction(centre, *radius),
            None => Ok(operator),
        }
    });
    let operator = operator.or_raise()?;
    let shape = if inside.is_some() { vec![operator.len()] } else { shape };
    Ok(PyOperator::leaf(Leaf::Domain(Arc::new(operator)), shape))
}

/// Which nodes of a box are in a domain, from numbers that are 0 elsewhere.
///
/// # Errors
/// `InputError` for anything but numbers.
pub(super) fn mask(inside: &Bound<'_, PyAny>) -> PyResult<Vec<bool>> {
    Ok(arrays::vector("domain", inside)?.into_iter().map(|inside| inside != 0.0).collect())
}

/// Skewed fractional Laplacian of an interval: by weights of the two sides, else by the skewness.
#[pyfunction]
pub(super) fn skewed_operator(
    alpha: f64,
    weights: Option<[f64; 2]>,
    theta: f64,
    axis: (f64, f64, usize),
) -> PyResult<PyOperator> {
    let (from, to, n) = axis;
    let operator = match weights {
        Some(weights) => SkewedLaplacian1d::grunwald_letnikov(alpha, weights, (from, to), n),
        None => SkewedLaplacian1d::riesz_feller(alpha, theta, (from, to), n),
    };
    Ok(PyOperator::leaf(Leaf::Skewed(Arc::new(operator.or_raise()?)), vec![n]))
}
