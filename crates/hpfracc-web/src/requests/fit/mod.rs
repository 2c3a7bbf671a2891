//! Models fitted to data.

mod chosen;
mod models;
mod result;

pub(crate) use models::{model, models};
pub(crate) use result::Fitted;

use crate::budget::Budget;
use crate::failure::Failure;
use crate::transfer::{Numbers, Place};
use hpfracc::fit::{Fit, Model, Set};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    columns: BTreeMap<String, Place>,
    /// Equation, formula, or name of the catalogue.
    model: String,
    /// Column of the time, or of the first input.
    against: String,
    /// Column of each observed state or response.
    #[serde(default)]
    observed: BTreeMap<String, String>,
    /// Starts of free parameters, and values of others.
    #[serde(default)]
    values: BTreeMap<String, f64>,
    /// Names of the free parameters; all if there is none.
    #[serde(default)]
    free: Vec<String>,
    #[serde(default)]
    budget: Budget,
}

pub(crate) fn fit(
    request: &Request,
    cancel: &Arc<AtomicBool>,
    all: &[f64],
    numbers: &mut Numbers,
) -> Result<Fitted, Failure> {
    let timer = request.budget.start(cancel);
    let chosen = request.chosen(all)?;
    let column = |name: &String| request.column(name, all);
    let inputs = chosen.inputs.iter().map(column).collect::<Result<Vec<_>, _>>()?;
    let data = chosen.responses.iter().map(|(_, name)| column(name));
    let data = data.collect::<Result<Vec<_>, _>>()?;
    let mut set = Set::new("data", &*chosen.model);
    for input in &inputs {
        set = set.input(*input);
    }
    for response in &data {
        set = set.response(*response);
    }
    let fit = request.configured(Fit::new(set)?, &*chosen.model)?;
    request.budget.admit("the fit", fit.plan().bytes() as f64)?;
    let mut look = |_| timer.look();
    let found = fit.progress(&mut look).cancel(timer.flag()).run()?;
    result::fitted(&chosen, &found, (&inputs, &data), &timer, numbers)
}

impl Request {
    /// Column of this name.
    fn column<'a>(&self, name: &str, all: &'a [f64]) -> Result<&'a [f64], Failure> {
        let place = self.columns.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.columns.keys().map(String::as_str).collect();
            Failure::new(format!("`{name}` is no column; the columns are {}", known.join(", ")))
        })?;
        place.of(all)
    }

    /// Sets starts, and holds what is not free.
    fn configured<'a>(&self, mut fit: Fit<'a>, model: &dyn Model) -> Result<Fit<'a>, Failure> {
        for name in self.free.iter().chain(self.values.keys()) {
            if model.parameters().iter().all(|known| known.name != *name) {
                let known: Vec<&str> = model.parameters().iter().map(|p| p.name.as_str()).collect();
                let known = known.join(", ");
                return Err(Failure::new(format!(
                    "`{name}` is no parameter; the parameters are {known}"
                )));
            }
        }
        for known in model.parameters() {
            let (name, value) = (&known.name, self.values.get(&known.name).copied());
            let value = value.or(known.start);
            fit = match (self.free.is_empty() || self.free.contains(name), value) {
                (true, Some(value)) => fit.start(name, value)?,
                (true, None) => fit,
                (false, Some(value)) => fit.fix(name, value)?,
                (false, None) => {
                    return Err(Failure::new(format!("`{name}` is not free and has no value")));
                }
            };
        }
        Ok(fit)
    }
}
