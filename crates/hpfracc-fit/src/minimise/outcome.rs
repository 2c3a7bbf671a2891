use serde::{Deserialize, Serialize};
use std::fmt;

/// How a minimisation ended. All outcomes have a usable result.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Outcome {
    /// At a minimum.
    Converged {
        /// Relative offset: the length of the tangential part of the residuals over that of the normal part, each by its
        /// degrees of freedom (Bates and Watts 1981).
        offset: f64,
    },
    /// All residuals are zero but for rounding.
    ZeroResidual,
    /// No step decreases the cost any more, which rounding hides.
    Rounding {
        /// Relative offset.
        offset: f64,
    },
    /// The largest number of passes.
    Passes,
    /// Cancelled by the caller.
    Cancelled,
}

impl Outcome {
    /// Whether the result is a minimum.
    pub fn is_success(self) -> bool {
        !matches!(self, Self::Passes | Self::Cancelled)
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Converged { offset } => {
                write!(f, "converged to a minimum, relative offset {offset:.1e}")
            }
            Self::ZeroResidual => f.write_str("converged: the residuals are rounding"),
            Self::Rounding { offset } => {
                write!(f, "no step decreases the cost any more, relative offset {offset:.1e}")
            }
            Self::Passes => f.write_str("not converged: the largest number of passes is reached"),
            Self::Cancelled => f.write_str("not converged: cancelled"),
        }
    }
}
