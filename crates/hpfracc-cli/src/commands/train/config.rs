//! Configuration of a training.

use crate::Error;
use crate::compute::Dtype;
use crate::error::TrainingError;
use crate::input::Missing;
use hpfracc::nn::models::settings::{
    CheckpointSettings, LossSettings, ModelSettings, SolverSettings, WindowSettings,
};
use hpfracc::nn::trainer::Training;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Configuration file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Config {
    /// Precision of the training; f32 by default.
    pub(super) precision: Option<Dtype>,
    pub(super) data: Data,
    pub(super) windows: WindowSettings,
    pub(super) model: ModelSettings,
    #[serde(default)]
    pub(super) solver: SolverSettings,
    #[serde(default)]
    pub(super) loss: LossSettings,
    #[serde(default)]
    pub(super) training: Training,
    #[serde(default)]
    pub(super) checkpoints: CheckpointSettings,
    #[serde(default)]
    pub(super) forecast: Forecast,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Data {
    pub(super) file: PathBuf,
    pub(super) columns: Option<Vec<String>>,
    pub(super) time: Option<String>,
    pub(super) dt: Option<f64>,
    #[serde(default)]
    pub(super) missing: Missing,
    /// Further missing values, as texts or numbers equal to them.
    #[serde(default)]
    pub(super) missing_values: Vec<String>,
    /// Delays of further components, in rows.
    #[serde(default)]
    pub(super) delays: Vec<usize>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Forecast {
    pub(super) from: From,
    pub(super) rows: Option<usize>,
    pub(super) paths: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum From {
    /// After the last row.
    End,
    /// After the first held-out row.
    Validation,
}

impl Default for Forecast {
    fn default() -> Self {
        Self { from: From::End, rows: None, paths: 1000 }
    }
}

/// Position of the first number that is NaN or infinite: no setting is.
fn not_finite(value: &Spanned<DeValue<'_>>) -> Option<usize> {
    match value.get_ref() {
        DeValue::Float(number) => {
            let number: Option<f64> = number.as_str().replace('_', "").parse().ok();
            number.filter(|x| !x.is_finite()).map(|_| value.span().start)
        }
        DeValue::Table(table) => table.values().find_map(not_finite),
        DeValue::Array(values) => values.iter().find_map(not_finite),
        _ => None,
    }
}

impl Config {
    /// Reads a configuration; an error names the line and the key.
    pub(super) fn read(path: &Path) -> Result<Self, Error> {
        let name = path.display().to_string();
        let bytes =
            std::fs::read(path).map_err(|source| Error::Read { name: name.clone(), source })?;
        let text = String::from_utf8(bytes).map_err(|error| {
            let valid = &error.as_bytes()[..error.utf8_error().valid_up_to()];
            let line = valid.iter().filter(|byte| **byte == b'\n').count() + 1;
            let (name, reason) = (name.clone(), "the text is not UTF-8".to_owned());
            TrainingError::Config { name, line, reason }
        })?;
        let refuse = |start: usize, reason: String| {
            let line = text.get(..start).unwrap_or("").matches('\n').count() + 1;
            TrainingError::Config { name: name.clone(), line, reason }
        };
        let malformed = |error: toml::de::Error| {
            let start = error.span().map_or(0, |span| span.start);
            refuse(start, error.message().trim().to_owned())
        };
        let table = DeTable::parse(&text).map_err(malformed)?;
        if let Some(start) = table.get_ref().values().find_map(not_finite) {
            return Err(refuse(start, "expected a finite number".to_owned()).into());
        }
        let mut config: Self = toml::from_str(&text).map_err(malformed)?;
        if config.solver.needs_loss_scale() {
            // Without a scale small cotangents become 0.
            config.training.loss_scale.get_or_insert_default();
        }
        Ok(config)
    }
}
