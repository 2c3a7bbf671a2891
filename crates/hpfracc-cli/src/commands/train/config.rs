//! Configuration of a training.

use crate::Error;
use crate::compute::Dtype;
use crate::error::TrainingError;
use crate::input::Missing;
use hpfracc::nn::models::{
    self, Diffusion, ModelError, NeuralFractionalSde, Orders, PathLoss, Solving,
};
use hpfracc::nn::trainer::Training;
use hpfracc::nn::{Activation, Network, NetworkError, Storage};
use hpfracc::sde::{Drift, PathMemory};
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
    pub(super) windows: Windows,
    pub(super) model: Model,
    #[serde(default)]
    pub(super) solver: Solver,
    #[serde(default)]
    pub(super) loss: Loss,
    #[serde(default)]
    pub(super) training: Training,
    #[serde(default)]
    pub(super) checkpoints: Checkpoints,
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
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Windows {
    pub(super) length: usize,
    #[serde(default = "one")]
    pub(super) stride: usize,
    #[serde(default = "fifth")]
    pub(super) validation: f64,
}

fn one() -> usize {
    1
}

fn fifth() -> f64 {
    0.2
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Model {
    drift: NetworkChoice,
    #[serde(default)]
    diffusion: DiffusionChoice,
    #[serde(default)]
    orders: Orders,
}

/// Network, in full or by its widths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum NetworkChoice {
    Network(Network),
    Perceptron(Perceptron),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
struct Perceptron {
    /// Widths of the hidden layers.
    hidden: Vec<usize>,
    #[serde(default = "tanh")]
    activation: Activation,
    /// Whether time is an input.
    #[serde(default)]
    time: bool,
}

fn tanh() -> Activation {
    Activation::Tanh
}

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum DiffusionChoice {
    #[default]
    None,
    Additive {
        start: f64,
    },
    Diagonal {
        of: NetworkChoice,
        floor: Option<f64>,
    },
    General {
        of: NetworkChoice,
        noises: usize,
    },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Solver {
    /// Steps per row.
    pub(super) steps: usize,
    memory: History,
    drift: DriftRule,
    checkpoints: CheckpointRule,
    storage: StorageFormat,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum History {
    Direct,
    Blocked,
    Exponentials { tolerance: f64 },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum DriftRule {
    Rectangle,
    PredictorCorrector,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
enum CheckpointRule {
    All,
    Sqrt,
    Binomial { states: usize },
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum StorageFormat {
    Full,
    BFloat16,
    Float16,
}

impl StorageFormat {
    fn storage(self) -> Storage {
        match self {
            Self::Full => Storage::Full,
            Self::BFloat16 => Storage::BFloat16,
            Self::Float16 => Storage::Float16,
        }
    }
}

impl Default for Solver {
    fn default() -> Self {
        // Windows are short: the direct history is the cheapest.
        Self {
            steps: 1,
            memory: History::Direct,
            drift: DriftRule::Rectangle,
            checkpoints: CheckpointRule::All,
            storage: StorageFormat::Full,
        }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Loss {
    pub(super) path_loss: PathLoss,
    /// Paths per window.
    pub(super) paths: usize,
}

impl Default for Loss {
    fn default() -> Self {
        Self { path_loss: PathLoss::default(), paths: 1 }
    }
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Checkpoints {
    pub(super) every: Option<u64>,
    pub(super) keep: usize,
}

impl Default for Checkpoints {
    fn default() -> Self {
        Self { every: None, keep: 3 }
    }
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
        if config.solver.storage == StorageFormat::Float16 {
            // Without a scale small cotangents become 0.
            config.training.loss_scale.get_or_insert_default();
        }
        Ok(config)
    }
}

impl Model {
    /// Equation with `dim` components.
    pub(super) fn of(&self, dim: usize) -> Result<NeuralFractionalSde, TrainingError> {
        let drift = self.drift.of(dim, dim)?;
        let diffusion = match &self.diffusion {
            DiffusionChoice::None => Diffusion::None,
            DiffusionChoice::Additive { start } => Diffusion::Additive { start: *start },
            DiffusionChoice::Diagonal { of, floor } => {
                Diffusion::Diagonal { network: of.of(dim, dim)?, floor: *floor }
            }
            DiffusionChoice::General { of, noises } => {
                let outputs = dim
                    .checked_mul(*noises)
                    .ok_or(NetworkError::TooLarge { layer: "the diffusion" })?;
                Diffusion::General { network: of.of(dim, outputs)?, noises: *noises }
            }
        };
        let model = NeuralFractionalSde::new(drift, diffusion, self.orders.clone())
            .map_err(TrainingError::of("[model]"))?;
        // The drift determines the number of components of the model.
        if model.dim() != dim {
            let what = "the outputs of the drift";
            let error = ModelError::Rows { what, found: model.dim(), expected: dim.to_string() };
            return Err(TrainingError::of("[model]")(error));
        }
        Ok(model)
    }
}

impl NetworkChoice {
    fn of(&self, dim: usize, outputs: usize) -> Result<Network, TrainingError> {
        match self {
            Self::Network(network) => Ok(network.clone()),
            Self::Perceptron(Perceptron { hidden, activation, time }) => {
                let ends = [vec![dim + usize::from(*time)], hidden.clone(), vec![outputs]];
                Ok(Network::perceptron(&ends.concat(), *activation)?)
            }
        }
    }
}

impl Solver {
    /// Checks that the steps of `rows`, the value of `key`, fit into 32 bits.
    pub(super) fn check(&self, key: &'static str, rows: usize) -> Result<(), Error> {
        let few = |steps: &usize| u32::try_from(*steps).is_ok();
        match rows.checked_mul(self.steps).filter(few) {
            Some(_) => Ok(()),
            None => Err(TrainingError::setting(
                key,
                rows,
                "fewer than 2^32 steps, with [solver] steps per row",
            )),
        }
    }

    /// Bytes of a state stored for the backward pass, where a scalar of the training has `scalar`.
    pub(super) fn bytes_of_state(&self, scalar: u64) -> u64 {
        if self.storage == StorageFormat::Full { scalar } else { 2 }
    }

    /// Solver settings over `rows` rows of step `dt`.
    pub(super) fn over(&self, rows: usize, dt: f64) -> Solving {
        let mut solving = Solving::new(rows as f64 * dt, rows * self.steps);
        solving.memory = match self.memory {
            History::Direct => PathMemory::Direct,
            History::Blocked => PathMemory::Blocked,
            History::Exponentials { tolerance } => PathMemory::Exponentials { tolerance },
        };
        solving.drift = match self.drift {
            DriftRule::Rectangle => Drift::Rectangle,
            DriftRule::PredictorCorrector => Drift::PredictorCorrector,
        };
        solving.checkpoints = match self.checkpoints {
            CheckpointRule::All => models::Checkpoints::All,
            CheckpointRule::Sqrt => models::Checkpoints::Sqrt,
            CheckpointRule::Binomial { states } => models::Checkpoints::Binomial { states },
        };
        solving.storage = self.storage.storage();
        solving
    }
}
