//! The class `SolutionCore`: nodes, dense output and derivatives of a solution.

use super::calls::Calls;
use super::control;
use super::function::{Callable, Form};
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::Error;
use hpfracc::equation::Equation;
use hpfracc::ode::history::HistoryChoice;
use hpfracc::ode::{
    AnyScheme, AtanganaBaleanu, CaputoFabrizio, Cotangents, EquationProblem, EquationProblemError,
    EquationSolution, EventHit, InitialConsistency, Nonsingular, OdeError, Options, Problem, Rhs,
    RiemannLiouville, Solution, Statistics, Status, System,
};
use ndarray::{Array2, ArrayView2, s};
use numpy::{IntoPyArray, PyArray1, PyArray2, PyUntypedArrayMethods};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Equation of a solution, from which states between the nodes are computed.
pub(super) enum Origin {
    /// A text, with the scheme and the history of its solve.
    Equation { equation: Box<Equation>, scheme: AnyScheme, history: HistoryChoice, plain: bool },
    /// A function whose states are the leading components of the solver's.
    Function,
    /// A function with Riemann-Liouville derivatives.
    RiemannLiouville { alpha: f64, slope: Vec<f64>, interval: (f64, f64), initial: Vec<Vec<f64>> },
    /// A function with derivatives of nonsingular kernel.
    Nonsingular(NonsingularFunction),
}

/// Function with a derivative of nonsingular kernel.
pub(super) struct NonsingularFunction {
    pub(super) exponential: bool,
    pub(super) alpha: f64,
    pub(super) interval: (f64, f64),
    pub(super) initial: Vec<f64>,
    pub(super) shape: Vec<usize>,
    pub(super) function: Py<PyAny>,
    pub(super) args: Py<PyTuple>,
}

impl NonsingularFunction {
    /// The problem, with a right-hand side that records its exceptions.
    ///
    /// # Errors
    /// Exceptions of the function at the start, and those of the problem.
    pub(super) fn problem<S: System>(
        &self,
        calls: &Calls,
        system: S,
    ) -> PyResult<Problem<Nonsingular<S>>> {
        let start = InitialConsistency::Relaxed;
        let problem = if self.exponential {
            CaputoFabrizio::new(self.alpha).problem(self.interval, &self.initial, start, system)
        } else {
            AtanganaBaleanu::new(self.alpha).problem(self.interval, &self.initial, start, system)
        };
        calls.raise()?;
        problem.or_raise()
    }

    /// The function as a system.
    pub(super) fn system<'a, 'py>(&self, py: Python<'py>, calls: &'a Calls) -> Callable<'a, 'py> {
        Callable {
            calls,
            function: self.function.bind(py).clone(),
            jacobian: None,
            vectorized: false,
            args: self.args.bind(py).clone(),
            shape: self.shape.clone(),
            form: Form::Plain,
        }
    }
}

/// Solution of an equation.
#[pyclass(name = "SolutionCore", module = "hpfracc._hpfracc", frozen)]
pub(crate) struct PySolution {
    pub(super) solution: Solution,
    /// States at the nodes, where they are not the leading components of the solver's.
    pub(super) states: Option<Array2<f64>>,
    /// Shown quantities at the nodes.
    pub(super) shown: Array2<f64>,
    /// Number of states.
    pub(super) dim: usize,
    pub(super) hits: Vec<Vec<EventHit>>,
    /// Times and states that were stored during the solve.
    pub(super) saved: Option<(Vec<f64>, Array2<f64>)>,
    pub(super) origin: Origin,
}

/// Rows as columns, in standard order.
pub(super) fn columns<'py>(
    py: Python<'py>,
    rows: ArrayView2<'_, f64>,
) -> Bound<'py, PyArray2<f64>> {
    rows.t().as_standard_layout().into_owned().into_pyarray(py)
}

impl PySolution {
    fn equation(&self, what: &str) -> PyResult<(Equation, AnyScheme, HistoryChoice)> {
        match &self.origin {
            Origin::Equation { equation, scheme, history, .. } => {
                Ok((Equation::clone(equation), scheme.clone(), *history))
            }
            _ => Err(errors::input(format!(
                "{what} of a function: write the equation as a text, whose derivatives are known"
            ))),
        }
    }

