//! Functions of arrays: the operators that were bound last are kept.

use super::bound::{mesh, points_of};
use super::choice::{Choice, Points, parameters};
use super::pair::Pair;
use super::sweep::{Direction, sweep, vjp_order};
use crate::arrays::{self, Floats, vector};
use crate::errors::input;
use crate::machine;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFloat};
use std::sync::{Arc, Mutex, PoisonError};

/// Number of operators.
const KEPT: usize = 16;

/// Operators of the default machine, the latest first.
static LATEST: Mutex<Vec<Arc<Pair>>> = Mutex::new(Vec::new());

/// The operator of a choice, bound to the default machine.
fn latest(choice: Choice) -> PyResult<Arc<Pair>> {
    let mut all = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(k) = all.iter().position(|pair| pair.choice == choice) {
        if k > 0 {
            let pair = all.remove(k);
            all.insert(0, pair);
        }
        return Ok(Arc::clone(&all[0]));
    }
    let pair = Arc::new(Pair::new(choice, machine::default()?.clone()));
    all.truncate(KEPT - 1);
    all.insert(0, Arc::clone(&pair));
    Ok(pair)
}

/// Arguments of a function of an array: definition, order, steps or times, scheme, tolerance, parameters and machine.
#[derive(FromPyObject)]
pub(super) struct Arguments<'py>(
    String,
    Bound<'py, PyAny>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyAny>>,
    Option<Bound<'py, PyDict>>,
    Option<Bound<'py, machine::PyMachine>>,
);

impl Arguments<'_> {
    fn pair(self, shape: &[usize], axis: isize) -> PyResult<Arc<Pair>> {
        let Self(name, alpha, dt, t, scheme, tolerance, keywords, machine) = self;
        let alpha = arrays::number("alpha", &alpha)?;
        let scheme = scheme.map(|scheme| text("scheme", &scheme)).transpose()?;
        let tolerance =
            tolerance.map(|tolerance| arrays::number("tolerance", &tolerance)).transpose()?;
        let points = match (&dt, &t) {
            (_, Some(t)) => mesh(t, None, dt.is_some(), tolerance)?,
            (Some(dt), None) if !dt.is_instance_of::<PyFloat>() => {
                let steps = vector("dt", dt)?;
                match shape.len().checked_sub(steps.len()) {
                    Some(first) if steps.len() > 1 => {
                        points_of(&shape[first..], &steps, tolerance)?
                    }
                    _ => points_of(&[along(shape, axis)?], &steps, tolerance)?,
                }
            }
            (dt, None) => {
                let dt = dt.as_ref().map_or(Ok(1.0), |dt| dt.extract())?;
                Points::Grid { n: along(shape, axis)?, dt, tolerance }
            }
        };
        let parameters = parameters(keywords.as_ref())?;
        let choice = Choice { name, scheme, alpha, parameters, points };
        match machine {
            None => latest(choice),
            Some(machine) => Ok(Arc::new(Pair::new(choice, machine::of(Some(&machine))?))),
        }
    }
}

fn text(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    value.extract().map_err(|_| {
        let found = value.repr().map_or_else(|_| "?".to_owned(), |text| text.to_string());
        input(format!("{name} is {found}, expected a text"))
    })
}

/// Number of samples along an axis.
fn along(shape: &[usize], axis: isize) -> PyResult<usize> {
    if shape.is_empty() {
        return Err(input("x is a single number, expected an array of samples"));
    }
    Ok(shape[arrays::axis(axis, shape.len())?])
}

/// Derivative or integral of every signal of an array.
#[pyfunction]
pub(super) fn apply<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    axis: isize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let x = Floats::of("x", x)?;
    let pair = arguments.pair(x.shape(), axis)?;
    sweep(py, &pair, Direction::Forward, x, axis, out)
}

/// The transposed operator for every signal of an array.
#[pyfunction]
pub(super) fn vjp<'py>(
    py: Python<'py>,
    g: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    axis: isize,
    out: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyAny>> {
    let g = Floats::of("g", g)?;
    let pair = arguments.pair(g.shape(), axis)?;
    sweep(py, &pair, Direction::Backward, g, axis, out)
}

/// Gradient with respect to the order.
#[pyfunction]
pub(super) fn vjp_alpha<'py>(
    py: Python<'py>,
    x: &Bound<'py, PyAny>,
    g: &Bound<'py, PyAny>,
    arguments: Arguments<'py>,
    axis: isize,
) -> PyResult<f64> {
    let x = Floats::of("x", x)?;
    let pair = arguments.pair(x.shape(), axis)?;
    vjp_order(py, &pair, x, g, axis)
}
