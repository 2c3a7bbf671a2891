//! Settings of neural fractional equations as data: the tables of a configuration, of the command, of Python, of a file.
//!
//! Names are in kebab case, unknown ones are refused, and every number has a default where one makes sense.
//!
//! ```
//! use hpfracc_nn::models::settings::{ModelSettings, SolverSettings};
//!
//! let model: ModelSettings = serde_json::from_str(
//!     r#"{"drift": {"perceptron": {"hidden": [16]}}, "orders": {"learned": {"lower": 0.5, "upper": 1.0, "start": 0.9, "each": false}}}"#,
//! )?;
//! assert_eq!(model.equation(2)?.dim(), 2);
//! let solver: SolverSettings = serde_json::from_str(r#"{"steps": 4, "storage": "bfloat16"}"#)?;
//! assert_eq!(solver.steps_of(10), Some(40));
//! assert!(serde_json::from_str::<SolverSettings>(r#"{"step": 4}"#).is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod controlled;
mod latent;
mod model;
mod network;
mod noise;
mod solver;

pub use controlled::ControlledSettings;
pub use latent::{LatentLossSettings, LatentSettings};
pub use model::ModelSettings;
pub use solver::SolverSettings;

use crate::models::PathLoss;
use serde::{Deserialize, Serialize};

/// Windows of a time series.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct WindowSettings {
    /// Rows after the initial one.
    pub length: usize,
    /// Rows between the starts of two windows; 1 by default.
    #[serde(default = "one")]
    pub stride: usize,
    /// Held-out share of the rows, the last ones; 0.2 by default.
    #[serde(default = "fifth")]
    pub validation: f64,
}

fn one() -> usize {
    1
}

fn fifth() -> f64 {
    0.2
}

/// Loss of the paths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LossSettings {
    /// The loss.
    pub path_loss: PathLoss,
    /// Paths per window; 1 by default.
    pub paths: usize,
}

impl Default for LossSettings {
    fn default() -> Self {
        Self { path_loss: PathLoss::default(), paths: 1 }
    }
}

/// Checkpoints of a training.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct CheckpointSettings {
    /// Steps between two checkpoints, besides one after each epoch.
    pub every: Option<u64>,
    /// Number of files that are kept; 3 by default.
    pub keep: usize,
}

impl Default for CheckpointSettings {
    fn default() -> Self {
        Self { every: None, keep: 3 }
    }
}
