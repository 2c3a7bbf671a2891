//! Solves an equation whose right-hand side is a function of Python.

use super::calls::Calls;
use super::delays::{PyDelays, PyHistory};
use super::events::EventRequest;
use super::function::DifferentiableCallable;
use super::function::{Callable, Coefficient, Form};
use super::method::Method;
use super::solution::{NonsingularFunction, Origin, PySolution, array_of, nonsingular_rows};
use super::solve_equation::{Outcome, levels, outcome};
use crate::errors::{self, Kind, OrRaise};
use hpfracc::ode::{
    AnyScheme, DelayProblem, Event, Failure, MultiTerm, Observer, Options, Problem,
    RiemannLiouville, SaveAt, Solution, System, solve,
};
use hpfracc::types::shortest;
use ndarray::Array2;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

/// Problem of a function, as the module `hpfracc.ode` writes it.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(super) struct FunctionRequest<'py> {
    function: Bound<'py, PyAny>,
    jac: Option<Bound<'py, PyAny>>,
    /// Derivatives with respect to parameters, their number, and products with both derivatives.
    jac_args: Option<Bound<'py, PyAny>>,
    vjp: Option<Bound<'py, PyAny>>,
    parameters: usize,
    vectorized: bool,
    args: Bound<'py, PyTuple>,
    /// Shape of y.
    shape: Vec<usize>,
    pub(super) interval: (f64, f64),
    pub(super) orders: Vec<f64>,
    /// Rows y, y', ...
    initial: Vec<Vec<f64>>,
    /// `caputo`, `lagged`, `lower`, `linear`, `riemann-liouville`, `caputo-fabrizio` or `atangana-baleanu`.
    pub(super) kind: String,
    /// Coefficients of a linear multi-term equation: numbers or functions.
    coefficients: Vec<Bound<'py, PyAny>>,
    /// Constant delays, or a function with their number.
    delays: Vec<f64>,
    delay_function: Option<Bound<'py, PyAny>>,
    delay_count: usize,
    /// State before the start, or a function.
    past: Vec<f64>,
    past_function: Option<Bound<'py, PyAny>>,
    /// Matrix J of a Riemann-Liouville equation, row by row.
    slope: Vec<f64>,
}

impl<'py> FunctionRequest<'py> {
    fn system<'a>(&self, calls: &'a Calls) -> Callable<'a, 'py> {
        let coefficient = |value: &Bound<'py, PyAny>| match value.extract::<f64>() {
            Ok(number) => Coefficient::Constant(number),
            Err(_) => Coefficient::OfTime(value.clone()),
        };
        let form = match self.kind.as_str() {
            "lagged" => Form::Lagged,
            "lower" => Form::Lower,
            "linear" => Form::Linear(self.coefficients.iter().map(coefficient).collect()),
            _ => Form::Plain,
        };
        Callable {
            calls,
            function: self.function.clone(),
            jacobian: self.jac.clone(),
            vectorized: self.vectorized,
            args: self.args.clone(),
            shape: self.shape.clone(),
            form,
        }
    }

    /// Whether the derivatives with respect to the state are given.
    pub(super) fn has_derivatives(&self) -> bool {
        self.jac.is_some() || self.vjp.is_some()
    }

    /// The system with its derivatives.
    pub(super) fn differentiable_system<'a>(
        &self,
        calls: &'a Calls,
    ) -> DifferentiableCallable<'a, 'py> {
        let (jac_args, vjp) = (self.jac_args.clone(), self.vjp.clone());
        DifferentiableCallable::new(self.system(calls), jac_args, vjp, self.parameters)
    }

    pub(super) fn rows(&self) -> Vec<&[f64]> {
        self.initial.iter().map(Vec::as_slice).collect()
    }

    fn history(&self) -> PyHistory<'py> {
        match &self.past_function {
            Some(function) => {
                PyHistory::Function { function: function.clone(), shape: self.shape.clone() }
            }
            None => PyHistory::Constant(self.past.clone()),
        }
    }

    fn delays<'a>(&self, calls: &'a Calls) -> PyDelays<'a, 'py> {
        match &self.delay_function {
            Some(function) => {
                let (function, shape) = (function.clone(), self.shape.clone());
                PyDelays::Function { calls, function, count: self.delay_count, shape }
            }
            None => PyDelays::Constant(self.delays.clone()),
        }
    }
}

/// A solve with its callbacks.
struct Run<'a, 'py> {
    calls: &'a Calls,
    method: &'a Method,
    scheme: AnyScheme,
    events: Vec<Event<'a>>,
    saved: Option<SaveAt>,
    report: Option<&'a Bound<'py, PyAny>>,
}

