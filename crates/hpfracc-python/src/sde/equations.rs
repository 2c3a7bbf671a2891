//! Equations as text, and ensembles of them.

use super::collect::{Observables, Statistics};
use super::discretisation::Discretisation;
use super::failure::{of_model, of_sde, unknown};
use super::schemes::DynProblem;
use super::settings::Settings;
use super::watch::{Watch, attended, watched};
use crate::errors::{self, OrRaise};
use hpfracc::equation::{
    Arch, Distribution, Equation, Execute, Id, Input, Program, Symbol, catalogue,
};
use hpfracc::sde::models::Variate;
use hpfracc::sde::{
    Calculus, EquationModel, InitialDistribution, InitialValues, Rows, RowsMut, StochasticProblem,
    StochasticSystem,
};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Default number of steps.
pub(super) const STEPS: usize = 1000;

pub(super) fn register(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(sde_equation, module)?)?;
    module.add_function(wrap_pyfunction!(simulate_equation, module)?)
}

/// Equation of a text or of a name of the catalogue, with values of its parameters and an interval in place of its
/// own; and its default number of steps.
///
/// # Errors
/// `EquationError` for a text that is no equation; `InputError` for parameters that it does not have.
pub(super) fn parsed(
    text: &str,
    parameters: &[(String, f64)],
    t_span: Option<(f64, f64)>,
) -> PyResult<(Equation, usize)> {
    let (mut equation, steps) = match catalogue::named(text) {
        Some(entry) => (entry.equation().or_raise()?, entry.steps),
        None => (Equation::parse(text).or_raise()?, STEPS),
    };
    for (name, value) in parameters {
        if equation.parameter(name).is_none() {
            let known = equation.parameters().iter().map(|parameter| parameter.name());
            return Err(unknown("parameter of the equation", name, known));
        }
        equation.set(name, *value).or_raise()?;
    }
    let equation = match t_span {
        Some(t_span) => equation.with_interval(t_span),
        None => equation,
    };
    Ok((equation, steps))
}

/// Names of the observables, the parameters with their values, interval and number of steps of an equation.
#[pyfunction]
fn sde_equation<'py>(
    py: Python<'py>,
    text: &str,
    parameters: Vec<(String, f64)>,
    t_span: Option<(f64, f64)>,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, &parameters, t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    let dict = PyDict::new(py);
    dict.set_item("observables", model.observables())?;
    let states = equation.states().iter().map(|state| state.name().to_owned());
    dict.set_item("states", states.collect::<Vec<_>>())?;
    let parameters = equation.parameters().iter();
    let parameters = parameters.map(|p| (p.name().to_owned(), p.value()));
    dict.set_item("parameters", parameters.collect::<Vec<_>>())?;
    dict.set_item("t_span", model.interval())?;
    dict.set_item("steps", steps)?;
    dict.set_item("scheme", model.scheme_name())?;
    Ok(dict)
}

/// Ensemble of an equation.
#[pyfunction]
fn simulate_equation<'py>(
    py: Python<'py>,
    text: &str,
    parameters: Vec<(String, f64)>,
    settings: Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let (equation, steps) = parsed(text, &parameters, settings.t_span)?;
    let model = EquationModel::new(&equation).map_err(of_model)?;
    if settings.single {
        ensemble::<f32>(py, &model, steps, &settings)
    } else {
        ensemble::<f64>(py, &model, steps, &settings)
    }
}

fn ensemble<'py, T: Variate + Execute + numpy::Element>(
    py: Python<'py>,
    model: &EquationModel,
    steps: usize,
    settings: &Settings,
) -> PyResult<Bound<'py, PyDict>> {
    let statistics = settings.statistics(observables::<T>(model)?)?;
    let own = model.problem::<T>(settings.seed).map_err(of_model)?;
    let problem = problem(model, &own, settings.seed)?;
    solved(py, (model, &problem), steps, settings, &statistics)
}

