//! An equation on its points: a box with boundary values, or an operator in place of -lap.

use crate::arrays;
use crate::errors::{self, OrRaise};
use crate::fields::equation::{NAMES, PyFieldEquation};
use crate::fields::expression::Expression;
use crate::fields::grid::PyBox;
use crate::fields::operator::PyOperator;
use hpfracc::pde::{Equation, FieldProblem, PdeError};
use hpfracc::spatial::{End, Face};
use pyo3::prelude::*;

/// Boundary value of a field: field, axis, whether the face is the upper one, number or expression.
pub(crate) type FaceValue = (usize, usize, bool, Value);

/// Number, or expression of t, the coordinates and the parameters of the equation.
#[derive(FromPyObject)]
pub(crate) enum Value {
    Number(f64),
    Text(String),
}

/// Problem of an equation on a box or with an operator.
///
/// # Errors
/// `InputError` for an operator that is composed of others, `EquationError` for a text of a boundary value.
pub(super) fn on_points(
    equation: &PyFieldEquation,
    grid: Option<&PyBox>,
    operator: Option<&PyOperator>,
    values: Vec<FaceValue>,
) -> PyResult<FieldProblem> {
    let text = equation.equation().clone();
    let Some(grid) = grid else {
        let operator = operator.ok_or_else(|| errors::input("neither a box nor an operator"))?;
        return FieldProblem::with_operator(text, operator.owned()?).or_raise();
    };
    on_box(equation, grid, values, |_| true)
}

/// Problem of an equation on a box. Expressions of boundary values have those parameters of the equation that
/// `is_constant` names.
///
/// # Errors
/// `EquationError` for a text of a boundary value.
pub(crate) fn on_box(
    equation: &PyFieldEquation,
    grid: &PyBox,
    values: Vec<FaceValue>,
    is_constant: impl Fn(&str) -> bool,
) -> PyResult<FieldProblem> {
    let text = equation.equation();
    let all = text.parameters().iter().map(|p| (p.name().to_owned(), p.value()));
    let constants: Vec<(String, f64)> = all.filter(|(name, _)| is_constant(name)).collect();
    let mut problem = FieldProblem::on_box(text.clone(), grid.grid().clone()).or_raise()?;
    for (field, axis, upper, value) in values {
        let face = Face { axis, end: if upper { End::Upper } else { End::Lower } };
        problem = with_value(problem, &constants, (field, face), value)?;
    }
    Ok(problem)
}

fn with_value(
    problem: FieldProblem,
    parameters: &[(String, f64)],
    (field, face): (usize, Face),
    value: Value,
) -> PyResult<FieldProblem> {
    let text = match value {
        Value::Number(g) => return problem.boundary(field, face, move |_, _| g).or_raise(),
        Value::Text(text) => text,
    };
    let columns = [&["t"][..], &NAMES[..problem.text().coordinates().len()]].concat();
    let end = if face.end == End::Upper { "upper" } else { "lower" };
    let place = format!("boundary value at the {end} end of {}", NAMES[face.axis]);
    let expression = Expression::parse(&place, &text, &columns, parameters)?;
    let g = move |t: f64, x: &[f64]| {
        let coordinate = |axis: usize| x.get(axis).copied().unwrap_or(0.0);
        expression.at(&[t, coordinate(0), coordinate(1), coordinate(2)], 1)[0]
    };
    problem.boundary(field, face, g).or_raise()
}

/// Start and velocity of each field; None for those of the text.
pub(super) type Rows = [Vec<Option<Vec<f64>>>; 2];

/// Rows of arguments.
///
/// # Errors
/// `InputError` for anything but numbers.
pub(super) fn rows(
    start: Vec<Option<Bound<'_, PyAny>>>,
    velocity: Vec<Option<Bound<'_, PyAny>>>,
) -> PyResult<Rows> {
    let row = |name: &'static str| {
        move |row: Option<Bound<'_, PyAny>>| row.map(|row| arrays::vector(name, &row)).transpose()
    };
    Ok([
        start.into_iter().map(row("start")).collect::<PyResult<_>>()?,
        velocity.into_iter().map(row("velocity")).collect::<PyResult<_>>()?,
    ])
}

/// The equation with its start and velocity.
///
/// # Errors
/// `InputError` for a field without a start.
pub(super) fn with_start(
    problem: &FieldProblem,
    equation: Equation<'static>,
    rows: &Rows,
) -> PyResult<Equation<'static>> {
    for (derivative, rows) in rows.iter().enumerate() {
        check(problem, derivative, rows)?;
    }
    started(problem, equation, rows).or_raise()
}

/// The equation with its start and velocity; fields without one are the caller's.
///
/// # Errors
/// Those of the text and of the rows.
pub(super) fn started(
    problem: &FieldProblem,
    equation: Equation<'static>,
    [start, velocity]: &Rows,
) -> Result<Equation<'static>, PdeError> {
    let start = initial(problem, 0, start, equation.n())?;
    let equation = equation.start(&start)?;
    let above = problem.orders().iter().any(|alpha| *alpha > 1.0);
    if velocity.iter().all(Option::is_none) && !above {
        return Ok(equation);
    }
    let velocity = initial(problem, 1, velocity, equation.n())?;
    equation.start_velocity(&velocity)
}

/// Whether a field has an initial value of this derivative.
fn takes(problem: &FieldProblem, derivative: usize, field: usize) -> bool {
    derivative == 0 || problem.orders()[field] > 1.0
}

/// Refuses a field without an initial value.
fn check(problem: &FieldProblem, derivative: usize, rows: &[Option<Vec<f64>>]) -> PyResult<()> {
    for (field, row) in rows.iter().enumerate() {
        let given = row.is_some() || !takes(problem, derivative, field);
        if !given && problem.initial(field, derivative).or_raise()?.is_none() {
            let name = problem.text().fields()[field].name();
            let (argument, prime) = [("start", ""), ("velocity", "'")][derivative];
            return Err(errors::input(format!(
                "{argument} of {name} is missing: give {argument}, or {name}{prime}(0) = ... in the text"
            )));
        }
    }
    Ok(())
}

/// Initial values of a derivative of all fields, 0 where there are none.
fn initial(
    problem: &FieldProblem,
    derivative: usize,
    rows: &[Option<Vec<f64>>],
    n: usize,
) -> Result<Vec<f64>, PdeError> {
    let mut values = Vec::with_capacity(rows.len() * n);
    for (field, row) in rows.iter().enumerate() {
        let of_text = match row {
            Some(_) => None,
            None => problem.initial(field, derivative)?,
        };
        match row.as_ref().or(of_text.as_ref()) {
            Some(row) => values.extend(row),
            None => values.resize(values.len() + n, 0.0),
        }
    }
    Ok(values)
}
