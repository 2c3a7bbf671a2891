//! Derivatives of solutions of functions of Python.

use super::calls::Calls;
use super::function::DifferentiableCallable;
use super::method::Method;
use super::solution::{PySolution, columns};
use super::solve_function::FunctionRequest;
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::ode::{
    AnyScheme, Cotangents, Differentiable, MultiTerm, OdeError, Options, Problem, Solution,
    Variation, gradient, tangents,
};
use ndarray::{Array2, s};
use numpy::{IntoPyArray, PyArray1, PyArray2};
use pyo3::prelude::*;

/// Problem of a request, with derivatives.
enum Derived<'a, 'py> {
    Plain(Problem<DifferentiableCallable<'a, 'py>>),
    MultiTerm(Problem<MultiTerm<DifferentiableCallable<'a, 'py>>>),
}

impl<'a, 'py> Derived<'a, 'py> {
    fn of(request: &FunctionRequest<'py>, calls: &'a Calls) -> PyResult<Self> {
        if !request.has_derivatives() {
            return Err(errors::input(
                "derivatives of a solution of a function need those of the function: give solve jac(t, y, *args), and \
                 jac_args(t, y, *args) for parameters, or vjp(t, y, v, *args)",
            ));
        }
        let (orders, interval, rows) = (&request.orders, request.interval, request.rows());
        let system = request.differentiable_system(calls);
        match request.kind.as_str() {
            "caputo" => Ok(Self::Plain(Problem::of(system, orders, interval, &rows).or_raise()?)),
            "lower" | "linear" => {
                Ok(Self::MultiTerm(MultiTerm::of(system, orders, interval, &rows).or_raise()?))
            }
            kind => Err(errors::input(format!(
                "derivatives of a solution with {} are not known for functions: write the equation as a text",
                if kind == "lagged" { "delays" } else { kind }
            ))),
        }
    }
}

/// Scheme and options of the solve.
fn solved_by(method: &Method) -> PyResult<(AnyScheme, Options<'static>)> {
    Ok((method.scheme()?, Options { history: method.history()?, ..Options::default() }))
}

fn gradient_of<S: Differentiable>(
    problem: &Problem<S>,
    (scheme, options): &(AnyScheme, Options<'_>),
    solution: &Solution,
    given: &Array2<f64>,
) -> Result<Variation, OdeError> {
    let (nodes, dim) = solution.states().dim();
    let mut loss = Array2::zeros((nodes, dim));
    loss.slice_mut(s![.., ..given.ncols()]).assign(given);
    gradient(problem, scheme, solution, Cotangents::All(loss.view()), options)
}

/// Gradient by the rows of initial values, the parameters, and the orders.
type Parts<'py> = (Bound<'py, PyArray2<f64>>, Bound<'py, PyArray1<f64>>, Bound<'py, PyArray1<f64>>);

/// Gradient of a loss: cotangents have a row for each component.
#[pyfunction]
pub(super) fn function_gradient<'py>(
    py: Python<'py>,
    request: FunctionRequest<'py>,
    method: Method,
    solution: &PySolution,
    cotangents: &Bound<'py, PyAny>,
) -> PyResult<Parts<'py>> {
    let given = arrays::doubles("cotangents", cotangents)?;
    let given = given.as_array().into_dimensionality().map_err(|_| two_axes())?;
    let (loss, calls, by) = (given.t().to_owned(), Calls::new(), solved_by(&method)?);
    let bar = match Derived::of(&request, &calls)? {
        Derived::Plain(problem) => gradient_of(&problem, &by, &solution.solution, &loss),
        Derived::MultiTerm(problem) => gradient_of(&problem, &by, &solution.solution, &loss)
            .and_then(|bar| problem.system().pull_back(&bar)),
    };
    calls.raise()?;
    let Variation { initial, parameters, orders } = bar.or_raise()?;
    Ok((initial.into_pyarray(py), parameters.into_pyarray(py), orders.into_pyarray(py)))
}

fn two_axes() -> PyErr {
    errors::input("cotangents have another number of axes than 2: components and nodes")
}

fn tangents_of<S: Differentiable>(
    problem: &Problem<S>,
    (scheme, options): &(AnyScheme, Options<'_>),
    solution: &Solution,
    directions: &[Variation],
) -> Result<Vec<Array2<f64>>, OdeError> {
    tangents(problem, scheme, solution, directions, options)
}

/// Directions of initial rows, parameters and orders, each as a flat list.
type Direction = (Vec<f64>, Vec<f64>, Vec<f64>);

/// Derivatives of the states at the nodes in some directions: a row for each component.
#[pyfunction]
pub(super) fn function_sensitivities<'py>(
    py: Python<'py>,
    request: FunctionRequest<'py>,
    method: Method,
    solution: &PySolution,
    directions: Vec<Direction>,
) -> PyResult<Vec<Bound<'py, PyArray2<f64>>>> {
    let (calls, by, dim) = (Calls::new(), solved_by(&method)?, solution.dim);
    let variation = |(initial, parameters, orders): Direction| {
        let initial = Array2::from_shape_vec((initial.len() / dim, dim), initial)
            .map_err(|error| errors::input(format!("a direction of initial values: {error}")))?;
        Ok(Variation { initial, parameters, orders })
    };
    let directions: PyResult<Vec<Variation>> = directions.into_iter().map(variation).collect();
    let directions = directions?;
    let all = match Derived::of(&request, &calls)? {
        Derived::Plain(problem) => tangents_of(&problem, &by, &solution.solution, &directions),
        Derived::MultiTerm(problem) => {
            let pushed =
                directions.iter().map(|direction| problem.system().push_forward(direction));
            let pushed: Result<Vec<Variation>, OdeError> = pushed.collect();
            pushed.and_then(|pushed| tangents_of(&problem, &by, &solution.solution, &pushed))
        }
    };
    calls.raise()?;
    let all = all.or_raise()?;
    Ok(all.iter().map(|rows| columns(py, rows.slice(s![.., ..dim]))).collect())
}
