//! The class `TrainingCore`: a training with its data.

use super::arguments::{cube, indices, matrix, parameters};
use super::controlled::Controlled;
use super::failure::{of_objective, of_trainer};
use super::latent::{Latent, Observations};
use super::network::parameters_of;
use super::parts::{Parts, with_parts};
use super::problem::{Goals, Problem, Shared, Subject};
use super::run::{self, Numbers, Options, Precise, estimates};
use super::simulate;
use crate::arrays::Floats;
use crate::errors::input;
use crate::running::background::left_behind;
use crate::running::fork;
use hpfracc::ndarray::Array3;
use hpfracc::nn::trainer::{Parameters, Standardisation};
use hpfracc::nn::{Batch, Layer, Network, OrderEstimate, SavedNetwork, Scalar, Shape};
use hpfracc::types::Real;
use numpy::{Element, IntoPyArray, PyArray3};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};
use std::path::PathBuf;
use std::sync::Arc;

/// A training with its data, in one precision.
#[pyclass(name = "TrainingCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PyTraining {
    problem: Shared,
}

/// Runs an expression with parameters in either precision.
macro_rules! with_numbers {
    ($numbers:expr, $theta:ident => $body:expr) => {
        match $numbers {
            Numbers::F32($theta) => $body,
            Numbers::F64($theta) => $body,
        }
    };
}

type PyObservations<'py> = (Bound<'py, PyArray3<f64>>, Option<Bound<'py, PyArray3<f64>>>);

