use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// Precision of the computation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Dtype {
    /// Single precision, about 7 digits.
    F32,
    /// Double precision, about 16 digits.
    F64,
}
