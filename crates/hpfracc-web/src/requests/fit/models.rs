use super::chosen::read_formula;
use crate::failure::Failure;
use hpfracc::fit::catalogue;
use hpfracc::fit::{Declared, Model};
use serde::{Deserialize, Serialize};

/// Model of the catalogue of fits.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: &'static str,
    title: String,
    about: String,
    text: String,
    #[serde(flatten)]
    parts: Parts,
}

/// Columns and parameters of a model.
#[derive(Debug, Serialize)]
pub(crate) struct Parts {
    inputs: Vec<String>,
    observed: Vec<String>,
    parameters: Vec<Parameter>,
}

#[derive(Debug, Serialize)]
struct Parameter {
    name: String,
    /// Start of a fit; null where it is searched.
    value: Option<f64>,
    low: f64,
    high: f64,
}

pub(crate) fn models() -> Result<Vec<Listed>, Failure> {
    catalogue::names().map(listed).collect()
}

fn listed(name: &'static str) -> Result<Listed, Failure> {
    let model = catalogue::find(name)?;
    let (entry, example) = (model.entry(), model.example());
    let parameters = model.parameters().iter().zip(example);
    Ok(Listed {
        name,
        title: entry.title.clone(),
        about: entry.about.clone(),
        text: entry.text.clone(),
        parts: Parts {
            inputs: entry.inputs.iter().map(|input| input.name.clone()).collect(),
            observed: entry.responses.iter().map(|response| response.name.clone()).collect(),
            parameters: parameters.map(|(known, value)| parameter(known, Some(value))).collect(),
        },
    })
}

/// Parameter with the ends of a slider around its value.
fn parameter(declared: &Declared, value: Option<f64>) -> Parameter {
    let value = value.filter(|value| value.is_finite());
    let (middle, around) = (value.unwrap_or(0.0), 3.0 * value.unwrap_or(0.0).abs().max(1.0));
    let low = if declared.lower.is_finite() { declared.lower } else { middle - around };
    let high = if declared.upper.is_finite() { declared.upper } else { middle + around };
    Parameter { name: declared.name.clone(), value, low, high }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    text: String,
    /// Names of the columns of the data.
    columns: Vec<String>,
}

/// Parts of a formula of columns.
pub(crate) fn model(request: &Request) -> Result<Parts, Failure> {
    let columns: Vec<&str> = request.columns.iter().map(String::as_str).collect();
    let (formula, model) = read_formula(&request.text, &columns)?;
    Ok(Parts {
        inputs: model.columns().to_vec(),
        observed: formula.response().into_iter().map(str::to_owned).collect(),
        parameters: model.parameters().iter().map(|known| parameter(known, known.start)).collect(),
    })
}
