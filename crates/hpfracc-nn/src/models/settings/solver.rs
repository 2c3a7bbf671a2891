use crate::models::{Checkpoints, Solving};
use hpfracc_lanes::Storage;
use hpfracc_sde::{Drift, PathMemory};
use serde::{Deserialize, Serialize};

/// Steps, memory and stored states of the solves of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct SolverSettings {
    /// Steps per row of the data; 1 by default.
    pub steps: usize,
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

impl Default for SolverSettings {
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

impl SolverSettings {
    /// Steps of `rows` rows; None if these are 2^32 or more.
    pub fn steps_of(&self, rows: usize) -> Option<usize> {
        rows.checked_mul(self.steps).filter(|steps| u32::try_from(*steps).is_ok())
    }

    /// Whether states are stored in a format in which small cotangents become 0 without a scale of the loss.
    pub fn needs_loss_scale(&self) -> bool {
        self.storage == StorageFormat::Float16
    }

    /// Bytes of a number of a state stored for the backward pass, where a scalar of the training has `scalar`.
    pub fn bytes_of_state(&self, scalar: u64) -> u64 {
        if self.storage == StorageFormat::Full { scalar } else { 2 }
    }

    /// Solver over `rows` rows of step `dt`.
    pub fn over(&self, rows: usize, dt: f64) -> Solving {
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
            CheckpointRule::All => Checkpoints::All,
            CheckpointRule::Sqrt => Checkpoints::Sqrt,
            CheckpointRule::Binomial { states } => Checkpoints::Binomial { states },
        };
        solving.storage = match self.storage {
            StorageFormat::Full => Storage::Full,
            StorageFormat::BFloat16 => Storage::BFloat16,
            StorageFormat::Float16 => Storage::Float16,
        };
        solving
    }
}
