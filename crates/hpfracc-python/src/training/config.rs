//! Configuration of a training, with the names of `hpfracc train`.

use crate::errors::input;
use hpfracc::nn::models::settings::SolverSettings;
use hpfracc::nn::trainer::Training;
use pyo3::prelude::*;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

/// Tables of a configuration, by name; each is read once.
pub(super) struct Tables(Map<String, Value>);

impl Tables {
    /// # Errors
    /// `InputError` for a text that is no JSON object.
    pub(super) fn read(text: &str) -> PyResult<Self> {
        serde_json::from_str(text).map(Self).map_err(|error| input(error.to_string()))
    }

    /// A table that must be there.
    pub(super) fn take<T: DeserializeOwned>(&mut self, name: &str) -> PyResult<T> {
        let value = self.0.remove(name).ok_or_else(|| input(format!("{name} is missing")))?;
        serde_json::from_value(value).map_err(|error| input(format!("{name}: {error}")))
    }

    /// A table, or its default values.
    pub(super) fn take_or_default<T: DeserializeOwned + Default>(
        &mut self,
        name: &str,
    ) -> PyResult<T> {
        if self.0.contains_key(name) { self.take(name) } else { Ok(T::default()) }
    }
}

/// Precision of a training.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Precision {
    #[default]
    F32,
    F64,
}

impl Precision {
    /// Bytes of a number.
    pub(super) fn bytes(self) -> u64 {
        match self {
            Self::F32 => 4,
            Self::F64 => 8,
        }
    }
}

/// # Errors
/// `InputError` for no steps, no rows, and for more steps than fit into 32 bits.
pub(super) fn check_steps(solver: &SolverSettings, name: &str, rows: usize) -> PyResult<()> {
    if solver.steps == 0 {
        return Err(input("solver: steps is 0, expected at least 1"));
    }
    if rows == 0 {
        return Err(input(format!("{name} is 0, expected at least 1")));
    }
    match solver.steps_of(rows) {
        Some(_) => Ok(()),
        None => Err(input(format!(
            "{name} is {rows}, expected fewer than 2^32 steps, with {} steps per row",
            solver.steps
        ))),
    }
}

/// Settings of the trainer, those of `solver` taken into account.
pub(super) fn training(tables: &mut Tables, solver: Option<&SolverSettings>) -> PyResult<Training> {
    let mut training: Training = tables.take_or_default("training")?;
    if solver.is_some_and(SolverSettings::needs_loss_scale) {
        training.loss_scale.get_or_insert_default();
    }
    training.check().map_err(|error| input(format!("training: {error}")))?;
    Ok(training)
}
