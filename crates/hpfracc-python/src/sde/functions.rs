//! Drift and diffusion as functions in Python, and ensembles of them.

use super::discretisation::Discretisation;
use super::failure::{of_sde, unknown};
use super::noise::NoiseSpec;
use super::schemes::DynProblem;
use super::settings::Settings;
use super::watch::{Watch, attended, watched};
use crate::arrays::{self, Floats, with_floats};
use crate::errors;
use hpfracc::ndarray::{ArrayView2, Ix2};
use hpfracc::noise::{NoNoise, Noise};
use hpfracc::sde::models::Variate;
use hpfracc::sde::{NoiseKind, Rows, RowsMut, StochasticProblem, StochasticSystem};
use hpfracc::types::Real;
use numpy::{PyArray1, PyArrayDyn, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::intern;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Most paths of a tile: enough for the cost of a call of Python to be shared.
const TILE: usize = 4096;

/// Equation of functions, as the Python functions pass it.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct FunctionsSpec {
    drift: Py<PyAny>,
    /// `None` for an equation without noise.
    diffusion: Option<Py<PyAny>>,
    /// Initial values by component, or by path and component.
    x0: Py<PyAny>,
    /// `diagonal`, `scalar` or `general`.
    noise_kind: String,
    noises: usize,
    additive: bool,
    commutative: bool,
    stratonovich: bool,
    orders: Vec<f64>,
    noise: Option<NoiseSpec>,
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(simulate_functions, module)?)
}

/// Ensemble of an equation of functions.
#[pyfunction]
fn simulate_functions<'py>(
    py: Python<'py>,
    functions: FunctionsSpec,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    if settings.single {
        ensemble::<f32>(py, &functions, &settings)
    } else {
        ensemble::<f64>(py, &functions, &settings)
    }
}

fn ensemble<'py, T: Variate + numpy::Element>(
    py: Python<'py>,
    spec: &FunctionsSpec,
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let starts = arrays::doubles("x0", spec.x0.bind(py))?;
    let starts = starts.as_array();
    let (starts, each) = match starts.ndim() {
        0 | 1 => {
            let starts: Vec<T> = starts.iter().map(|x| T::narrow(*x)).collect();
            (starts, false)
        }
        2 => (starts.iter().map(|x| T::narrow(*x)).collect(), true),
        dims => {
            return Err(errors::input(format!(
                "x0 has {dims} dimensions, expected (components,) or (paths, components)"
            )));
        }
    };
    let dim = if each { spec.x0_components(py)? } else { starts.len() };
    let noise_kind = spec.noise_kind()?;
    let context = py.import("contextvars")?.call_method0("copy_context")?.unbind();
    let watch = Watch::default();
    let failure = Failure { watch: &watch, error: Mutex::new(None) };
    let system = Functions { spec, dim, noise_kind, context, failure: &failure };
    let interval = settings.t_span.unwrap_or((0.0, 1.0));
    let problem: DynProblem<'_, T> = if each {
        let starts = ArrayView2::from_shape((starts.len() / dim.max(1), dim), &starts);
        let starts = starts.map_err(|error| errors::input(format!("x0: {error}")))?;
        StochasticProblem::with_starts(&system as &dyn StochasticSystem<T>, interval, starts)
    } else {
        StochasticProblem::new(&system as &dyn StochasticSystem<T>, interval, &starts)
    }
    .map_err(of_sde)?;
    let mut problem = problem.of_orders(&spec.orders).map_err(of_sde)?;
    if spec.stratonovich {
        problem = problem.stratonovich();
    }
    let noise: Box<dyn Noise<T>> = match &spec.noise {
        Some(noise) => settings.mirrored(noise.build(settings.seed)?)?,
        None => Box::new(NoNoise),
    };
    let discretisation = Discretisation::chosen(settings, &problem, &*noise)?;
    let statistics = settings.statistics::<T>(None)?;
    let ensemble = settings.ensemble(super::equations::STEPS)?;
    let has_memory = spec.orders.iter().any(|order| *order != 1.0);
    let ensemble = if settings.tile.is_none() && !has_memory && noise.bytes_per_path(1) == 0 {
        ensemble.in_tiles_of(settings.paths.clamp(1, TILE)).map_err(of_sde)?
    } else {
        ensemble
    };
    let solve = || {
        let reporter = watch.reporter();
        let ensemble = watched(ensemble, &watch, &reporter);
        discretisation.solve(&ensemble, &problem, &*noise, &statistics, settings)
    };
    // The functions hold the interpreter's lock: more threads would only wait for it.
    let collected = attended(py, &watch, Some(1), settings.progress.as_ref(), solve);
    if let Some(error) = failure.take() {
        return Err(error);
    }
    let dict = collected?.into_dict(py)?;
    discretisation.report(&dict)?;
    Ok(dict)
}

