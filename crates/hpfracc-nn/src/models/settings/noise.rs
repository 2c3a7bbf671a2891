use super::network::NetworkChoice;
use crate::NetworkError;
use crate::models::{Diffusion, ModelError};
use serde::{Deserialize, Serialize};

/// Diffusion, with networks in full or by their widths.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub(super) enum DiffusionChoice {
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

impl DiffusionChoice {
    /// Diffusion of `dim` components.
    ///
    /// # Errors
    /// [`ModelError`] for invalid networks.
    pub(super) fn of(&self, dim: usize) -> Result<Diffusion, ModelError> {
        Ok(match self {
            Self::None => Diffusion::None,
            Self::Additive { start } => Diffusion::Additive { start: *start },
            Self::Diagonal { of, floor } => {
                Diffusion::Diagonal { network: of.network(dim, dim)?, floor: *floor }
            }
            Self::General { of, noises } => {
                let outputs = dim
                    .checked_mul(*noises)
                    .ok_or(NetworkError::TooLarge { layer: "the diffusion" })?;
                Diffusion::General { network: of.network(dim, outputs)?, noises: *noises }
            }
        })
    }
}