fn arrays(py: Python<'_>, (means, deviations): Observations) -> PyObservations<'_> {
    (means.into_pyarray(py), deviations.map(|deviations| deviations.into_pyarray(py)))
}

#[pymethods]
impl PyTraining {
    /// An equation on a time series, rows by components.
    #[staticmethod]
    fn of_series(
        py: Python<'_>,
        config: &str,
        values: &Bound<'_, PyAny>,
        dt: f64,
    ) -> PyResult<Self> {
        fork::ready();
        let values = matrix("data", values)?;
        let problem = py.detach(|| Problem::of_series(config, values, dt))?;
        Ok(Self { problem: Arc::new(problem) })
    }

    /// A network on pairs: inputs, samples by features, and targets or classes.
    #[staticmethod]
    fn supervised(
        py: Python<'_>,
        config: &str,
        inputs: &Bound<'_, PyAny>,
        targets: Option<&Bound<'_, PyAny>>,
        classes: Option<Vec<usize>>,
    ) -> PyResult<Self> {
        fork::ready();
        let inputs = matrix("x", inputs)?;
        let goals = match (targets, classes) {
            (Some(targets), None) => Goals::Values(matrix("y", targets)?),
            (None, Some(classes)) => Goals::Classes(classes),
            _ => return Err(input("expected targets or classes")),
        };
        let count = match &goals {
            Goals::Values(values) => values.nrows(),
            Goals::Classes(classes) => classes.len(),
        };
        if count != inputs.nrows() {
            let message = format!("y has {count} samples, expected {} as x", inputs.nrows());
            return Err(input(message));
        }
        let problem = py.detach(|| Problem::supervised(config, &inputs, goals))?;
        Ok(Self { problem: Arc::new(problem) })
    }

    /// A controlled equation: controls by sample, row and channel, responses by sample, observed row and component.
    #[staticmethod]
    fn controlled(
        py: Python<'_>,
        config: &str,
        controls: &Bound<'_, PyAny>,
        responses: &Bound<'_, PyAny>,
        observed: Vec<usize>,
        dt: f64,
    ) -> PyResult<Self> {
        fork::ready();
        let (controls, responses) = (cube("x", controls)?, cube("y", responses)?);
        let problem =
            py.detach(|| Controlled::assembled(config, &controls, &responses, observed, dt))?;
        let problem = Problem::of_equation(problem, Subject::Controlled);
        Ok(Self { problem: Arc::new(problem) })
    }

    /// A latent equation on sequences by sample, row and component, of which those from a number on are held out.
    #[staticmethod]
    fn latent(
        py: Python<'_>,
        config: &str,
        sequences: &Bound<'_, PyAny>,
        held_out: Option<usize>,
        dt: f64,
    ) -> PyResult<Self> {
        fork::ready();
        let sequences = cube("data", sequences)?;
        let problem = py.detach(|| Latent::assembled(config, sequences, held_out, dt))?;
        let problem = Problem::of_equation(problem, Subject::Latent);
        Ok(Self { problem: Arc::new(problem) })
    }

    /// Sizes and names.
    fn facts<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let facts = PyDict::new(py);
        with_parts!(&self.problem.objectives, parts => sizes(parts, &facts)?);
        if let Subject::Equation(equation) = &self.problem.subject {
            let Standardisation { mean, deviation } = equation.standardisation.clone();
            facts.set_item("mean", mean.into_pyarray(py))?;
            facts.set_item("deviation", deviation.into_pyarray(py))?;
            facts.set_item("held_out", equation.held_out)?;
            facts.set_item("rows", equation.values.nrows())?;
            facts.set_item("components", equation.values.ncols())?;
            facts.set_item("steps_per_row", equation.solver.steps)?;
        }
        if let Subject::Latent(equation) = &self.problem.subject {
            let Standardisation { mean, deviation } = equation.standardisation.clone();
            facts.set_item("mean", mean.into_pyarray(py))?;
            facts.set_item("deviation", deviation.into_pyarray(py))?;
        }
        facts.set_item("learns_orders", self.problem.learns_orders())?;
        facts.set_item("seed", self.problem.training.seed)?;
        facts.set_item("batch", self.problem.training.batch)?;
        Ok(facts)
    }

    /// Initial parameters of a seed.
    fn initial<'py>(&self, py: Python<'py>, seed: u64) -> Bound<'py, PyAny> {
        with_parts!(&self.problem.objectives, parts => initial(parts, seed, py))
    }

    /// Mean loss of samples, and its gradient if requested.
    fn evaluate<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
        samples: Option<&Bound<'py, PyAny>>,
        draw: u64,
        gradient: bool,
        validation: bool,
    ) -> PyResult<(f64, Option<Bound<'py, PyAny>>)> {
        let theta = Floats::of("parameters", theta)?;
        let samples = samples.map(indices).transpose()?;
        match (&self.problem.objectives, theta) {
            (super::parts::Objectives::F32(parts), Floats::F32(theta)) => {
                let theta = parameters_of(&theta)?;
                evaluate(py, parts, &theta, samples, (draw, gradient, validation))
            }
            (super::parts::Objectives::F64(parts), Floats::F64(theta)) => {
                let theta = parameters_of(&theta)?;
                evaluate(py, parts, &theta, samples, (draw, gradient, validation))
            }
            (_, theta) => Err(self.other_precision(&theta)),
        }
    }

    /// Orders estimated from the data, and the parameters where they were written.
    #[expect(clippy::type_complexity, reason = "a call from Python")]
    fn estimate_orders<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
    ) -> PyResult<(Bound<'py, PyAny>, Vec<(f64, f64, Option<f64>, bool)>)> {
        let problem = Arc::clone(&self.problem);
        let work = move || with_parts!(&problem.objectives, parts => estimate(parts, seed));
        let (theta, found) = left_behind(py, |_| Ok(()), work)??;
        Ok((theta.into_array(py), estimates(&found)))
    }

    /// Orders of the components at parameters.
    fn orders(&self, theta: &Bound<'_, PyAny>) -> PyResult<Vec<f64>> {
        match Floats::of("parameters", theta)? {
            Floats::F32(theta) => self.problem.orders(&parameters_of(&theta)?),
            Floats::F64(theta) => self.problem.orders(&parameters_of(&theta)?),
        }
    }

    /// Trains; see `run::run`.
    #[expect(clippy::too_many_arguments, reason = "a call from Python")]
    fn run(
        &self,
        py: Python<'_>,
        folder: Option<PathBuf>,
        resume: bool,
        threads: Option<usize>,
        epochs: Option<u64>,
        steps: Option<u64>,
        report: Option<&Bound<'_, PyAny>>,
    ) -> PyResult<Py<PyDict>> {
        if threads.is_some_and(|threads| !(1..=4096).contains(&threads)) {
            return Err(input(format!("threads is {}, expected 1 to 4096", threads.unwrap_or(0))));
        }
        let mut training = self.problem.training.clone();
        training.epochs = epochs.unwrap_or(training.epochs);
        training.steps = steps.or(training.steps);
        training.check().map_err(|error| input(format!("training: {error}")))?;
        let reports = report.is_some();
        run::run(py, &self.problem, Options { training, folder, resume, threads, reports }, report)
    }

    /// Paths of the equation from starting values in the units of the data: by start, path, row and component.
    #[expect(clippy::too_many_arguments, reason = "a call from Python")]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
        starts: Option<&Bound<'py, PyAny>>,
        row: Option<usize>,
        rows: usize,
        paths: usize,
        seed: Option<u64>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        let theta = Floats::of("parameters", theta)?;
        let starts = starts.map(|starts| matrix("y0", starts)).transpose()?;
        self.problem.equation()?;
        let request = simulate::Request { starts, row, rows, paths, seed };
        let values = match theta {
            Floats::F32(theta) => self.paths(py, request, parameters_of(&theta)?)?,
            Floats::F64(theta) => self.paths(py, request, parameters_of(&theta)?)?,
        };
        Ok(values.into_pyarray(py))
    }

    /// Responses of a controlled equation, by sample, observed row and output.
    fn respond<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
        controls: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray3<f64>>> {
        self.problem.controlled_equation()?;
        let (problem, controls) = (Arc::clone(&self.problem), cube("x", controls)?);
        let theta = parameters(theta)?;
        let work = move || -> PyResult<Array3<f64>> {
            let equation = problem.controlled_equation()?;
            with_numbers!(&theta, theta => equation.respond(theta, &controls))
        };
        Ok(left_behind(py, |_| Ok(()), work)??.into_pyarray(py))
    }

    /// Decoded paths of the posteriors of sequences, those of a sequence following each other.
    fn reconstruct<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
        sequences: &Bound<'py, PyAny>,
        paths: usize,
        seed: Option<u64>,
    ) -> PyResult<PyObservations<'py>> {
        self.problem.latent_equation()?;
        let (problem, sequences) = (Arc::clone(&self.problem), cube("x", sequences)?);
        let (theta, seed) = (parameters(theta)?, self.problem.seed(seed));
        let work = move || -> PyResult<Observations> {
            let equation = problem.latent_equation()?;
            with_numbers!(&theta, theta => equation.reconstruct(theta, sequences, paths, seed))
        };
        Ok(arrays(py, left_behind(py, |_| Ok(()), work)??))
    }

    /// Decoded paths of the prior.
    fn sample<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
        rows: usize,
        paths: usize,
        seed: Option<u64>,
    ) -> PyResult<PyObservations<'py>> {
        self.problem.latent_equation()?;
        let (problem, theta) = (Arc::clone(&self.problem), parameters(theta)?);
        let seed = self.problem.seed(seed);
        let work = move || -> PyResult<Observations> {
            let equation = problem.latent_equation()?;
            with_numbers!(&theta, theta => equation.sample(theta, rows, paths, seed))
        };
        Ok(arrays(py, left_behind(py, |_| Ok(()), work)??))
    }

    /// File of parameters, as `hpfracc train` writes it.
    fn parameter_file<'py>(
        &self,
        py: Python<'py>,
        theta: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let theta = Floats::of("parameters", theta)?;
        let standardisation = self.problem.standardisation().cloned();
        let bytes = match (&self.problem.objectives, theta) {
            (super::parts::Objectives::F32(parts), Floats::F32(theta)) => {
                file(parts, parameters_of(&theta)?, standardisation)?
            }
            (super::parts::Objectives::F64(parts), Floats::F64(theta)) => {
                file(parts, parameters_of(&theta)?, standardisation)?
            }
            (_, theta) => return Err(self.other_precision(&theta)),
        };
        Ok(PyBytes::new(py, &bytes))
    }

    /// The drift in the units of the data, as the file that texts of equations name.
    fn drift_file(&self, theta: &Bound<'_, PyAny>) -> PyResult<String> {
        let equation = self.problem.equation()?;
        match Floats::of("parameters", theta)? {
            Floats::F32(theta) => drift(equation, &parameters_of(&theta)?),
            Floats::F64(theta) => drift(equation, &parameters_of(&theta)?),
        }
    }

    /// The network of a supervised training, as JSON.
    fn network(&self) -> PyResult<String> {
        match &self.problem.subject {
            Subject::Network(network) => {
                serde_json::to_string(network).map_err(|error| input(error.to_string()))
            }
            _ => Err(input("an equation has several networks")),
        }
    }
}

