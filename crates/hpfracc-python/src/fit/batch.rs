//! Fits of one model to many curves.

use super::failure::of_fit;
use super::model::FitModel;
use super::problem::indices;
use super::settings::loss;
use super::watch::{self, Place, Watch};
use crate::{arrays, errors};
use hpfracc::fit::{Batch, BatchColumn, BatchFound, FitError, Outcome};
use hpfracc::ndarray::{Array2, ArrayView2, Ix2, s};
use numpy::{PyArray1, PyArray2, PyReadonlyArrayDyn};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::ops::Range;
use std::sync::atomic::Ordering;

/// Curves between two looks at the cancellation.
const CHUNK: usize = 1 << 13;

/// Settings of a batch.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct BatchSettings<'py> {
    start: Vec<(String, f64)>,
    /// Starts of each curve.
    starts: Vec<(String, Bound<'py, PyAny>)>,
    bounds: Vec<(String, f64, f64)>,
    fixed: Vec<(String, f64)>,
    tied: Vec<(String, String)>,
    logarithmic: Vec<String>,
    loss: String,
    loss_scale: Option<f64>,
    max_passes: Option<usize>,
    weights_are_sigma: bool,
    skips: bool,
}

/// Column as an argument: a vector that all curves share, an array with a row for each, or a list of vectors.
enum Argument<'py> {
    Array(PyReadonlyArrayDyn<'py, f64>),
    Vectors(Vec<Vec<f64>>),
}

/// Column that borrows its numbers.
enum Numbers<'a> {
    Shared(Vec<f64>),
    Rows(ArrayView2<'a, f64>),
    Slices(Vec<&'a [f64]>),
}

impl<'py> Argument<'py> {
    fn of(name: &str, value: &Bound<'py, PyAny>) -> PyResult<Self> {
        if let Ok(list) = value.cast::<PyList>() {
            let vectors = list.iter().map(|vector| arrays::vector(name, &vector));
            return Ok(Self::Vectors(vectors.collect::<PyResult<_>>()?));
        }
        Ok(Self::Array(arrays::doubles(name, value)?))
    }

    fn numbers(&self, name: &str) -> PyResult<Numbers<'_>> {
        Ok(match self {
            Self::Vectors(all) => Numbers::Slices(all.iter().map(Vec::as_slice).collect()),
            Self::Array(array) => {
                let array = array.as_array();
                match array.ndim() {
                    1 => Numbers::Shared(array.iter().copied().collect()),
                    2 => Numbers::Rows(
                        array
                            .into_dimensionality::<Ix2>()
                            .map_err(|error| errors::input(format!("{name}: {error}")))?,
                    ),
                    count => {
                        return Err(errors::input(format!(
                            "{name} has {count} dimensions, expected 1 or 2"
                        )));
                    }
                }
            }
        })
    }
}

impl Numbers<'_> {
    /// Number of curves; None for a shared column.
    fn curves(&self) -> Option<usize> {
        match self {
            Self::Shared(_) => None,
            Self::Rows(rows) => Some(rows.nrows()),
            Self::Slices(slices) => Some(slices.len()),
        }
    }

    /// Column of some curves, or of all.
    fn column(&self, curves: Option<&Range<usize>>) -> BatchColumn<'_> {
        match (self, curves) {
            (Self::Shared(values), _) => BatchColumn::Shared(values),
            (Self::Rows(rows), None) => BatchColumn::Rows(rows.view()),
            (Self::Rows(rows), Some(of)) => BatchColumn::Rows(rows.slice(s![of.clone(), ..])),
            (Self::Slices(slices), None) => BatchColumn::Slices(slices),
            (Self::Slices(slices), Some(of)) => BatchColumn::Slices(&slices[of.clone()]),
        }
    }
}

/// Results of all curves.
struct Results {
    names: Vec<String>,
    values: Array2<f64>,
    errors: Array2<f64>,
    costs: Vec<f64>,
    passes: Vec<u64>,
    success: Vec<bool>,
    failures: Vec<(usize, String)>,
}

impl Results {
    fn new(names: &[String], curves: usize) -> Self {
        let empty = || Array2::from_elem((curves, names.len()), f64::NAN);
        Self {
            names: names.to_vec(),
            values: empty(),
            errors: empty(),
            costs: vec![],
            passes: vec![],
            success: vec![],
            failures: vec![],
        }
    }

    /// Appends the results of the next curves.
    fn append(&mut self, found: &BatchFound) {
        let first = self.costs.len();
        let curves = first..first + found.curves();
        self.values.slice_mut(s![curves.clone(), ..]).assign(&found.values());
        self.errors.slice_mut(s![curves, ..]).assign(&found.standard_errors());
        self.costs.extend(found.costs());
        self.passes.extend(found.passes().iter().map(|passes| *passes as u64));
        let success = |of: &Option<Outcome>| of.is_some_and(Outcome::is_success);
        self.success.extend(found.outcomes().iter().map(success));
        let failures = found.failures().iter();
        self.failures.extend(failures.map(|of| (first + of.curve, of.reason.to_string())));
    }
}

