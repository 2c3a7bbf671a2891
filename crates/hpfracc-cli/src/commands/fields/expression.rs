//! Expressions of coordinates, with the parameters of an equation.

use crate::Error;
use hpfracc::equation::{Arch, FieldEquation, Formula, Input, Program, Rows, RowsMut, Scratch};
use hpfracc::pde::PdeError;

/// Compiled expression of some columns.
pub(super) struct Expression {
    program: Program<f64>,
    columns: usize,
    parameters: Vec<f64>,
}

impl Expression {
    /// Expression of columns, at a place of the command line; `value` knows the parameters by name.
    pub(super) fn parse(
        text: &str,
        columns: &[&str],
        place: &str,
        value: impl Fn(&str) -> Option<f64>,
        known: &[&str],
    ) -> Result<Self, Error> {
        let formula =
            Formula::parse(text, columns).map_err(|source| Error::equation(place, source))?;
        let parameter = |parameter: &hpfracc::equation::Parameter| {
            let name = parameter.name();
            let own = Some(parameter.value()).filter(|value| !value.is_nan());
            own.or_else(|| value(name)).ok_or_else(|| {
                let known = columns.iter().chain(known).copied();
                Error::unknown(format!("{place}: "), "name", name, known)
            })
        };
        let parameters = formula.parameters().iter().map(parameter).collect::<Result<_, _>>()?;
        // Variables are the time, which is a column here, then the columns, then the parameters.
        let inputs: Vec<Input> = std::iter::once(Input::Row(0))
            .chain((0..columns.len()).map(Input::Row))
            .chain((0..formula.parameters().len()).map(Input::Uniform))
            .collect();
        let program = Program::new(formula.graph(), &[formula.root()], &inputs)
            .map_err(|error| Error::library(PdeError::Text { reason: error.to_string() }))?;
        Ok(Self { program, columns: columns.len(), parameters })
    }

    /// Values at points, from the columns one behind the other.
    pub(super) fn at(&self, columns: &[f64], points: usize) -> Vec<f64> {
        let mut values = vec![0.0; points];
        let rows = Rows::new(&columns[..self.columns * points], points);
        let out = RowsMut::new(&mut values[..], points);
        let mut scratch = Scratch::new();
        self.program.run(Arch::new(), rows, &self.parameters, out, &mut scratch);
        values
    }
}

/// Expression of columns and of the parameters of an equation.
pub(super) fn of_equation(
    text: &FieldEquation,
    expression: &str,
    columns: &[&str],
    place: &str,
) -> Result<Expression, Error> {
    let value = |name: &str| {
        let parameter = text.parameters().iter().find(|parameter| parameter.name() == name);
        parameter.map(|parameter| parameter.value())
    };
    let known: Vec<&str> = text.parameters().iter().map(|p| p.name()).collect();
    Expression::parse(expression, columns, place, value, &known)
}