/// Solves a problem of a model and collects statistics.
pub(super) fn solved<'py, T: Variate + numpy::Element>(
    py: Python<'py>,
    (model, problem): (&EquationModel, &DynProblem<'_, T>),
    steps: usize,
    settings: &Settings,
    statistics: &Statistics<'_, T>,
) -> PyResult<Bound<'py, PyDict>> {
    let ensemble = settings.ensemble(steps)?;
    let noise = settings.mirrored(model.noise::<T>(settings.seed).map_err(of_model)?)?;
    let discretisation = Discretisation::chosen(settings, problem, &*noise)?;
    let watch = Watch::default();
    let solve = || {
        let reporter = watch.reporter();
        let ensemble = watched(ensemble, &watch, &reporter);
        discretisation.solve(&ensemble, problem, &*noise, statistics, settings)
    };
    let collected = attended(py, &watch, settings.threads, settings.progress.as_ref(), solve)?;
    let dict = collected.into_dict(py)?;
    discretisation.report(&dict)?;
    Ok(dict)
}

/// The problem of a model with its coefficients behind a pointer.
///
/// # Errors
/// `InputError` for invalid numbers.
pub(super) fn problem<'a, T: Variate, S: StochasticSystem<T>>(
    model: &EquationModel,
    own: &'a StochasticProblem<T, S>,
    seed: u64,
) -> PyResult<DynProblem<'a, T>> {
    with_system(model, own, own.system() as &dyn StochasticSystem<T>, seed)
}

/// The problem of a model with a system of the same coefficients.
///
/// # Errors
/// `InputError` for invalid numbers.
pub(super) fn with_system<T: Variate, S: StochasticSystem<T>, R: StochasticSystem<T>>(
    model: &EquationModel,
    own: &StochasticProblem<T, S>,
    system: R,
    seed: u64,
) -> PyResult<StochasticProblem<T, R>> {
    let start: Vec<T> = match own.start() {
        InitialValues::Common(start) | InitialValues::Random(start) => start.to_vec(),
        InitialValues::Each(_) => return Err(errors::input("an equation has no starts by path")),
    };
    let problem = StochasticProblem::new(system, model.interval(), &start).map_err(of_sde)?;
    let mut problem = problem.of_orders(own.orders()).map_err(of_sde)?;
    if own.calculus() == Calculus::Stratonovich {
        problem = problem.stratonovich();
    }
    let equation = model.equation();
    for (component, state) in equation.states().iter().enumerate() {
        let Some(random) = state.random_start() else { continue };
        let [a, b] = random.numbers().map(|number| equation.value(number));
        let distribution = match random.distribution() {
            Distribution::Normal => InitialDistribution::Normal { mean: a, standard_deviation: b },
            Distribution::Uniform => InitialDistribution::Uniform { low: a, high: b },
            Distribution::LogNormal => {
                InitialDistribution::LogNormal { mean: a, standard_deviation: b }
            }
        };
        problem = problem.with_random_start(component, distribution, seed).map_err(of_sde)?;
    }
    for event in own.stop_events() {
        problem = problem.stopping_when(event.clone());
    }
    Ok(problem)
}

/// States and shown expressions, if the equation shows any.
fn observables<T: Variate + Execute>(
    model: &EquationModel,
) -> PyResult<Option<Observables<'static, T>>> {
    let equation = model.equation();
    if equation.shown().is_empty() {
        return Ok(None);
    }
    let roots: Vec<Id> = equation.shown().iter().map(|shown| shown.value()).collect();
    let input = |symbol: &Symbol| match *symbol {
        Symbol::State(k) => Input::Row(k),
        Symbol::Parameter(k) => Input::Uniform(1 + k),
        _ => Input::Uniform(0),
    };
    let inputs: Vec<Input> = equation.symbols().iter().map(input).collect();
    let program = Program::<T>::new(equation.graph(), &roots, &inputs);
    let program = program.map_err(|error| of_model(error.into()))?;
    let parameters: Vec<f64> = equation.parameters().iter().map(|p| p.value()).collect();
    let write = move |t: f64, state: Rows<'_, T>, mut observed: RowsMut<'_, T>| {
        let lanes = state.lanes();
        let (states, shown) = observed.as_mut_slice().split_at_mut(state.as_slice().len());
        states.copy_from_slice(state.as_slice());
        let out = [RowsMut::new(shown, lanes), RowsMut::new(&mut [], lanes)];
        program.run_shared(Arch::new(), state, (t, &parameters), out);
    };
    Ok(Some(Observables { names: model.observables(), write: Box::new(write) }))
}
