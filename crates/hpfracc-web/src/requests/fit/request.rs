use crate::budget::Budget;
use crate::failure::Failure;
use crate::transfer::Place;
use hpfracc::fit::{Fit, Model};
use serde::Deserialize;
use std::collections::BTreeMap;

/// A model, data, and what is fitted.
#[derive(Debug, Deserialize)]
pub(crate) struct Request {
    pub(super) columns: BTreeMap<String, Place>,
    /// Equation, formula, or name of the catalogue.
    pub(super) model: String,
    /// Column of the time, or of the first input.
    pub(super) against: String,
    /// Column of each observed state or response.
    #[serde(default)]
    pub(super) observed: BTreeMap<String, String>,
    /// Starts of free parameters, and values of others.
    #[serde(default)]
    pub(super) values: BTreeMap<String, f64>,
    /// Names of the free parameters; all if there is none.
    #[serde(default)]
    pub(super) free: Vec<String>,
    #[serde(default)]
    pub(super) budget: Budget,
}

impl Request {
    /// Column of this name.
    pub(super) fn column<'a>(&self, name: &str, all: &'a [f64]) -> Result<&'a [f64], Failure> {
        let place = self.columns.get(name).ok_or_else(|| {
            let known: Vec<&str> = self.columns.keys().map(String::as_str).collect();
            Failure::new(format!("`{name}` is no column; the columns are {}", known.join(", ")))
        })?;
        place.of(all)
    }

    /// Sets starts, and holds what is not free.
    pub(super) fn configured<'a>(
        &self,
        mut fit: Fit<'a>,
        model: &dyn Model,
    ) -> Result<Fit<'a>, Failure> {
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
