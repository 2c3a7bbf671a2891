//! Solves an equation of a text, without the interpreter's lock.

use super::control;
use super::equation::PyEquation;
use super::method::Method;
use super::solution::{Origin, PySolution};
use crate::arrays;
use crate::errors;
use crate::running::Cancel;
use hpfracc::Error;
use hpfracc::equation::{Derivative, Equation};
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{AnyScheme, EquationProblem, EquationSolution, Observer, Progress, SaveAt};
use ndarray::Array2;
use pyo3::prelude::*;

/// Equation and how it is solved.
struct Request {
    equation: Equation,
    method: Method,
    scheme: AnyScheme,
    history: HistoryChoice,
    /// Times at which states are stored during the solve.
    times: Option<Vec<f64>>,
}

/// Failure of a solve with the part before it.
pub(super) struct Failed {
    pub(super) error: Error,
    pub(super) partial: Option<PySolution>,
}

impl<E: Into<Error>> From<E> for Failed {
    fn from(error: E) -> Self {
        Self { error: error.into(), partial: None }
    }
}

/// Break points of a problem with delays: many for one delay, few for more, whose sums multiply.
pub(super) fn levels(delays: usize) -> usize {
    if delays > 1 { 6 } else { 1000 }
}

/// Largest numbers of states, of nodes of the graph, and of fixed steps times states of a small solve.
const SMALL: (usize, usize, usize) = (8, 1000, 4096);

impl Request {
    /// Whether each step takes microseconds, and all weights some milliseconds at most.
    fn is_small(&self) -> bool {
        let (states, nodes) = (self.equation.states().len(), self.equation.graph().len());
        let steps = self.method.steps().count().unwrap_or(0);
        let costly_weights = matches!(self.scheme, AnyScheme::Exponential(_));
        states <= SMALL.0 && nodes <= SMALL.1 && steps * states <= SMALL.2 && !costly_weights
    }

    fn solve(
        self,
        cancel: &Cancel,
        progress: &mut dyn FnMut(Progress),
    ) -> Result<PySolution, Box<Failed>> {
        let boxed = |failed: Failed| Box::new(failed);
        let problem = EquationProblem::new(&self.equation).map_err(|error| boxed(error.into()))?;
        let breaks = problem.break_points(levels(self.equation.delays().len()));
        let scheme = self.scheme.clone().with_breaks(&breaks.unwrap_or_default());
        let times = self.times.as_deref().map(SaveAt::times_of).transpose();
        let mut saved = times.map_err(|error| boxed(error.into()))?;
        let mut options = self.method.options(self.history);
        options.progress = Some(progress);
        options.cancel = Some(cancel.flag());
        options.observers.extend(saved.as_mut().map(|saved| saved as &mut dyn Observer));
        let result = problem.solve(&scheme, &self.method.steps(), options);
        let saved = saved.map(|saved| (saved.times().to_vec(), saved.states().to_owned()));
        match result {
            // After an interruption nobody receives the solution.
            Ok(solution) if cancel.requested() => Ok(self.finish(&solution, scheme, saved, false)),
            Ok(solution) => Ok(self.finish(&solution, scheme, saved, true)),
            Err(failure) => {
                let partial = failure.partial.as_deref();
                let partial = partial
                    .and_then(|partial| problem.solution_of(partial.clone(), Vec::new()).ok());
                let partial = partial.map(|partial| self.finish(&partial, scheme, saved, true));
                Err(boxed(Failed { error: failure.into(), partial }))
            }
        }
    }

    fn finish(
        self,
        solution: &EquationSolution,
        scheme: AnyScheme,
        saved: Option<(Vec<f64>, Array2<f64>)>,
        whole: bool,
    ) -> PySolution {
        let Self { equation, history, .. } = self;
        let plain = is_plain(&equation);
        let shows = whole && !equation.shown().is_empty();
        let nodes = solution.times().len();
        PySolution {
            states: (whole && !plain).then(|| solution.states()),
            shown: if shows { solution.shown_at_nodes() } else { Array2::zeros((nodes, 0)) },
            dim: equation.states().len(),
            hits: solution.hits().to_vec(),
            saved,
            solution: solution.solution().clone(),
            origin: Origin::Equation { equation: Box::new(equation), scheme, history, plain },
        }
    }
}

/// Whether the states of the solver are those of the equation.
fn is_plain(equation: &Equation) -> bool {
    equation.states().iter().all(|state| state.definition() == Derivative::Caputo)
}

/// Solution or exception, as a pair, so that the exception has the part before the failure.
pub(super) type Outcome = (Option<PySolution>, Option<Py<PyAny>>);

/// The pair of a failure.
pub(super) fn outcome(py: Python<'_>, error: PyErr, partial: Option<PySolution>) -> Outcome {
    (partial, Some(error.into_value(py).into_any()))
}

/// Solves an equation.
#[pyfunction]
pub(super) fn solve_equation(
    py: Python<'_>,
    equation: &PyEquation,
    method: Method,
    times: Option<&Bound<'_, PyAny>>,
    report: Option<&Bound<'_, PyAny>>,
) -> PyResult<Outcome> {
    let (scheme, history) = (method.scheme()?, method.history()?);
    let times = times.map(|times| arrays::vector("t_eval", times)).transpose()?;
    let equation = equation.equation().clone();
    if method.saves_last() && !is_plain(&equation) {
        return Err(errors::input(
            "save is \"last\", which stores states of equations with Caputo derivatives only; leave it out",
        ));
    }
    let request = Request { equation, method, scheme, history, times };
    let small = request.is_small();
    match control::solve(py, report, small, |cancel, progress| request.solve(cancel, progress))? {
        Ok(solution) => Ok((Some(solution), None)),
        Err(failed) => Ok(outcome(py, errors::raise(failed.error), failed.partial)),
    }
}
