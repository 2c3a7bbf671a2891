//! Expectations by multilevel Monte Carlo.

use super::equations::{parsed, problem};
use super::failure::{of_model, of_sde};
use super::models::{named, with_model};
use super::schemes::{Scheme, with_scheme};
use super::watch::{Watch, attended};
use crate::errors::{self, OrRaise};
use hpfracc::equation::{Arch, Formula, Input, Program, Rows, RowsMut};
use hpfracc::ndarray::{Array2, ArrayView2};
use hpfracc::sde::models::Model;
use hpfracc::sde::{EquationModel, Expectation, MultilevelMonteCarlo};
use numpy::PyArray2;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::sync::{Mutex, PoisonError};

/// Settings of the method, as the Python function passes them.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
struct LevelSettings {
    target: f64,
    refinement: usize,
    coarsest: usize,
    finest: usize,
    pilot: usize,
    seed: u64,
    t_span: Option<(f64, f64)>,
    scheme: Option<String>,
    threads: Option<usize>,
    /// Text or function.
    payoff: Py<PyAny>,
}

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(multilevel_model, module)?)?;
    module.add_function(wrap_pyfunction!(multilevel_equation, module)?)
}

/// Expectation of a model.
#[pyfunction]
fn multilevel_model<'py>(
    py: Python<'py>,
    name: &str,
    parameters: Vec<(String, f64)>,
    settings: LevelSettings,
) -> PyResult<Bound<'py, PyDict>> {
    let model = named(name, &parameters)?;
    if let Some(scheme) = &settings.scheme {
        return Err(errors::input(format!(
            "scheme='{scheme}': the model {name} has its own scheme; equations as text take others"
        )));
    }
    let definition = model.definition();
    let interval = settings.t_span.unwrap_or((0.0, definition.default_grid.t1));
    let watch = Watch::default();
    let payoff = Payoff::new(py, &settings.payoff, definition.observables, &watch)?;
    let solve = || {
        with_model!(&model, model => {
            expectation_of_model(model, interval, &settings, &payoff, &watch)
        })
    };
    let found = attended(py, &watch, payoff.threads(settings.threads), None, solve);
    payoff.finish(py, found)
}

fn expectation_of_model<M: Model>(
    model: &M,
    interval: (f64, f64),
    settings: &LevelSettings,
    payoff: &Payoff<'_>,
    watch: &Watch,
) -> PyResult<Expectation> {
    let problem = model.problem::<f64>(interval).map_err(of_sde)?;
    let noise = model.noise::<f64>(settings.seed).map_err(of_sde)?;
    let observables = M::DEFINITION.observables.len();
    let elapsed = (interval.1 - interval.0) / settings.coarsest as f64;
    let observed = |path: ArrayView2<'_, f64>| {
        let mut observed = Array2::zeros((path.nrows(), observables));
        for (node, state) in path.outer_iter().enumerate() {
            let state = state.to_vec();
            let mut row = vec![0.0; observables];
            let out = RowsMut::new(&mut row, 1);
            model.observe::<f64>(node as f64 * elapsed, Rows::new(&state, 1), out);
            observed.row_mut(node).iter_mut().zip(&row).for_each(|(out, value)| *out = *value);
        }
        payoff.of(observed.view())
    };
    let method = settings.method()?.cancelled_by(watch.cancel.flag());
    method.solve(&problem, &model.scheme::<f64>(), &noise, observed).map_err(of_sde)
}

/// Expectation of an equation.
#[pyfunction]
fn multilevel_equation<'py>(
    py: Python<'py>,
    text: &str,
    parameters: Vec<(String, f64)>,
    settings: LevelSettings,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, _) = parsed(text, &parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let own = model.problem::<f64>(settings.seed).map_err(of_model)?;
    let problem = problem(&model, &own, settings.seed)?;
    let noise = model.noise::<f64>(settings.seed).map_err(of_model)?;
    let scheme = Scheme::chosen(settings.scheme.as_deref(), &problem, &*noise)?;
    let states: Vec<&str> = equation.states().iter().map(|state| state.name()).collect();
    let watch = Watch::default();
    let payoff = Payoff::new(py, &settings.payoff, &states, &watch)?;
    let solve = || {
        let method = settings.method()?.cancelled_by(watch.cancel.flag());
        let of = |path: ArrayView2<'_, f64>| payoff.of(path);
        let found = with_scheme!(scheme, scheme => method.solve(&problem, scheme, &*noise, of));
        found.map_err(of_sde)
    };
    let found = attended(py, &watch, payoff.threads(settings.threads), None, solve);
    payoff.finish(py, found)
}

