use super::network::NetworkChoice;
use super::noise::DiffusionChoice;
use crate::models::{LatentFractionalSde, LatentParts, ModelError, Orders};
use crate::{Loss, NetworkError};
use serde::{Deserialize, Serialize};

/// Networks and orders of a latent equation; the data determine the inputs of its encoder and its predictions.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct LatentSettings {
    /// Components of the latent state z.
    pub components: usize,
    /// Numbers of the context that the encoder gives to the posterior; 0 by default.
    #[serde(default)]
    pub context: usize,
    encoder: NetworkChoice,
    /// Whether the encoder receives which values are present; by default it receives 0 for missing ones alone.
    #[serde(default)]
    pub mask: bool,
    posterior: NetworkChoice,
    prior: NetworkChoice,
    diffusion: DiffusionChoice,
    /// From z to the observations; a dense layer by default.
    #[serde(default)]
    decoder: NetworkChoice,
    #[serde(default)]
    orders: Orders,
}

/// Loss of a latent equation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub struct LatentLossSettings {
    /// Negative log-likelihood of an observed value; Gaussian by default.
    pub observation: Loss,
    /// Paths per sequence; 1 by default.
    pub paths: usize,
    /// Weight of the divergences; 1 by default, for the negative ELBO.
    pub kl_weight: f64,
}

impl Default for LatentLossSettings {
    fn default() -> Self {
        Self { observation: Loss::GaussianLikelihood { floor: 0.01 }, paths: 1, kl_weight: 1.0 }
    }
}

impl LatentSettings {
    /// Equation of sequences of this many values, nodes times components, and rows of predictions.
    ///
    /// # Errors
    /// [`ModelError`] for networks, orders and a diffusion that do not fit together or to these numbers.
    pub fn equation(
        &self,
        values: usize,
        predictions: usize,
    ) -> Result<LatentFractionalSde, ModelError> {
        let (latent, context) = (self.components, self.context);
        let inputs = values.checked_mul(if self.mask { 2 } else { 1 });
        let outputs = latent.checked_mul(2).and_then(|starts| starts.checked_add(context));
        let (Some(inputs), Some(outputs)) = (inputs, outputs) else {
            return Err(NetworkError::TooLarge { layer: "the encoder" }.into());
        };
        LatentFractionalSde::new(LatentParts {
            encoder: self.encoder.network(inputs, outputs)?,
            posterior: self.posterior.network(latent + context, latent)?,
            prior: self.prior.network(latent, latent)?,
            diffusion: self.diffusion.of(latent)?,
            decoder: self.decoder.network(latent, predictions)?,
            orders: self.orders.clone(),
        })
    }
}