impl Run<'_, '_> {
    /// Runs a solve with the options.
    fn with_options(
        &mut self,
        solve: impl FnOnce(&AnyScheme, Options<'_>) -> Result<Solution, Failure>,
    ) -> PyResult<Result<Solution, Failure>> {
        let Self { calls, method, scheme, events, saved, report } = self;
        let mut options = method.options(method.history()?);
        let mut progress = |progress: hpfracc::ode::Progress| {
            calls.report(|_| match report {
                Some(report) => report.call1((progress.t, progress.steps)).map(drop),
                None => Ok(()),
            });
        };
        options.progress = Some(&mut progress);
        options.cancel = Some(&calls.cancel);
        options.observers.extend(events.iter_mut().map(|event| event as &mut dyn Observer));
        options.observers.extend(saved.as_mut().map(|saved| saved as &mut dyn Observer));
        let result = solve(scheme, options);
        calls.raise()?;
        Ok(result)
    }

    fn problem<S: System>(&mut self, problem: &Problem<S>) -> PyResult<Result<Solution, Failure>> {
        let steps = self.method.steps();
        self.with_options(|scheme, options| solve(problem, scheme, &steps, options))
    }
}

/// Solution of the solver, states where they are not its leading components, and the origin.
type Solved = (Result<Solution, Failure>, Option<Array2<f64>>, Origin);

/// Solves the problem of the request's kind.
fn solve_kind<'py>(
    py: Python<'py>,
    request: &FunctionRequest<'py>,
    run: &mut Run<'_, 'py>,
) -> PyResult<Solved> {
    let (calls, rows) = (run.calls, request.rows());
    let FunctionRequest { orders, interval, .. } = request;
    let system = request.system(calls);
    match request.kind.as_str() {
        "caputo" => {
            let problem = Problem::of(system, orders, *interval, &rows).or_raise()?;
            Ok((run.problem(&problem)?, None, Origin::Function))
        }
        "lower" | "linear" => {
            let problem = MultiTerm::of(system, orders, *interval, &rows).or_raise()?;
            Ok((run.problem(&problem)?, None, Origin::Function))
        }
        "lagged" => {
            let history = request.history();
            let phi = |t: f64, y: &mut [f64]| history.write(calls, t, y);
            let delays = request.delays(calls);
            let count = request.delays.len();
            let problem = DelayProblem::of(system, orders, *interval, &rows, (delays, phi));
            let problem = problem.or_raise()?;
            let breaks = problem.break_points(levels(count)).unwrap_or_default();
            run.scheme = run.scheme.clone().with_breaks(&breaks);
            let steps = run.method.steps();
            let solved =
                run.with_options(|scheme, options| problem.solve(scheme, &steps, options))?;
            Ok((solved, None, Origin::Function))
        }
        "riemann-liouville" => {
            let (alpha, slope) = (orders[0], request.slope.clone());
            let problem = RiemannLiouville::problem(alpha, &slope, *interval, &rows, system);
            calls.raise()?;
            let problem = problem.or_raise()?;
            let (solved, initial) = (run.problem(&problem)?, request.initial.clone());
            let of = solution_of(&solved).map(|solution| {
                let value = |t: &f64| problem.system().value(solution, *t);
                let value = |t| value(t).unwrap_or_else(|_| vec![f64::NAN; rows[0].len()]);
                array_of(&solution.times().iter().map(value).collect::<Vec<_>>(), rows[0].len())
            });
            let interval = *interval;
            Ok((solved, of, Origin::RiemannLiouville { alpha, slope, interval, initial }))
        }
        _ => {
            let function = NonsingularFunction {
                exponential: request.kind == "caputo-fabrizio",
                alpha: orders[0],
                interval: *interval,
                initial: request.initial[0].clone(),
                shape: request.shape.clone(),
                function: request.function.clone().unbind(),
                args: request.args.clone().unbind(),
            };
            let problem = function.problem(calls, function.system(py, calls))?;
            let solved = run.problem(&problem)?;
            let rows = solution_of(&solved)
                .map(|solution| nonsingular_rows(&problem, solution, solution.times()))
                .transpose();
            calls.raise()?;
            let states = rows.or_raise()?.map(|rows| array_of(&rows, function.initial.len()));
            Ok((solved, states, Origin::Nonsingular(function)))
        }
    }
}

/// The solution, or that before a failure.
fn solution_of(solved: &Result<Solution, Failure>) -> Option<&Solution> {
    match solved {
        Ok(solution) => Some(solution),
        Err(failure) => failure.partial.as_deref(),
    }
}

/// Solves an equation whose right-hand side is a function.
#[pyfunction]
pub(super) fn solve_function<'py>(
    py: Python<'py>,
    request: FunctionRequest<'py>,
    method: Method,
    events: Vec<EventRequest<'py>>,
    times: Option<Vec<f64>>,
    report: Option<Bound<'py, PyAny>>,
) -> PyResult<Outcome> {
    let (calls, dim) = (Calls::new(), request.shape.iter().product());
    let saved = times.map(|times| SaveAt::times_of(&times)).transpose().or_raise()?;
    let observer = |event| EventRequest::observer(event, &calls, &request.shape, &request.args);
    let events = events.iter().map(observer).collect();
    let (scheme, report) = (method.scheme()?, report.as_ref());
    let mut run = Run { calls: &calls, method: &method, scheme, events, saved, report };
    let (solved, states, origin) = solve_kind(py, &request, &mut run)?;
    let hits = run.events.iter().map(|event| event.hits().to_vec()).collect();
    let saved = run.saved.map(|saved| (saved.times().to_vec(), saved.states().to_owned()));
    let finish = |solution: Solution| {
        let shown = Array2::zeros((solution.times().len(), 0));
        PySolution { solution, states, shown, dim, hits, saved, origin }
    };
    match solved {
        Ok(solution) => Ok((Some(finish(solution)), None)),
        Err(failure) => {
            let partial = failure.partial.clone().map(|partial| finish(*partial));
            Ok(outcome(py, raise(failure, &calls), partial))
        }
    }
}

/// Exception of a failure, which says where the function was not finite.
fn raise(failure: Failure, calls: &Calls) -> PyErr {
    let error = errors::raise(failure.into());
    match calls.first_not_finite() {
        Some((t, component)) => Python::attach(|py| {
            let (error, t) = (error.value(py), shortest(t));
            Kind::Solver.error(format!(
                "{error}; f was not finite first at t = {t}, in component {component}"
            ))
        }),
        None => error,
    }
}