impl PyTraining {
    fn paths<T: Scalar>(
        &self,
        py: Python<'_>,
        request: simulate::Request,
        theta: Vec<T>,
    ) -> PyResult<Array3<f64>>
    where
        Network: Layer<T>,
    {
        let problem = Arc::clone(&self.problem);
        let work = move || request.run(problem.equation()?, &theta, problem.training.seed);
        left_behind(py, |_| Ok(()), work)?
    }

    fn other_precision(&self, theta: &Floats<'_>) -> PyErr {
        let found = match theta {
            Floats::F32(_) => "float32",
            Floats::F64(_) => "float64",
        };
        let expected = match self.problem.objectives {
            super::parts::Objectives::F32(_) => "float32, or a training with precision=\"f64\"",
            super::parts::Objectives::F64(_) => "float64, or a training with precision=\"f32\"",
        };
        input(format!("parameters are {found}, expected {expected}"))
    }
}

fn sizes<T: Scalar>(parts: &Parts<T>, facts: &Bound<'_, PyDict>) -> PyResult<()> {
    let objective = &parts.training;
    let blocks: Vec<(String, Vec<usize>)> =
        objective.blocks().into_iter().map(|block| (block.name, block.shape)).collect();
    facts.set_item("dtype", if T::NAME == f32::NAME { "float32" } else { "float64" })?;
    facts.set_item("parameters", objective.parameters())?;
    facts.set_item("samples", objective.samples())?;
    facts.set_item("validation_samples", parts.validation.as_ref().map_or(0, |v| v.samples()))?;
    facts.set_item("blocks", blocks)?;
    let orders = objective.orders();
    facts.set_item("order_parameters", (orders.start, orders.end))
}

