//! Expressions of coordinates, of time on a boundary, and of the parameters of an equation.

use crate::arrays;
use crate::errors::{self, Kind};
use hpfracc::equation::{Arch, Formula, Input, Program, Rows, RowsMut, Scratch, nearest};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

/// Compiled expression of some columns.
pub(super) struct Expression {
    program: Program<f64>,
    columns: usize,
    parameters: Vec<f64>,
}

impl Expression {
    /// Expression of columns; `values` are the parameters that it may have. `place` names it in messages.
    ///
    /// # Errors
    /// `EquationError` for a text that is no expression, or has an unknown name.
    pub(super) fn parse(
        place: &str,
        text: &str,
        columns: &[&str],
        values: &[(String, f64)],
    ) -> PyResult<Self> {
        let refused = |reason: String| Kind::Equation.error(format!("{place}: {reason}"));
        let formula = Formula::parse(text, columns).map_err(|error| refused(error.to_string()))?;
        let mut parameters = Vec::new();
        for parameter in formula.parameters() {
            let name = parameter.name();
            let own = Some(parameter.value()).filter(|value| !value.is_nan());
            let of_equation = || values.iter().find(|(known, _)| known == name).map(|(_, v)| *v);
            let value = own.or_else(of_equation).ok_or_else(|| {
                let known =
                    || columns.iter().copied().chain(values.iter().map(|(n, _)| n.as_str()));
                let hint = nearest(name, known())
                    .map_or(String::new(), |near| format!("; did you mean `{near}`?"));
                let known: Vec<&str> = known().collect();
                refused(format!(
                    "unknown name `{name}`, expected one of {}{hint}",
                    known.join(", ")
                ))
            })?;
            parameters.push(value);
        }
        // Variables are the time, which is a column here, then the columns, then the parameters.
        let inputs: Vec<Input> = std::iter::once(Input::Row(0))
            .chain((0..columns.len()).map(Input::Row))
            .chain((0..parameters.len()).map(Input::Uniform))
            .collect();
        let program = Program::new(formula.graph(), &[formula.root()], &inputs)
            .map_err(|error| refused(error.to_string()))?;
        Ok(Self { program, columns: columns.len(), parameters })
    }

    /// Values at points, from the columns one after the other.
    pub(super) fn at(&self, columns: &[f64], points: usize) -> Vec<f64> {
        let mut values = vec![0.0; points];
        let rows = Rows::new(&columns[..self.columns * points], points);
        let out = RowsMut::new(&mut values[..], points);
        self.program.run(Arch::new(), rows, &self.parameters, out, &mut Scratch::new());
        values
    }
}

/// Names of the parameters in an expression of columns.
#[pyfunction]
pub(super) fn expression_parameters(
    place: &str,
    text: &str,
    columns: Vec<String>,
) -> PyResult<Vec<String>> {
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let formula = Formula::parse(text, &columns)
        .map_err(|error| Kind::Equation.error(format!("{place}: {error}")))?;
    Ok(formula.parameters().iter().map(|parameter| parameter.name().to_owned()).collect())
}

/// Values of an expression at points, whose coordinates are rows.
#[pyfunction]
pub(super) fn field_expression<'py>(
    py: Python<'py>,
    place: &str,
    text: &str,
    names: Vec<String>,
    coordinates: &Bound<'py, PyAny>,
    values: Vec<(String, f64)>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let columns: Vec<&str> = names.iter().map(String::as_str).collect();
    let expression = Expression::parse(place, text, &columns, &values)?;
    let rows = arrays::vector("coordinates", coordinates)?;
    let points = rows.len() / names.len().max(1);
    if points * names.len() != rows.len() || names.is_empty() {
        return Err(errors::input(format!(
            "{place}: a row of coordinates for each name is needed"
        )));
    }
    Ok(py.detach(|| expression.at(&rows, points)).into_pyarray(py))
}
