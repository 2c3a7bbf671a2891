//! Data sets with their models, which results own together.

use super::failure::of_fit;
use super::model::{FitModel, SetModel};
use super::rows::FitRows;
use crate::{arrays, errors};
use hpfracc::fit::{Column, Set};
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

/// Column of a set, which it owns.
pub(super) enum DataColumn {
    Numbers(Vec<f64>),
    /// Column of rows that are read in blocks.
    Of(Py<FitRows>, usize),
}

impl DataColumn {
    /// Column of an argument: an array, or rows with the index of the column.
    fn of(what: &str, argument: &Bound<'_, PyAny>) -> PyResult<Self> {
        match argument.extract::<(Py<FitRows>, usize)>() {
            Ok((rows, column)) => Ok(Self::Of(rows, column)),
            Err(_) => arrays::vector(what, argument).map(Self::Numbers),
        }
    }

    fn column(&self) -> Column<'_> {
        match self {
            Self::Numbers(values) => values.into(),
            Self::Of(rows, column) => Column::of(rows.get().source(), *column),
        }
    }

    fn rows(&self) -> usize {
        self.column().rows()
    }

    fn numbers(&self) -> PyResult<Vec<f64>> {
        match self {
            Self::Numbers(values) => Ok(values.clone()),
            Self::Of(rows, column) => rows.get().column(*column),
        }
    }
}

/// Set of data that owns its columns and its model.
pub(super) struct DataSet {
    pub(super) name: String,
    pub(super) source: Py<FitModel>,
    pub(super) model: SetModel,
    inputs: Vec<DataColumn>,
    responses: Vec<DataColumn>,
    /// Of each response, or none.
    weights: Vec<DataColumn>,
    weights_are_sigma: bool,
    skips: bool,
}

impl DataSet {
    pub(super) fn new(py: Python<'_>, arguments: SetArguments<'_>) -> PyResult<Self> {
        let (name, source, x, inputs, responses, weights, weights_are_sigma, skips) = arguments;
        let columns = |what: &str, all: Vec<Bound<'_, PyAny>>| -> PyResult<Vec<DataColumn>> {
            all.iter().map(|column| DataColumn::of(what, column)).collect()
        };
        let responses = columns("y", responses)?;
        let inputs = if source.get().is_function() {
            let rows = responses.first().map_or(0, DataColumn::rows);
            indices(rows).into_iter().map(DataColumn::Numbers).collect()
        } else {
            columns("x", inputs)?
        };
        let weights = columns(if weights_are_sigma { "sigma" } else { "weight" }, weights)?;
        let model = if source.get().reads_inputs() {
            let inputs: PyResult<Vec<_>> = inputs.iter().map(DataColumn::numbers).collect();
            source.get().of_set(&inputs?, &x)
        } else {
            source.get().of_set(&[], &x)
        };
        let model = model.map_err(|error| in_set(py, &name, error))?;
        Ok(Self { name, source, model, inputs, responses, weights, weights_are_sigma, skips })
    }

    /// The set, with the model and inputs that it is fitted to or with others.
    pub(super) fn set<'a>(&'a self, other: Option<&'a (SetModel, Vec<Vec<f64>>)>) -> Set<'a> {
        let mut set = Set::new(&self.name, other.map_or(&self.model, |(model, _)| model).model());
        set = match other {
            Some((_, inputs)) => inputs.iter().fold(set, |set, column| set.input(column)),
            None => self.inputs.iter().fold(set, |set, column| set.input(column.column())),
        };
        for (k, column) in self.responses.iter().enumerate() {
            set = set.response(column.column());
            if let Some(weights) = self.weights.get(k) {
                let weights = weights.column();
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
