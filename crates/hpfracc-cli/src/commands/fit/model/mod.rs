//! Model of a fit, and the columns of a file that it takes.

mod columns;
mod fields;

use super::data::Rows;
use super::settings::{SetFile, Settings};
use crate::Error;
use crate::equations::{Case, has_operators, is_ready_field};
use crate::error::FittingError;
pub(super) use columns::{Columns, SetModel};
use columns::{Finder, join};
use fields::FieldsText;
use hpfracc::equation::{Equation, Formula};
use hpfracc::fit::{CatalogueModel, EquationModel, FitError, FormulaModel, catalogue};

/// Model that has not seen data.
#[derive(Debug)]
pub(super) enum Specification {
    Formula(String),
    Catalogue(Box<CatalogueModel>),
    Equation(Box<Equation>),
    Fields(Box<FieldsText>),
}

impl Specification {
    pub(super) fn new(settings: &Settings) -> Result<Self, Error> {
        let in_space = !settings.space.axes.is_empty();
        if in_space && settings.equation.is_none() {
            let (argument, text) = ("--box", settings.space.axes.join(" --box "));
            let expected = "an equation of fields as the model";
            return Err(FittingError::Argument { argument, text, expected }.into());
        }
        if let Some(formula) = &settings.formula {
            return Ok(Self::Formula(formula.clone()));
        }
        if let Some(text) = &settings.equation {
            if in_space || is_ready_field(text) || has_operators(text) {
                return Ok(Self::Fields(Box::new(FieldsText::new(text, settings)?)));
            }
            return Ok(Self::Equation(Box::new(Case::any(text)?.equation)));
        }
        let name = settings.model.as_deref().unwrap_or_default();
        let model = catalogue::read(name).map_err(FittingError::from)?;
        let model =
            if settings.hertz { model.in_hertz().map_err(FittingError::from)? } else { model };
        Ok(Self::Catalogue(Box::new(model)))
    }

    /// The model for the columns of a file.
    pub(super) fn of_set(
        &self,
        settings: &Settings,
        file: &SetFile,
        rows: &Rows,
    ) -> Result<SetModel, Error> {
        let finder = Finder::new(settings, file.name(), rows);
        match self {
            Self::Formula(text) => formula(text, settings, finder),
            Self::Catalogue(model) => catalogued(model.as_ref().clone(), (settings, file), finder),
            Self::Equation(equation) => of_equation(equation, settings, finder),
            Self::Fields(text) => text.of_set(settings, finder),
        }
    }
}

fn formula(text: &str, settings: &Settings, mut finder: Finder<'_>) -> Result<SetModel, Error> {
    let names: Vec<&str> = finder.rows.names.iter().map(String::as_str).collect();
    let formula =
        Formula::parse(text, &names).map_err(|source| Error::equation("formula", source))?;
    let model = FormulaModel::new(std::slice::from_ref(&formula)).map_err(FittingError::from)?;
    let inputs = finder.named(model.columns())?;
    let named = settings.data.response.first().map(String::as_str).or(formula.response());
    let responses = match named {
        Some(column) => finder.named(&[column.to_owned()])?,
        None => {
            let free = finder.free();
            let [only] = free[..] else {
                let (name, candidates) = (finder.set, join(&finder.rows.names, &free));
                return Err(FittingError::WhichResponse { name, candidates }.into());
            };
            finder.named(&[finder.rows.names[only].clone()])?
        }
    };
    let (text, notes) = (formula.to_string(), finder.notes);
    Ok(SetModel { model: Box::new(model), text, inputs, responses, notes })
}

fn catalogued(
    mut model: CatalogueModel,
    (settings, file): (&Settings, &SetFile),
    mut finder: Finder<'_>,
) -> Result<SetModel, Error> {
    for (name, value) in settings.constants.iter().chain(&file.constants) {
        model = model.with(name, *value).map_err(FittingError::from)?;
    }
    let entry = model.entry();
    let wanted: Vec<String> = entry.inputs.iter().map(|input| input.name.clone()).collect();
    let inputs = finder.named_or_placed("inputs", &wanted)?;
    // A frequency in hertz is not an angular one.
    for (name, column) in wanted.iter().zip(&inputs.indices) {
        let column = &finder.rows.names[*column];
        let lower = column.to_lowercase();
        let hertz = lower == "f" || lower.contains("freq") || lower.contains("hz");
        if name == "omega" && hertz && !settings.data.names.contains_key("omega") {
            let (name, column) = (finder.set, column.clone());
            return Err(FittingError::Frequency { name, column }.into());
        }
    }
    let names: Vec<String> = entry.responses.iter().map(|response| response.name.clone()).collect();
    let responses = if settings.data.response.is_empty() {
        finder.named_or_placed("responses", &names)?
    } else {
        let columns = &settings.data.response;
        if columns.len() != names.len() {
            let (name, expected) = (finder.set, names.join(", "));
            return Err(FittingError::Responses { name, found: columns.len(), expected }.into());
        }
        Columns { indices: finder.named(columns)?.indices, names }
    };
    let (text, notes) = (entry.formula().to_owned(), finder.notes);
    Ok(SetModel { model: Box::new(model), text, inputs, responses, notes })
}

fn of_equation(
    equation: &Equation,
    settings: &Settings,
    mut finder: Finder<'_>,
) -> Result<SetModel, Error> {
    let inputs = finder.named_or_first("t")?;
    let states = equation.states().iter().map(|state| state.name());
    let named = equation.shown().iter().chain(equation.definitions()).map(|named| named.name());
    let all: Vec<String> = states.chain(named).map(str::to_owned).collect();
    let responses = finder.quantities(&all, equation.states().len(), settings)?;
    let times = finder.rows.column(inputs.indices[0])?;
    let names: Vec<&str> = responses.names.iter().map(String::as_str).collect();
    let model = EquationModel::new(equation, &names, &times)
        .map_err(|error: FitError| Error::from(FittingError::from(error)))?;
    let (text, notes) = (equation.to_string().trim_end().replace('\n', "; "), finder.notes);
    Ok(SetModel { model: Box::new(model), text, inputs, responses, notes })
}
