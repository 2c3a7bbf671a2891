//! The class `BoxCore`: the points of a box.

use super::numbers::Fields;
use crate::errors::{self, OrRaise};
use hpfracc::equation::nearest;
use hpfracc::spatial::{Axis, Boundary, BoxGrid, Discretisation};
use numpy::{PyArray1, PyArrayDyn};
use pyo3::prelude::*;

/// Points of a box of one to three axes.
#[pyclass(name = "BoxCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyBox {
    grid: BoxGrid,
}

/// Name and coefficient of the condition on each end.
type Ends = ((String, f64), (String, f64));

impl PyBox {
    pub(crate) fn grid(&self) -> &BoxGrid {
        &self.grid
    }
}

fn boundary(axis: usize, (name, coefficient): &(String, f64)) -> PyResult<Boundary> {
    match name.as_str() {
        "dirichlet" => Ok(Boundary::Dirichlet),
        "neumann" => Ok(Boundary::Neumann),
        "robin" => Ok(Boundary::Robin(*coefficient)),
        "periodic" => Ok(Boundary::Periodic),
        _ => {
            let known = ["periodic", "dirichlet", "neumann", "robin"];
            let hint = nearest(name, known.into_iter())
                .map_or(String::new(), |near| format!("; did you mean {near:?}?"));
            Err(errors::input(format!(
                "boundary of axis {axis} is {name:?}, expected \"periodic\", \"dirichlet\", \"neumann\" or robin(beta){hint}"
            )))
        }
    }
}

fn discretisation(points: &str) -> PyResult<Discretisation> {
    match points {
        "cells" => Ok(Discretisation::Second),
        "fourth" => Ok(Discretisation::Fourth),
        "legendre" => Ok(Discretisation::Legendre),
        _ => Err(errors::input(format!(
            "points is {points:?}, expected \"cells\", \"fourth\" or \"legendre\""
        ))),
    }
}

#[pymethods]
impl PyBox {
    #[new]
    fn new(axes: Vec<(f64, f64, usize)>, boundaries: Vec<Ends>, points: &str) -> PyResult<Self> {
        let points = discretisation(points)?;
        let mut all = Vec::with_capacity(axes.len());
        for (k, ((from, to, n), (lower, upper))) in axes.into_iter().zip(&boundaries).enumerate() {
            let ends = [boundary(k, lower)?, boundary(k, upper)?];
            let axis = Axis::new(from, to, n, ends).and_then(|axis| axis.with(points));
            all.push(axis.map_err(|error| of_axis(k, error))?);
        }
        Ok(Self { grid: BoxGrid::new(all).or_raise()? })
    }

    fn shape(&self) -> Vec<usize> {
        self.grid.shape()
    }

    /// Coordinates along each axis.
    fn points<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<f64>>> {
        self.grid.axes().iter().map(|axis| PyArray1::from_slice(py, axis.points())).collect()
    }

    /// Weights of the quadrature along each axis.
    fn weights<'py>(&self, py: Python<'py>) -> Vec<Bound<'py, PyArray1<f64>>> {
        self.grid.axes().iter().map(|axis| PyArray1::from_slice(py, axis.weights())).collect()
    }

    /// Integral of each field of a batch.
    fn integral<'py>(
        &self,
        py: Python<'py>,
        u: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArrayDyn<f64>>> {
        let fields = Fields::of("u", u, &self.grid.shape())?;
        let integrals = fields.values.chunks_exact(self.grid.len()).map(|u| self.grid.integral(u));
        let integrals: Vec<f64> = integrals.collect::<Result<_, _>>().or_raise()?;
        fields.numbers(py, integrals)
    }
}

/// The error of an axis, with its number.
fn of_axis(axis: usize, error: hpfracc::spatial::SpatialError) -> PyErr {
    use hpfracc::spatial::SpatialError::Axis;
    match error {
        Axis { what, found, expected, .. } => {
            errors::raise(Axis { axis, what, found, expected }.into())
        }
        error => errors::of_spatial(&error).error(format!("axis {axis}: {error}")),
    }
}
