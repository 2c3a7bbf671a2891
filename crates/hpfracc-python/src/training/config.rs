//! Configuration of a training, with the names of `hpfracc train`.

use crate::errors::{OrRaise, input};
use hpfracc::nn::models::{self, Diffusion, NeuralFractionalSde, Orders, PathLoss, Solving};
use hpfracc::nn::trainer::Training;
use hpfracc::nn::{Activation, Network, Storage};
use hpfracc::sde::{Drift, PathMemory};
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
    hidden: Vec<usize>,
    #[serde(default = "tanh")]
    activation: Activation,
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

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
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

impl Model {
    /// Equation with `dim` components.
    pub(super) fn of(&self, dim: usize) -> PyResult<NeuralFractionalSde> {
        let drift = self.drift.of(dim, dim)?;
        let diffusion = match &self.diffusion {
            DiffusionChoice::None => Diffusion::None,
            DiffusionChoice::Additive { start } => Diffusion::Additive { start: *start },
            DiffusionChoice::Diagonal { of, floor } => {
                Diffusion::Diagonal { network: of.of(dim, dim)?, floor: *floor }
            }
            DiffusionChoice::General { of, noises } => {
                let outputs = dim.checked_mul(*noises);
                let outputs = outputs.ok_or_else(|| input("diffusion: too many noises"))?;
                Diffusion::General { network: of.of(dim, outputs)?, noises: *noises }
            }
        };
        let model = NeuralFractionalSde::new(drift, diffusion, self.orders.clone())
            .map_err(|error| input(format!("model: {error}")))?;
        // The drift determines the number of components of the model.
        if model.dim() == dim {
            return Ok(model);
        }
        let found = model.dim();
        Err(input(format!("model: the drift has {found} outputs, expected {dim} as the data")))
    }
}

impl NetworkChoice {
    fn of(&self, dim: usize, outputs: usize) -> PyResult<Network> {
        match self {
            Self::Network(network) => Ok(network.clone()),
            Self::Perceptron(Perceptron { hidden, activation, time }) => {
                let ends = [vec![dim + usize::from(*time)], hidden.clone(), vec![outputs]];
                Network::perceptron(&ends.concat(), *activation).or_raise()
            }
        }
    }
}

impl Solver {
    /// # Errors
    /// `InputError` for no steps, and for more than fit into 32 bits.
    pub(super) fn check(&self, name: &str, rows: usize) -> PyResult<()> {
        if self.steps == 0 {
            return Err(input("solver: steps is 0, expected at least 1"));
        }
        if rows == 0 {
            return Err(input(format!("{name} is 0, expected at least 1")));
        }
        match rows.checked_mul(self.steps).filter(|steps| u32::try_from(*steps).is_ok()) {
            Some(_) => Ok(()),
            None => Err(input(format!(
                "{name} is {rows}, expected fewer than 2^32 steps, with {} steps per row",
                self.steps
            ))),
        }
    }

    /// Whether states are stored in a format whose small cotangents become 0 without a scale.
    pub(super) fn needs_loss_scale(&self) -> bool {
        self.storage == StorageFormat::Float16
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
        solving.storage = match self.storage {
            StorageFormat::Full => Storage::Full,
            StorageFormat::BFloat16 => Storage::BFloat16,
            StorageFormat::Float16 => Storage::Float16,
        };
        solving
    }
}

/// Settings of the trainer, those of `solver` taken into account.
pub(super) fn training(tables: &mut Tables, solver: Option<&Solver>) -> PyResult<Training> {
    let mut training: Training = tables.take_or_default("training")?;
    if solver.is_some_and(Solver::needs_loss_scale) {
        training.loss_scale.get_or_insert_default();
    }
    training.check().map_err(|error| input(format!("training: {error}")))?;
    Ok(training)
}
