use super::network::NetworkChoice;
use super::noise::DiffusionChoice;
use crate::models::{ModelError, NeuralFractionalSde, Orders};
use serde::{Deserialize, Serialize};

/// Drift, diffusion and orders of a neural fractional equation, whose number of components the data determine.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ModelSettings {
    drift: NetworkChoice,
    #[serde(default)]
    diffusion: DiffusionChoice,
    #[serde(default)]
    orders: Orders,
}

impl ModelSettings {
    /// Equation with `dim` components.
    ///
    /// # Errors
    /// [`ModelError`] for networks, orders and a diffusion that do not fit together or to the number of components.
    pub fn equation(&self, dim: usize) -> Result<NeuralFractionalSde, ModelError> {
        let drift = self.drift.network(dim, dim)?;
        let diffusion = self.diffusion.of(dim)?;
        let model = NeuralFractionalSde::new(drift, diffusion, self.orders.clone())?;
        // The drift determines the number of components of the model.
        if model.dim() != dim {
            let what = "the outputs of the drift";
            return Err(ModelError::Rows { what, found: model.dim(), expected: dim.to_string() });
        }
        Ok(model)
    }
}
