use super::request::Request;
use crate::case::parse;
use crate::failure::Failure;
use hpfracc::equation::Formula;
use hpfracc::fit::catalogue::{self, ModelInput};
use hpfracc::fit::{EquationModel, FormulaModel, Model};

/// Model with the columns that it takes.
pub(super) struct Chosen {
    pub(super) model: Box<dyn Model>,
    /// Columns of the inputs.
    pub(super) inputs: Vec<String>,
    /// Name in the model, and column.
    pub(super) responses: Vec<(String, String)>,
}

/// Formula of columns, with its model.
pub(super) fn read_formula(
    text: &str,
    columns: &[&str],
) -> Result<(Formula, FormulaModel), Failure> {
    let formula = Formula::parse(text, columns).map_err(|error| Failure::in_text(text, &error))?;
    let model = FormulaModel::new(std::slice::from_ref(&formula))?;
    Ok((formula, model))
}

impl Request {
    /// The model of the text: a name or a circuit has no equals sign, an equation has a derivative, all else is a formula.
    pub(super) fn chosen(&self, all: &[f64]) -> Result<Chosen, Failure> {
        let text = &self.model;
        if !text.contains('=') {
            return self.of_catalogue();
        }
        let differential = ["D^", "'", "/dt", "D["].iter().any(|sign| text.contains(sign));
        if differential { self.equation(all) } else { self.formula() }
    }

    fn of_catalogue(&self) -> Result<Chosen, Failure> {
        let model = catalogue::read(&self.model)?;
        let entry = model.entry();
        let input = |(k, input): (usize, &ModelInput)| {
            if k == 0 { self.against.clone() } else { input.name.clone() }
        };
        let responses = entry.responses.iter().map(|response| {
            let column = self.observed.get(&response.name).unwrap_or(&response.name);
            (response.name.clone(), column.clone())
        });
        let inputs = entry.inputs.iter().enumerate().map(input).collect();
        Ok(Chosen { inputs, responses: responses.collect(), model: Box::new(model) })
    }

    fn equation(&self, all: &[f64]) -> Result<Chosen, Failure> {
        let equation = parse(&self.model)?;
        let responses: Vec<(String, String)> = self.observed.clone().into_iter().collect();
        if responses.is_empty() {
            return Err(Failure::new("no state is observed: name the column of a state"));
        }
        let names: Vec<&str> = responses.iter().map(|(name, _)| name.as_str()).collect();
        let model = EquationModel::new(&equation, &names, self.column(&self.against, all)?)?;
        Ok(Chosen { model: Box::new(model), inputs: vec![self.against.clone()], responses })
    }

    fn formula(&self) -> Result<Chosen, Failure> {
        let names: Vec<&str> = self.columns.keys().map(String::as_str).collect();
        let (formula, model) = read_formula(&self.model, &names)?;
        let left = formula.response().map(|left| (left.to_owned(), left.to_owned()));
        let observed = self.observed.iter().next();
        let observed = observed.map(|(name, column)| (name.clone(), column.clone()));
        let response = observed.or(left).ok_or_else(|| {
            Failure::new(
                "the formula has no left side: write `y = ...` with the column of the data",
            )
        })?;
        let inputs = model.columns().to_vec();
        Ok(Chosen { model: Box::new(model), inputs, responses: vec![response] })
    }
}