impl FunctionsSpec {
    fn x0_components(&self, py: Python<'_>) -> PyResult<usize> {
        let starts = arrays::doubles("x0", self.x0.bind(py))?;
        let starts = starts.as_array();
        let starts = starts.into_dimensionality::<Ix2>();
        starts.map(|starts| starts.ncols()).map_err(|error| errors::input(format!("x0: {error}")))
    }

    fn noise_kind(&self) -> PyResult<NoiseKind> {
        let noises = self.noises;
        match (self.diffusion.is_some(), self.noise_kind.as_str()) {
            (false, _) => Ok(NoiseKind::LeadingDiagonal { noises: 0 }),
            (true, "diagonal") => Ok(NoiseKind::Diagonal),
            (true, "scalar") => Ok(NoiseKind::Scalar),
            (true, "general") => Ok(NoiseKind::General { noises }),
            (true, other) => Err(unknown("noise_kind", other, ["diagonal", "scalar", "general"])),
        }
    }
}

/// First exception of a function, which ends the solve.
#[derive(Debug)]
struct Failure<'a> {
    /// Watch of the solve.
    watch: &'a Watch,
    error: Mutex<Option<PyErr>>,
}

impl Failure<'_> {
    fn set(&self, error: PyErr) {
        self.watch.cancel.request();
        self.error.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    fn take(&self) -> Option<PyErr> {
        self.error.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// Coefficients that are functions in Python.
struct Functions<'a> {
    spec: &'a FunctionsSpec,
    dim: usize,
    noise_kind: NoiseKind,
    /// Context of the caller, in which the functions run.
    context: Py<PyAny>,
    failure: &'a Failure<'a>,
}

impl Functions<'_> {
    fn call<T: Variate + numpy::Element>(
        &self,
        (what, function): (&str, &Py<PyAny>),
        (t, x): (f64, Rows<'_, T>),
        out: &mut [T],
        shape: &[usize],
    ) {
        if !self.failure.watch.cancel.requested() {
            let result = Python::attach(|py| {
                let state =
                    PyArray1::from_slice(py, x.as_slice()).reshape([x.rows(), x.lanes()])?;
                let context = self.context.bind(py);
                let value = context.call_method1(intern!(py, "run"), (function, t, state))?;
                fill(what, &value, shape, out)
            });
            let Err(error) = result else { return };
            self.failure.set(error);
        }
        out.fill(T::zero());
    }
}

/// Copies an array of this shape, or one that broadcasts to it.
fn fill<T: Variate + numpy::Element>(
    what: &str,
    value: &Bound<'_, PyAny>,
    shape: &[usize],
    out: &mut [T],
) -> PyResult<()> {
    if let Ok(array) = value.cast::<PyArrayDyn<T>>()
        && array.shape() == shape
        && let Ok(array) = array.try_readonly()
    {
        match array.as_slice() {
            Ok(values) => out.copy_from_slice(values),
            Err(_) => out.iter_mut().zip(array.as_array()).for_each(|(out, value)| *out = *value),
        }
        return Ok(());
    }
    let values = Floats::of(what, value)?;
    with_floats!(&values, array => {
        let array = array.as_array();
        let found = array.shape().to_vec();
        let Some(array) = array.broadcast(shape) else {
            return Err(errors::input(format!(
                "{what} returned an array of shape {found:?}, expected {shape:?} or one that broadcasts to it"
            )));
        };
        out.iter_mut().zip(&array).for_each(|(out, value)| *out = T::narrow(value.widen()));
    });
    Ok(())
}

impl<T: Variate + numpy::Element> StochasticSystem<T> for Functions<'_> {
    fn dim(&self) -> usize {
        self.dim
    }

    fn noise_kind(&self) -> NoiseKind {
        self.noise_kind
    }

    fn additive(&self) -> bool {
        self.spec.additive
    }

    fn commutative(&self) -> bool {
        self.spec.commutative
    }

    fn drift(&self, t: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let shape = [self.dim, x.lanes()];
        self.call(("drift", &self.spec.drift), (t, x), f.as_mut_slice(), &shape);
    }

    fn diffusion(&self, t: f64, x: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        let Some(diffusion) = &self.spec.diffusion else { return };
        let lanes = x.lanes();
        let shape: &[usize] = match self.noise_kind {
            NoiseKind::General { noises } => &[self.dim, noises, lanes],
            _ => &[self.dim, lanes],
        };
        self.call(("diffusion", diffusion), (t, x), g.as_mut_slice(), shape);
    }
}
