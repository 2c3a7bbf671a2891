//! JSON document of `--json`. Stable format: fields are added, never renamed.

use crate::Error;
use crate::output::json;
use hpfracc::operators::{Entry, Parameter};
use serde::Serialize;

/// Scheme with its definition.
#[derive(Serialize)]
struct Listed {
    operator: &'static str,
    scheme: &'static str,
    alpha: &'static str,
    accuracy: &'static str,
    outside: &'static str,
    cost: &'static str,
    title: &'static str,
    formula: &'static str,
    of_constants: &'static str,
    of_powers: &'static str,
    relation: &'static str,
    source: &'static str,
    parameters: Vec<Listing>,
}

#[derive(Serialize)]
struct Listing {
    name: &'static str,
    meaning: &'static str,
    range: &'static str,
    /// Default value; null if the parameter is required.
    default: Option<f64>,
    example: f64,
}

impl From<&Entry> for Listed {
    fn from(entry: &Entry) -> Self {
        let definition = entry.definition;
        Self {
            operator: definition.name,
            scheme: entry.scheme,
            alpha: entry.range.text,
            accuracy: entry.accuracy,
            outside: entry.outside,
            cost: entry.cost,
            title: definition.title,
            formula: definition.formula,
            of_constants: definition.of_constants,
            of_powers: definition.of_powers,
            relation: definition.relation,
            source: definition.source,
            parameters: definition.parameters.iter().map(Listing::from).collect(),
        }
    }
}

impl From<&Parameter> for Listing {
    fn from(parameter: &Parameter) -> Self {
        let Parameter { name, meaning, range, default, example } = *parameter;
        Self { name, meaning, range, default, example }
    }
}

pub(super) fn of(definitions: &[&[Entry]]) -> Result<String, Error> {
    let entries: Vec<Listed> = definitions.iter().copied().flatten().map(Listed::from).collect();
    json(&entries)
}