    /// States at some times, a row each.
    fn rows(&self, py: Python<'_>, times: &[f64]) -> PyResult<Array2<f64>> {
        match &self.origin {
            Origin::Function | Origin::Equation { plain: true, .. } => {
                let all = py.detach(|| self.solution.at_many(times)).or_raise()?;
                Ok(all.slice_move(s![.., ..self.dim]))
            }
            Origin::Equation { equation, .. } => {
                let rows = py.detach(|| {
                    let solution = of_equation(equation, &self.solution)?;
                    let at = |t| {
                        solution.at(t).or_else(|error| match solution.infinite_at_start(t) {
                            Ok(row) => Ok(row),
                            Err(_) => Err(error),
                        })
                    };
                    Ok::<_, Error>(times.iter().map(|t| at(*t)).collect::<Result<Vec<_>, _>>()?)
                });
                Ok(array_of(&rows.or_raise()?, self.dim))
            }
            Origin::RiemannLiouville { alpha, slope, interval, initial } => {
                let zero = Rhs(|_: f64, _: &[f64], out: &mut [f64]| out.fill(0.0));
                let initial: Vec<&[f64]> = initial.iter().map(Vec::as_slice).collect();
                let problem = RiemannLiouville::problem(*alpha, slope, *interval, &initial, zero);
                let problem = problem.or_raise()?;
                let at = |t: f64| match problem.system().value(&self.solution, t) {
                    Err(OdeError::Outside { .. }) if t == interval.0 => {
                        Ok(vec![f64::NAN; self.dim])
                    }
                    result => result,
                };
                let rows =
                    times.iter().map(|t| at(*t)).collect::<Result<Vec<_>, _>>().or_raise()?;
                Ok(array_of(&rows, self.dim))
            }
            Origin::Nonsingular(function) => {
                let calls = Calls::new();
                let problem = function.problem(&calls, function.system(py, &calls))?;
                let rows = nonsingular_rows(&problem, &self.solution, times);
                calls.raise()?;
                Ok(array_of(&rows.or_raise()?, self.dim))
            }
        }
    }
}

/// States of a problem with a nonsingular kernel at some times, a row each.
pub(super) fn nonsingular_rows<S: System>(
    problem: &Problem<Nonsingular<S>>,
    solution: &Solution,
    times: &[f64],
) -> Result<Vec<Vec<f64>>, OdeError> {
    times.iter().map(|t| problem.system().value(solution, *t)).collect()
}

/// Rows of this length as an array.
pub(super) fn array_of(rows: &[Vec<f64>], dim: usize) -> Array2<f64> {
    Array2::from_shape_fn((rows.len(), dim), |(row, column)| rows[row][column])
}

/// Counts of a solve by name.
pub(crate) fn counts<'py>(
    py: Python<'py>,
    statistics: &Statistics,
) -> PyResult<Bound<'py, PyDict>> {
    let counts = PyDict::new(py);
    counts.set_item("steps", statistics.steps)?;
    counts.set_item("evaluations", statistics.evaluations)?;
    counts.set_item("rejections", statistics.rejections)?;
    counts.set_item("newton_iterations", statistics.newton_iterations)?;
    counts.set_item("jacobians", statistics.jacobians)?;
    counts.set_item("unknowns", statistics.unknowns)?;
    counts.set_item("jumps", statistics.jumps)?;
    counts.set_item("stability", statistics.stability.map(|hint| (hint.t, hint.excess)))?;
    Ok(counts)
}

/// Solution of an equation from that of the solver.
fn of_equation(
    equation: &Equation,
    solution: &Solution,
) -> Result<EquationSolution, EquationProblemError> {
    let problem = EquationProblem::new(equation)?;
    Ok(problem.solution_of(solution.clone(), Vec::new())?)
}

#[pymethods]
impl PySolution {
    /// Times of the nodes.
    fn times<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray1<f64>> {
        PyArray1::from_slice(py, self.solution.times())
    }