impl LevelSettings {
    fn method(&self) -> PyResult<MultilevelMonteCarlo<'static>> {
        let method = MultilevelMonteCarlo::new(self.target).map_err(of_sde)?;
        let method = method.refined_by(self.refinement).map_err(of_sde)?;
        let method = method.coarsest(self.coarsest).map_err(of_sde)?;
        let method = method.finest(self.finest).map_err(of_sde)?;
        method.pilot(self.pilot).map_err(of_sde)
    }
}

/// Function of the values of a path at the ends of the steps of the first level.
struct Payoff<'a> {
    function: Function,
    watch: &'a Watch,
    /// First exception of a function in Python.
    error: Mutex<Option<PyErr>>,
}

enum Function {
    /// Of the values at the end.
    Text {
        program: Program<f64>,
        parameters: Vec<f64>,
    },
    Python(Py<PyAny>),
}

impl<'a> Payoff<'a> {
    /// # Errors
    /// `EquationError` for a text that is no formula of the observables.
    fn new(
        py: Python<'_>,
        payoff: &Py<PyAny>,
        observables: &[&str],
        watch: &'a Watch,
    ) -> PyResult<Self> {
        let function = match payoff.extract::<String>(py) {
            Ok(text) => formula(&text, observables)?,
            Err(_) => Function::Python(payoff.clone_ref(py)),
        };
        Ok(Self { function, watch, error: Mutex::new(None) })
    }

    /// Threads of the solve: one, if it waits for the interpreter's lock anyway.
    fn threads(&self, threads: Option<usize>) -> Option<usize> {
        match self.function {
            Function::Text { .. } => threads,
            Function::Python(_) => Some(1),
        }
    }

    fn of(&self, path: ArrayView2<'_, f64>) -> f64 {
        match &self.function {
            Function::Text { program, parameters } => {
                let end = path.row(path.nrows() - 1).to_vec();
                let mut value = [0.0];
                let out = [RowsMut::new(&mut value, 1), RowsMut::new(&mut [], 1)];
                program.run_shared(Arch::new(), Rows::new(&end, 1), (0.0, parameters), out);
                value[0]
            }
            Function::Python(function) => {
                if self.watch.cancel.requested() {
                    return 0.0;
                }
                let value = Python::attach(|py| -> PyResult<f64> {
                    let path = PyArray2::from_owned_array(py, path.to_owned());
                    function.call1(py, (path,))?.extract(py)
                });
                value.unwrap_or_else(|error| {
                    self.watch.cancel.request();
                    let mut first = self.error.lock().unwrap_or_else(PoisonError::into_inner);
                    first.get_or_insert(error);
                    0.0
                })
            }
        }
    }

    fn finish<'py>(
        self,
        py: Python<'py>,
        found: PyResult<Expectation>,
    ) -> PyResult<Bound<'py, PyDict>> {
        if let Some(error) = self.error.into_inner().unwrap_or_else(PoisonError::into_inner) {
            return Err(error);
        }
        let found = found?;
        let dict = PyDict::new(py);
        dict.set_item("value", found.value)?;
        dict.set_item("standard_error", found.standard_error)?;
        dict.set_item("bias", found.bias)?;
        dict.set_item("target", found.target)?;
        dict.set_item("weak_order", found.weak_order)?;
        dict.set_item("variance_order", found.variance_order)?;
        let levels = found.levels.iter().map(|level| {
            let moments = (level.mean, level.variance, level.payoff_mean, level.payoff_variance);
            (level.steps, level.paths, moments, level.cost)
        });
        dict.set_item("levels", levels.collect::<Vec<_>>())?;
        Ok(dict)
    }
}

/// Payoff of a text.
fn formula(text: &str, observables: &[&str]) -> PyResult<Function> {
    let formula = Formula::parse(text, observables).or_raise()?;
    let parameters: Vec<f64> = formula.parameters().iter().map(|p| p.value()).collect();
    if let Some(parameter) = formula.parameters().iter().find(|p| p.value().is_nan()) {
        let (name, known) = (parameter.name(), observables.join(", "));
        return Err(errors::input(format!(
            "payoff '{text}': {name} has no value; write `; {name} = 1`, or use {known}"
        )));
    }
    let columns = formula.column_variables();
    let variables = formula.parameter_variables();
    let last = columns.iter().chain(&variables).max().map_or(0, |last| *last as usize + 1);
    let mut inputs = vec![Input::Uniform(0); last];
    for (variable, name) in columns.iter().zip(formula.columns()) {
        if let Some(row) = observables.iter().position(|known| *known == name) {
            inputs[*variable as usize] = Input::Row(row);
        }
    }
    for (k, variable) in variables.iter().enumerate() {
        inputs[*variable as usize] = Input::Uniform(1 + k);
    }
    let program = Program::new(formula.graph(), &[formula.root()], &inputs);
    let program = program.map_err(|error| of_model(error.into()))?;
    Ok(Function::Text { program, parameters })
}