fn initial<'py, T: Scalar + Element>(
    parts: &Parts<T>,
    seed: u64,
    py: Python<'py>,
) -> Bound<'py, PyAny> {
    let mut theta = vec![T::zero(); parts.training.parameters()];
    parts.training.initialise(seed, &mut theta);
    theta.into_pyarray(py).into_any()
}

fn evaluate<'py, T: Scalar + Element>(
    py: Python<'py>,
    parts: &Parts<T>,
    theta: &[T],
    samples: Option<Vec<usize>>,
    (draw, gradient, validation): (u64, bool, bool),
) -> PyResult<(f64, Option<Bound<'py, PyAny>>)> {
    let objective = match (&parts.validation, validation) {
        (_, false) => &parts.training,
        (Some(validation), true) => validation,
        (None, true) => return Err(input("this training has no validation")),
    };
    let (count, len) = (objective.samples(), objective.parameters());
    let samples = samples.unwrap_or_else(|| (0..count).collect());
    if theta.len() != len {
        return Err(input(format!("parameters has {} numbers, expected {len}", theta.len())));
    }
    if samples.is_empty() {
        return Err(input("samples is empty, expected at least 1 index"));
    }
    if let Some(wrong) = samples.iter().find(|sample| **sample >= count) {
        return Err(input(format!("samples has {wrong}, expected 0 to {}", count - 1)));
    }
    let batch = Batch::new(&samples, draw);
    if !gradient {
        let loss = py.detach(|| objective.loss(theta, batch)).map_err(of_objective)?;
        return Ok((loss, None));
    }
    let mut thetabar = vec![T::zero(); len];
    let loss = py.detach(|| objective.gradient(theta, batch, &mut thetabar));
    Ok((loss.map_err(of_objective)?, Some(thetabar.into_pyarray(py).into_any())))
}

