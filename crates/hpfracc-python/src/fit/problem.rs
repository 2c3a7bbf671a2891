//! Data sets with their models, which results own together.

use super::failure::of_fit;
use super::specification::{FitModel, SetModel};
use crate::{arrays, errors};
use hpfracc::fit::Set;
use pyo3::prelude::*;

/// A set as the Python module passes it: name, model, `x` as given, columns of inputs, responses and weights,
/// whether weights are standard deviations, and whether rows that are not finite are left out.
pub(super) type SetArguments<'py> = (
    String,
    Py<FitModel>,
    Bound<'py, PyAny>,
    Vec<Bound<'py, PyAny>>,
    Vec<Bound<'py, PyAny>>,
    Vec<Bound<'py, PyAny>>,
    bool,
    bool,
);

/// Set of data that owns its columns and its model.
pub(super) struct DataSet {
    pub(super) name: String,
    pub(super) source: Py<FitModel>,
    pub(super) model: SetModel,
    pub(super) inputs: Vec<Vec<f64>>,
    responses: Vec<Vec<f64>>,
    /// Of each response, or none.
    weights: Vec<Vec<f64>>,
    weights_are_sigma: bool,
    skips: bool,
}

impl DataSet {
    pub(super) fn new(py: Python<'_>, arguments: SetArguments<'_>) -> PyResult<Self> {
        let (name, source, x, inputs, responses, weights, weights_are_sigma, skips) = arguments;
        let columns = |what: &str, all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<Vec<f64>>> {
            all.iter().map(|column| arrays::vector(what, column)).collect()
        };
        let responses = columns("y", responses)?;
        let inputs = if source.get().is_function() {
            indices(responses.first().map_or(0, Vec::len))
        } else {
            columns("x", inputs)?
        };
        let weights = columns(if weights_are_sigma { "sigma" } else { "weight" }, weights)?;
        let model = source.get().of_set(&inputs, &x).map_err(|error| in_set(py, &name, error))?;
        Ok(Self { name, source, model, inputs, responses, weights, weights_are_sigma, skips })
    }

    /// The set, with the model and inputs that it is fitted to or with others.
    pub(super) fn set<'a>(&'a self, other: Option<&'a (SetModel, Vec<Vec<f64>>)>) -> Set<'a> {
        let (model, inputs) = other.map_or((&self.model, &self.inputs), |(m, i)| (m, i));
        let mut set = Set::new(&self.name, model.model());
        for column in inputs {
            set = set.input(column);
        }
        for (k, column) in self.responses.iter().enumerate() {
            set = set.response(column);
            if let Some(weights) = self.weights.get(k) {
                set = if self.weights_are_sigma { set.sigma(weights) } else { set.weight(weights) };
            }
        }
        if self.skips { set.skip_not_finite() } else { set }
    }
}

/// Numbers of rows, the input of functions in Python.
pub(super) fn indices(rows: usize) -> Vec<Vec<f64>> {
    vec![(0..rows).map(|row| row as f64).collect()]
}

/// The exception with the name of the set, where the message has none.
fn in_set(py: Python<'_>, name: &str, error: PyErr) -> PyErr {
    let message = error.value(py).to_string();
    if message.contains(&format!("`{name}`"))
        || !error.is_instance_of::<pyo3::exceptions::PyValueError>(py)
    {
        return error;
    }
    errors::input(format!("the set `{name}`: {message}"))
}

/// Data of a fit.
pub(super) struct Problem {
    pub(super) sets: Vec<DataSet>,
}

impl Problem {
    pub(super) fn sets(&self) -> Vec<Set<'_>> {
        self.sets.iter().map(|set| set.set(None)).collect()
    }

    /// Whether a model is a function in Python.
    pub(super) fn has_function(&self) -> bool {
        self.sets.iter().any(|set| matches!(set.model, SetModel::Function(_)))
    }

    /// The result, or the exception of a function in Python in its place.
    pub(super) fn finish<T>(&self, result: Result<T, PyErr>) -> PyResult<T> {
        let failures = self.sets.iter().filter_map(|set| set.model.take_failure());
        failures.reduce(|first, _| first).map_or(result, Err)
    }

    /// The same for the result of a fit.
    pub(super) fn finish_fit<T>(&self, result: Result<T, hpfracc::fit::FitError>) -> PyResult<T> {
        self.finish(result.map_err(of_fit))
    }
}