/// Fits one model to many curves.
#[pyfunction]
#[pyo3(signature = (model, x, inputs, responses, weights, settings, progress))]
#[expect(clippy::too_many_arguments, reason = "one for each part of the problem")]
pub(super) fn fit_batch<'py>(
    py: Python<'py>,
    model: &FitModel,
    x: &Bound<'py, PyAny>,
    inputs: Vec<Bound<'py, PyAny>>,
    responses: Vec<Bound<'py, PyAny>>,
    weights: Vec<Bound<'py, PyAny>>,
    settings: BatchSettings<'py>,
    progress: Option<&Bound<'py, PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let arguments = |name: &str, all: &[Bound<'py, PyAny>]| -> PyResult<Vec<Argument<'py>>> {
        all.iter().map(|value| Argument::of(name, value)).collect()
    };
    let inputs = if model.is_function() {
        let rows = inputs.first().map_or(Ok(0), |x| arrays::vector("x", x).map(|x| x.len()))?;
        vec![Argument::Vectors(indices(rows))]
    } else {
        arguments("x", &inputs)?
    };
    let (responses, weights) = (arguments("y", &responses)?, arguments("weight", &weights)?);
    let (mut inputs, responses, weights) =
        (columns("x", &inputs)?, columns("y", &responses)?, columns("weight", &weights)?);
    if model.is_function() {
        inputs = inputs.into_iter().map(shared).collect();
    }
    let times: Vec<Vec<f64>> = inputs
        .iter()
        .map(|numbers| match numbers {
            Numbers::Shared(values) => values.clone(),
            // An equation has a node at each time of all curves.
            Numbers::Rows(rows) => rows.iter().copied().collect(),
            Numbers::Slices(slices) => slices.concat(),
        })
        .collect();
    let set_model = model.of_set(&times, x)?;
    let loss = loss(&settings.loss)?;
    let starts = settings
        .starts
        .iter()
        .map(|(name, values)| Ok((name.clone(), arrays::vector("start", values)?)));
    let starts = starts.collect::<PyResult<Vec<(String, Vec<f64>)>>>()?;
    let BatchSettings { start, bounds, fixed, tied, logarithmic, .. } = &settings;
    let (scale, max_passes) = (settings.loss_scale, settings.max_passes);
    let (sigma, skips) = (settings.weights_are_sigma, settings.skips);
    let place = if model.is_function() { Place::Caller } else { Place::Thread };
    let counts = inputs.iter().chain(&responses).chain(&weights).filter_map(Numbers::curves);
    let counts: Vec<usize> = counts.chain(starts.iter().map(|(_, values)| values.len())).collect();
    let fit = |curves: Option<&Range<usize>>, watch: &Watch| -> Result<BatchFound, FitError> {
        let mut batch = Batch::new("curves", set_model.model()).cancel(watch.cancel());
        for input in &inputs {
            batch = batch.input(input.column(curves));
        }
        for (k, response) in responses.iter().enumerate() {
            batch = batch.response(response.column(curves));
            if let Some(weight) = weights.get(k) {
                let column = weight.column(curves);
                batch = if sigma { batch.sigma(column) } else { batch.weight(column) };
            }
        }
        for (name, value) in start {
            batch = batch.start(name, *value)?;
        }
        for (name, low, high) in bounds {
            batch = batch.bounds(name, *low, *high)?;
        }
        for (name, value) in fixed {
            batch = batch.fix(name, *value)?;
        }
        // A value for each curve takes the place of the one before, also of fixed parameters.
        for (name, values) in &starts {
            batch = batch.starts(name, curves.map_or(values, |of| &values[of.clone()]))?;
        }
        for name in logarithmic {
            batch = batch.logarithmic(name)?;
        }
        for (name, expression) in tied {
            batch = batch.tie(name, expression)?;
        }
        if let Some(passes) = max_passes {
            batch = batch.max_passes(passes);
        }
        if skips {
            batch = batch.skip_not_finite();
        }
        batch.loss(loss, scale)?.run()
    };
    let results = watch::run(py, place, progress, |watch| {
        let all = counts.first().copied().unwrap_or(0);
        let equal = counts.iter().all(|count| *count == all);
        if !equal || all <= CHUNK {
            let found = fit(None, watch)?;
            let mut results = Results::new(found.names(), found.curves());
            results.append(&found);
            return Ok(results);
        }
        let mut results: Option<Results> = None;
        for first in (0..all).step_by(CHUNK) {
            let curves = first..all.min(first + CHUNK);
            let found = fit(Some(&curves), watch)?;
            results.get_or_insert_with(|| Results::new(found.names(), all)).append(&found);
            watch.progress(curves.end as u64, all as u64, f64::NAN);
            if watch.cancel().load(Ordering::Relaxed) {
                break;
            }
        }
        results.ok_or(FitError::Empty { what: "curves" })
    });
    let results = results.and_then(|results| results.map_err(of_fit));
    let results = set_model.take_failure().map_or(results, Err)?;
    let all = PyDict::new(py);
    all.set_item("names", results.names)?;
    all.set_item("values", PyArray2::from_owned_array(py, results.values))?;
    all.set_item("errors", PyArray2::from_owned_array(py, results.errors))?;
    all.set_item("costs", PyArray1::from_vec(py, results.costs))?;
    all.set_item("passes", PyArray1::from_vec(py, results.passes))?;
    all.set_item("success", PyArray1::from_vec(py, results.success))?;
    all.set_item("failures", results.failures)?;
    Ok(all)
}

fn columns<'a>(name: &str, all: &'a [Argument<'_>]) -> PyResult<Vec<Numbers<'a>>> {
    all.iter().map(|argument| argument.numbers(name)).collect()
}

/// The one vector of a list as a column that all curves share.
fn shared(numbers: Numbers<'_>) -> Numbers<'_> {
    match numbers {
        Numbers::Slices(slices) => Numbers::Shared(slices.concat()),
        other => other,
    }
}
