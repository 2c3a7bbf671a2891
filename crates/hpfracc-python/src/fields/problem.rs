//! An equation on its points: a box with boundary values, or an operator in place of -lap.

use super::equation::{NAMES, PyFieldEquation};
use super::expression::Expression;
use super::grid::PyBox;
use super::operator::PyOperator;
use crate::arrays;
use crate::errors::{self, OrRaise};
use hpfracc::equation::FieldEquation;
use hpfracc::pde::{Equation, FieldProblem};
use hpfracc::spatial::{End, Face};
use pyo3::prelude::*;

/// Boundary value of a field: field, axis, whether the face is the upper one, number or expression.
pub(super) type FaceValue = (usize, usize, bool, Value);

/// Number, or expression of t, the coordinates and the parameters of the equation.
#[derive(FromPyObject)]
pub(super) enum Value {
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
    let mut problem = FieldProblem::on_box(text, grid.grid().clone()).or_raise()?;
    for (field, axis, upper, value) in values {
        let face = Face { axis, end: if upper { End::Upper } else { End::Lower } };
        problem = with_value(problem, equation.equation(), (field, face), value)?;
    }
    Ok(problem)
}

fn with_value(
    problem: FieldProblem,
    equation: &FieldEquation,
    (field, face): (usize, Face),
    value: Value,
) -> PyResult<FieldProblem> {
    let text = match value {
        Value::Number(g) => return problem.boundary(field, face, move |_, _| g).or_raise(),
        Value::Text(text) => text,
    };
    let columns = [&["t"][..], &NAMES[..equation.coordinates().len()]].concat();
    let parameters: Vec<(String, f64)> =
        equation.parameters().iter().map(|p| (p.name().to_owned(), p.value())).collect();
    let end = if face.end == End::Upper { "upper" } else { "lower" };
    let place = format!("boundary value at the {end} end of {}", NAMES[face.axis]);
    let expression = Expression::parse(&place, &text, &columns, &parameters)?;
    let g = move |t: f64, x: &[f64]| {
        let coordinate = |axis: usize| x.get(axis).copied().unwrap_or(0.0);
        expression.at(&[t, coordinate(0), coordinate(1), coordinate(2)], 1)[0]
    };
    problem.boundary(field, face, g).or_raise()
}

/// The equation with its start and velocity, a row for each field; rows that are not given are those of the text.
///
/// # Errors
/// `InputError` for a field without a start.
pub(super) fn with_start(
    problem: &FieldProblem,
    equation: Equation<'static>,
    rows: [Vec<Option<Bound<'_, PyAny>>>; 2],
) -> PyResult<Equation<'static>> {
    let [start, velocity] = rows;
    let values = initial(problem, 0, start, equation.n())?;
    let equation = equation.start(&values).or_raise()?;
    let above = problem.orders().iter().any(|alpha| *alpha > 1.0);
    if velocity.iter().all(Option::is_none) && !above {
        return Ok(equation);
    }
    let values = initial(problem, 1, velocity, equation.n())?;
    equation.start_velocity(&values).or_raise()
}

/// Initial values of a derivative of all fields.
fn initial(
    problem: &FieldProblem,
    derivative: usize,
    rows: Vec<Option<Bound<'_, PyAny>>>,
    n: usize,
) -> PyResult<Vec<f64>> {
    let orders = problem.orders();
    let mut values = Vec::with_capacity(rows.len() * n);
    for (field, row) in rows.into_iter().enumerate() {
        let of_text = || problem.initial(field, derivative).or_raise();
        let row = match row {
            Some(row) => Some(arrays::vector("start", &row)?),
            None => of_text()?,
        };
        match row {
            Some(row) => values.extend(row),
            None if derivative == 1 && orders[field] <= 1.0 => {
                values.resize(values.len() + n, 0.0);
            }
            None => {
                let name = problem.text().fields()[field].name();
                let (argument, prime) = [("start", ""), ("velocity", "'")][derivative];
                return Err(errors::input(format!(
                    "{argument} of {name} is missing: give {argument}, or {name}{prime}(0) = ... in the text"
                )));
            }
        }
    }
    Ok(values)
}
