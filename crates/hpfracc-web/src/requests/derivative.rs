use crate::budget::Budget;
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use hpfracc::Machine;
use hpfracc::operators::ndarray::Array1;
use hpfracc::operators::{CATALOGUE, MeshMemory, Operator, named};
use hpfracc::types::{Grid, Mesh, Order};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Operator of the catalogue.
#[derive(Debug, Serialize)]
pub(crate) struct Listed {
    name: &'static str,
    title: &'static str,
    formula: &'static str,
    order: OrderRange,
    settings: Vec<Setting>,
}

#[derive(Debug, Serialize)]
struct OrderRange {
    low: f64,
    high: f64,
    default: f64,
}

#[derive(Debug, Serialize)]
struct Setting {
    name: &'static str,
    /// Meaning, with its unit.
    title: &'static str,
    /// As a formula.
    range: &'static str,
    value: f64,
    low: f64,
    high: f64,
}

/// Highest order of a slider: some operators have none.
const HIGHEST: f64 = 4.0;

pub(crate) fn operators() -> Vec<Listed> {
    CATALOGUE.iter().map(|entries| listed(entries)).collect()
}

fn listed(entries: &[hpfracc::operators::Entry]) -> Listed {
    let definition = entries[0].definition;
    let ranges = entries.iter().map(|entry| (entry.range.smallest, entry.range.largest));
    let (low, high) = ranges.fold((f64::INFINITY, 0.0f64), |(low, high), (smallest, largest)| {
        (low.min(smallest), high.max(largest))
    });
    let default = entries[0].range.examples.first().copied().unwrap_or(0.5);
    let settings = definition.parameters.iter().map(|parameter| {
        let value = parameter.default.unwrap_or(parameter.example);
        let (name, title, range) = (parameter.name, parameter.meaning, parameter.range);
        let (low, high) = ends(range, value);
        Setting { name, title, range, value, low, high }
    });
    Listed {
        name: definition.name,
        title: definition.title,
        formula: definition.formula,
        order: OrderRange { low, high: high.min(HIGHEST), default },
        settings: settings.collect(),
    }
}

/// Ends of a slider within a range that is given as a formula; values that a definition refuses for some orders are among
/// them.
fn ends(range: &str, value: f64) -> (f64, f64) {
    let around = 3.0 * value.abs().max(1.0);
    match range {
        "0, 1 or 2" => (0.0, 2.0),
        range if range.starts_with('|') => (-1.0, 1.0),
        range if range.contains(">= 0") => (0.0, around),
        range if range.contains("> 0") || range.starts_with("0 <") => (value.abs() / 10.0, around),
        _ => (value - around, value + around),
    }
}

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    t: Place,
    x: Place,
    operator: String,
    #[serde(default)]
    scheme: Option<String>,
    order: f64,
    #[serde(default)]
    settings: BTreeMap<String, f64>,
    #[serde(default)]
    budget: Budget,
}

/// Derivative or integral of data.
#[derive(Debug, Serialize)]
pub(crate) struct Derived {
    t: Place,
    y: Place,
    /// Operator and scheme.
    operator: String,
    milliseconds: f64,
    notes: Vec<String>,
}

/// Largest distance of times from equal steps, as a part of a step.
const UNIFORM: f64 = 1e-6;

pub(crate) fn derivative(
    request: &Request,
    machine: &Machine,
    all: &[f64],
    numbers: &mut Numbers,
) -> Result<Derived, Failure> {
    // Too short to be cancelled.
    let timer = request.budget.start(&Arc::default());
    let (t, x) = (request.t.of(all)?, request.x.of(all)?);
    if t.len() != x.len() {
        let message = format!("{} times and {} values, expected as many", t.len(), x.len());
        return Err(Failure::new(message));
    }
    if let Some(row) = x.iter().position(|x| !x.is_finite()) {
        return Err(Failure::new(format!("value {} is {}, expected a number", row + 1, x[row])));
    }
    let order = Order::new(request.order)?;
    let settings: Vec<(&str, f64)> =
        request.settings.iter().map(|(name, x)| (&**name, *x)).collect();
    let operator = named(&request.operator, request.scheme.as_deref(), order, &settings)?;
    let (name, scheme) = operator.name();
    let mesh = Mesh::new(t.to_vec())?;
    // Transforms of twice the length and their spectrum.
    request.budget.admit("the derivative", 160.0 * t.len() as f64)?;
    let signal = Array1::from_vec(x.to_vec());
    let mut notes = Vec::new();
    let bound = match step(t) {
        Some(dt) => operator.on(Grid::uniform(t.len(), dt)?, machine)?,
        None => {
            notes.push("the times are not equally spaced: computed on their mesh".to_owned());
            operator.on_mesh_with(&mesh, MeshMemory::default(), machine)?
        }
    };
    let y = bound.apply(signal.view())?;
    Ok(Derived {
        t: numbers.put(t.iter().copied()),
        y: numbers.put(y),
        operator: format!("{name}, scheme {scheme}"),
        milliseconds: timer.milliseconds(),
        notes,
    })
}

/// The step of equally spaced times.
fn step(t: &[f64]) -> Option<f64> {
    let dt = (t[t.len() - 1] - t[0]) / (t.len() - 1) as f64;
    let off = |(j, t1): (usize, &f64)| (t1 - (t[0] + j as f64 * dt)).abs() > UNIFORM * dt;
    (!t.iter().enumerate().any(off)).then_some(dt)
}
