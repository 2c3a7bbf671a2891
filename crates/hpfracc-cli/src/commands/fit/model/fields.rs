//! Equations of fields as models.

use super::columns::{Finder, SetModel};
use crate::Error;
use crate::commands::fit::settings::{MissingRows, Settings};
use crate::equations::FilesIn;
use crate::error::FittingError;
use hpfracc::equation::{ErrorKind, FieldEquation};
use hpfracc::fit::FieldModel;
use hpfracc::pde::{FieldProblem, catalogue};
use hpfracc::spatial::BoxGrid;
use std::path::Path;

/// Values of parameters that have none yet: below 1 and, for orders with two initial values, above.
const PLACEHOLDERS: [f64; 2] = [0.75, 1.5];

/// Equation of fields on its box.
#[derive(Debug)]
pub(in crate::commands::fit) struct FieldsText {
    text: String,
    equation: FieldEquation,
    grid: BoxGrid,
    names: &'static [&'static str],
    /// Parameters without a value in the text.
    unknown: Vec<String>,
}

impl FieldsText {
    pub(super) fn new(model: &str, settings: &Settings) -> Result<Self, Error> {
        let space = &settings.space;
        if space.axes.is_empty() {
            return Err(FittingError::NoBox { model: model.to_owned() }.into());
        }
        let (names, grid) = (space.names()?, space.grid()?);
        let named = catalogue::named(model.trim()).map(|entry| entry.text_with_start(grid.dim()));
        let text = match named {
            Some(Some(text)) => text,
            Some(None) => {
                let (argument, text) = ("--box", space.axes.join(" --box "));
                let expected = "as many axes as the ready equation may have";
                return Err(FittingError::Argument { argument, text, expected }.into());
            }
            None => model.to_owned(),
        };
        let (equation, unknown) = parse(&text, names, settings)?;
        Ok(Self { text: text.trim_end().replace('\n', "; "), equation, grid, names, unknown })
    }

    /// The model for the columns of a file.
    pub(super) fn of_set(
        &self,
        settings: &Settings,
        mut finder: Finder<'_>,
    ) -> Result<SetModel, Error> {
        let names: Vec<String> =
            ["t"].iter().chain(self.names).map(|name| (*name).to_owned()).collect();
        let inputs = finder.named_or_placed("inputs", &names)?;
        let fields: Vec<String> =
            self.equation.fields().iter().map(|field| field.name().to_owned()).collect();
        let responses = finder.quantities(&fields, fields.len(), settings)?;
        let columns = inputs.indices.iter().map(|column| finder.rows.column(*column));
        let mut columns = columns.collect::<Result<Vec<Vec<f64>>, Error>>()?;
        if settings.data.missing == MissingRows::Skip {
            columns = finite(&columns);
        }
        let (times, coordinates) = columns.split_at(1);
        let coordinates: Vec<&[f64]> = coordinates.iter().map(Vec::as_slice).collect();
        let observed: Vec<&str> = responses.names.iter().map(String::as_str).collect();
        let problem = FieldProblem::on_box(self.equation.clone(), self.grid.clone());
        let problem = problem.map_err(Error::library)?;
        let model = FieldModel::new(problem, &observed, &times[0], &coordinates);
        let unknown: Vec<&str> = self.unknown.iter().map(String::as_str).collect();
        let model = model.and_then(|model| model.search(&unknown)).map_err(FittingError::from)?;
        let (text, notes) = (self.text.clone(), finder.notes);
        Ok(SetModel { model: Box::new(model), text, inputs, responses, notes })
    }
}

/// The rows without missing values.
fn finite(columns: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let rows: Vec<usize> = (0..columns[0].len())
        .filter(|row| columns.iter().all(|column| column[*row].is_finite()))
        .collect();
    columns.iter().map(|column| rows.iter().map(|row| column[*row]).collect()).collect()
}

/// The equation, and the names of parameters that have no value in its text.
fn parse(
    text: &str,
    coordinates: &[&str],
    settings: &Settings,
) -> Result<(FieldEquation, Vec<String>), Error> {
    let read = |text: &str| FieldEquation::parse_with(text, coordinates, &FilesIn(Path::new("")));
    let first = match read(text) {
        Ok(equation) => return Ok((equation, vec![])),
        Err(error) => error,
    };
    for placeholder in PLACEHOLDERS {
        let (mut whole, mut error) = (text.trim_end().to_owned(), first.clone());
        let mut unknown: Vec<String> = vec![];
        while error.kind() == ErrorKind::UnknownName {
            let name = whole.get(error.range()).unwrap_or_default().to_owned();
            if name.is_empty() || unknown.contains(&name) {
                break;
            }
            let given = settings.parameters.get(&name);
            let value = given.and_then(|known| known.start.or(known.fixed)).unwrap_or(placeholder);
            whole += &format!("\n{name} = {value}");
            unknown.push(name);
            error = match read(&whole) {
                Ok(equation) => return Ok((equation, unknown)),
                Err(error) => error,
            };
        }
    }
    Err(Error::equation("MODEL", first))
}