    /// States at the nodes, a row for each component.
    fn states<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        match &self.states {
            Some(states) => columns(py, states.view()),
            None => columns(py, self.solution.states().slice(s![.., ..self.dim])),
        }
    }

    /// Shown quantities at the nodes, a row each.
    fn shown<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray2<f64>> {
        columns(py, self.shown.view())
    }

    /// Times and states that were stored during the solve.
    #[expect(clippy::type_complexity, reason = "two arrays")]
    fn saved<'py>(
        &self,
        py: Python<'py>,
    ) -> Option<(Bound<'py, PyArray1<f64>>, Bound<'py, PyArray2<f64>>)> {
        let (times, states) = self.saved.as_ref()?;
        let states = states.slice(s![.., ..self.dim]);
        Some((PyArray1::from_slice(py, times), columns(py, states)))
    }

    /// Times of each event, and the states there, a row for each time.
    #[expect(clippy::type_complexity, reason = "two lists of arrays")]
    fn hits<'py>(
        &self,
        py: Python<'py>,
    ) -> (Vec<Bound<'py, PyArray1<f64>>>, Vec<Bound<'py, PyArray2<f64>>>) {
        let one = |hits: &Vec<EventHit>| {
            let times: Vec<f64> = hits.iter().map(|hit| hit.t).collect();
            let states = Array2::from_shape_fn((hits.len(), self.dim), |(k, i)| hits[k].y[i]);
            (times.into_pyarray(py), states.into_pyarray(py))
        };
        self.hits.iter().map(one).unzip()
    }

    /// States at some times, a row for each component.
    fn at<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let times = arrays::vector("t", times)?;
        Ok(columns(py, self.rows(py, &times)?.view()))
    }

    /// Shown quantities at some times, a row each.
    fn shown_at<'py>(
        &self,
        py: Python<'py>,
        times: &Bound<'py, PyAny>,
    ) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let times = arrays::vector("t", times)?;
        let (equation, ..) = self.equation("the shown quantities")?;
        let rows = py.detach(|| {
            let solution = of_equation(&equation, &self.solution)?;
            let unknown = vec![f64::NAN; self.shown.ncols()];
            let at = |t| match solution.shown(t) {
                Err(_) if solution.infinite_at_start(t).is_ok() => Ok(unknown.clone()),
                result => result,
            };
            Ok::<_, Error>(times.iter().map(|t| at(*t)).collect::<Result<Vec<_>, _>>()?)
        });
        Ok(columns(py, array_of(&rows.or_raise()?, self.shown.ncols()).view()))
    }

    fn statistics<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        counts(py, self.solution.statistics())
    }

    fn status(&self) -> &'static str {
        match self.solution.status() {
            Status::Complete => "complete",
            Status::Stopped => "stopped",
            Status::Cancelled => "cancelled",
            _ => "failed",
        }
    }

    /// Gradient of a loss with respect to all parameters: cotangents have a row for each state.
    fn gradient<'py>(
        &self,
        py: Python<'py>,
        cotangents: &Bound<'py, PyAny>,
        report: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyArray1<f64>>> {
        let (equation, scheme, history) = self.equation("the gradient")?;
        let given = arrays::doubles("cotangents", cotangents)?;
        let (nodes, components) = self.solution.states().dim();
        if given.shape() != [self.dim, nodes] {
            let (found, dim) = (arrays::tuple(given.shape()), self.dim);
            return Err(errors::input(format!(
                "cotangents have the shape {found}, expected ({dim}, {nodes}): a row for each state, a column for \
                 each node"
            )));
        }
        let given = given.as_array();
        let mut loss = Array2::zeros((nodes, components));
        for ((node, component), bar) in loss.indexed_iter_mut() {
            if component < self.dim {
                *bar = given[[component, node]];
            }
        }
        let solution = self.solution.clone();
        let gradient = control::run(py, report, move |_| {
            let solution = of_equation(&equation, &solution)?;
            let options = Options { history, ..Options::default() };
            let loss = Cotangents::All(loss.view());
            solution.problem().gradient(&scheme, &solution, loss, &options)
        })?;
        Ok(gradient.or_raise()?.into_pyarray(py))
    }

    /// Derivatives of the states at the nodes with respect to parameters: a row for each state.
    fn sensitivities<'py>(
        &self,
        py: Python<'py>,
        parameters: Vec<String>,
        report: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
        let (equation, scheme, history) = self.equation("the sensitivity")?;
        let solution = self.solution.clone();
        let all = control::run(py, report, move |_| {
            let solution = of_equation(&equation, &solution)?;
            let options = Options { history, ..Options::default() };
            let names: Vec<&str> = parameters.iter().map(String::as_str).collect();
            let problem = solution.problem();
            problem.sensitivities(&scheme, &solution, &names, &options)
        })?;
        let all = all.or_raise()?;
        Ok(all.iter().map(|rows| columns(py, rows.slice(s![.., ..self.dim]))).collect())
    }
}
