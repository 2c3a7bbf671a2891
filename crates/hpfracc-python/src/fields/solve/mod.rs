//! Solves equations of fields, by time steps or without them.

pub(super) mod gradient;
pub(crate) mod problem;
mod settings;

use crate::errors::{Kind, OrRaise};
use crate::fields::equation::PyFieldEquation;
use crate::fields::grid::PyBox;
use crate::fields::operator::PyOperator;
use crate::ode::control::{self, Control};
use crate::ode::solution::counts;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{DenseOutput, Observer, ObserverAction, OdeError, Progress, Trajectory};
use hpfracc::pde::{
    Equation, FieldProblem, PdeError, Settings, Shown, TimeScheme, solve, solve_linear,
};
use hpfracc::types::check_memory;
use ndarray::Array2;
use numpy::{IntoPyArray, PyArray1, PyArray2};
use problem::FaceValue;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use settings::{SolveSettings, WITHOUT_STEPS, name};

/// Times, all fields at each of them, what the text shows there, counts of the steps, and the method.
type Solved<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray2<f64>>,
    Vec<(String, Bound<'py, PyArray2<f64>>)>,
    Option<Bound<'py, PyDict>>,
    &'static str,
);

/// Records the progress at each node.
struct AtNodes<'a> {
    control: &'a Control,
    until: f64,
    nodes: usize,
}

impl Observer for AtNodes<'_> {
    fn node(&mut self, past: &Trajectory, _: &dyn DenseOutput) -> Result<ObserverAction, OdeError> {
        let t = past.times()[past.times().len() - 1];
        self.control.record(Progress { t, t1: self.until, steps: self.nodes });
        self.nodes += 1;
        Ok(ObserverAction::Continue)
    }
}

/// Solves an equation on a box, or with an operator in place of -lap.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "the parts of a problem, as Python names them")]
pub(super) fn solve_fields<'py>(
    py: Python<'py>,
    equation: &PyFieldEquation,
    grid: Option<&PyBox>,
    operator: Option<&PyOperator>,
    values: Vec<FaceValue>,
    start: Vec<Option<Bound<'py, PyAny>>>,
    velocity: Vec<Option<Bound<'py, PyAny>>>,
    settings: SolveSettings,
    report: Option<&Bound<'py, PyAny>>,
) -> PyResult<Solved<'py>> {
    let problem = problem::on_points(equation, grid, operator, values)?;
    let scheme = settings.scheme(&problem)?;
    let own = if scheme.is_some() { problem.equation() } else { problem.linear_equation() };
    let rows_of_start = problem::rows(start, velocity)?;
    let equation = problem::with_start(&problem, own.or_raise()?, &rows_of_start)?;
    let shown = problem.shown().or_raise()?;
    let (len, times) = (equation.len(), settings.save.len());
    // The states, and their copy as one array; a row of each shown quantity.
    let numbers = 2 * len + equation.n() * shown.names().len();
    check_memory(numbers as f64 * times as f64).map_err(|error| {
        Kind::Memory.error(format!("fields of {len} values at {times} times: {error}"))
    })?;
    let Some(scheme) = scheme else {
        let tolerance = settings.tolerance.unwrap_or(problem.default_tolerance());
        let SolveSettings { save, .. } = settings;
        let times = save.clone();
        let run = move |_: &Control| solve_linear(&equation, &times, tolerance);
        let states = control::run(py, report, run)?.or_raise()?;
        let shown = values_of(py, &shown, &save, &states);
        let states = rows(states, len).into_pyarray(py);
        return Ok((PyArray1::from_vec(py, save), states, shown, None, WITHOUT_STEPS));
    };
    let history = settings.history()?;
    let lowest = problem.orders().into_iter().fold(2.0, f64::min);
    let run = move |control: &Control| {
        stepped(&problem, &equation, (scheme, history), (&settings, lowest), control)
    };
    let solution = control::run(py, report, run)?.or_raise()?;
    let statistics = counts(py, solution.statistics())?;
    let times = PyArray1::from_slice(py, solution.times());
    let shown = values_of(py, &shown, solution.times(), solution.saved());
    let states = rows(solution.saved().to_vec(), len).into_pyarray(py);
    Ok((times, states, shown, Some(statistics), name(scheme)))
}

/// Names of the shown quantities, with a row of values at all points for each time.
fn values_of<'py>(
    py: Python<'py>,
    shown: &Shown,
    times: &[f64],
    states: &[Vec<f64>],
) -> Vec<(String, Bound<'py, PyArray2<f64>>)> {
    let mut all = vec![Vec::with_capacity(times.len()); shown.names().len()];
    for (t, u) in times.iter().zip(states) {
        all.iter_mut().zip(shown.at(*t, u)).for_each(|(rows, row)| rows.push(row));
    }
    let array = |(name, of): (&String, Vec<Vec<f64>>)| {
        let len = of.first().map_or(0, Vec::len);
        (name.clone(), rows(of, len).into_pyarray(py))
    };
    shown.names().iter().zip(all).map(array).collect()
}

fn stepped(
    problem: &FieldProblem,
    equation: &Equation<'_>,
    (scheme, history): (TimeScheme, HistoryChoice),
    (settings, lowest): (&SolveSettings, f64),
    control: &Control,
) -> Result<hpfracc::pde::Solution, PdeError> {
    let mut at_nodes = AtNodes { control, until: settings.until, nodes: 0 };
    let mut events = problem.events()?;
    let mut observers: Vec<&mut dyn Observer> = vec![&mut at_nodes];
    observers.extend(events.iter_mut().map(|event| event as &mut dyn Observer));
    let settings_of_solve = Settings {
        scheme,
        steps: Some(settings.steps(lowest)?),
        history,
        save: settings.save.clone(),
        observers,
        cancel: Some(control.cancel.flag()),
    };
    solve(equation, settings.until, settings_of_solve)
}

/// States of this length as one array, a row each.
fn rows(states: Vec<Vec<f64>>, len: usize) -> Array2<f64> {
    let mut all = Array2::zeros((states.len(), len));
    for (mut row, state) in all.rows_mut().into_iter().zip(states) {
        row.iter_mut().zip(state).for_each(|(to, value)| *to = value);
    }
    all
}