fn estimate<T: Precise>(parts: &Parts<T>, seed: u64) -> PyResult<(Numbers, Vec<OrderEstimate>)> {
    let objective = &parts.training;
    let mut theta = vec![T::zero(); objective.parameters()];
    objective.initialise(seed, &mut theta);
    let samples: Vec<usize> = (0..objective.samples()).collect();
    let found = objective.estimate_orders(&samples, &mut theta).map_err(of_objective)?;
    Ok((T::numbers(theta), found))
}

fn file<T: Scalar>(
    parts: &Parts<T>,
    theta: Vec<T>,
    standardisation: Option<Standardisation>,
) -> PyResult<Vec<u8>> {
    let len = parts.training.parameters();
    if theta.len() != len {
        return Err(input(format!("parameters has {} numbers, expected {len}", theta.len())));
    }
    Ok(Parameters { blocks: parts.training.blocks(), standardisation, theta }.to_bytes())
}

fn drift<T: Scalar>(equation: &super::problem::Equation, theta: &[T]) -> PyResult<String> {
    let drift = equation.model.drift();
    let own = theta.get(..drift.parameters()).unwrap_or(theta);
    let saved = SavedNetwork::new(drift.clone(), own).map_err(|error| input(error.to_string()))?;
    let saved = saved.in_units(&equation.standardisation);
    let text = saved.and_then(|saved| saved.to_json());
    text.map_err(|error| input(error.to_string()))
}

/// Contents of a file of parameters: the array, blocks, means and standard deviations.
#[pyfunction]
#[expect(clippy::type_complexity, reason = "a call from Python")]
pub(super) fn read_parameters<'py>(
    py: Python<'py>,
    path: PathBuf,
    bytes: &[u8],
) -> PyResult<(Bound<'py, PyAny>, Vec<(String, Vec<usize>)>, Option<(Vec<f64>, Vec<f64>)>)> {
    match Parameters::<f32>::from_bytes(&path, bytes) {
        Ok(read) => Ok(contents(py, read)),
        // Of the other precision, or an error of its own.
        Err(_) => match Parameters::<f64>::from_bytes(&path, bytes) {
            Ok(read) => Ok(contents(py, read)),
            Err(error) => Err(of_trainer(error)),
        },
    }
}

#[expect(clippy::type_complexity, reason = "a call from Python")]
fn contents<T: Scalar + Element>(
    py: Python<'_>,
    read: Parameters<T>,
) -> (Bound<'_, PyAny>, Vec<(String, Vec<usize>)>, Option<(Vec<f64>, Vec<f64>)>) {
    let Parameters { blocks, standardisation, theta } = read;
    let blocks = blocks.into_iter().map(|block| (block.name, block.shape)).collect();
    let units = standardisation.map(|units| (units.mean, units.deviation));
    (theta.into_pyarray(py).into_any(), blocks, units)
}
