use crate::NetworkError;
use crate::layers::{Activation, Network};
use crate::models::{Diffusion, ModelError, NeuralFractionalSde, Orders};
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

impl ModelSettings {
    /// Equation with `dim` components.
    ///
    /// # Errors
    /// [`ModelError`] for networks, orders and a diffusion that do not fit together or to the number of components.
    pub fn equation(&self, dim: usize) -> Result<NeuralFractionalSde, ModelError> {
        let drift = self.drift.network(dim, dim)?;
        let diffusion = match &self.diffusion {
            DiffusionChoice::None => Diffusion::None,
            DiffusionChoice::Additive { start } => Diffusion::Additive { start: *start },
            DiffusionChoice::Diagonal { of, floor } => {
                Diffusion::Diagonal { network: of.network(dim, dim)?, floor: *floor }
            }
            DiffusionChoice::General { of, noises } => {
                let outputs = dim
                    .checked_mul(*noises)
                    .ok_or(NetworkError::TooLarge { layer: "the diffusion" })?;
                Diffusion::General { network: of.network(dim, outputs)?, noises: *noises }
            }
        };
        let model = NeuralFractionalSde::new(drift, diffusion, self.orders.clone())?;
        // The drift determines the number of components of the model.
        if model.dim() != dim {
            let what = "the outputs of the drift";
            return Err(ModelError::Rows { what, found: model.dim(), expected: dim.to_string() });
        }
        Ok(model)
    }
}

impl NetworkChoice {
    fn network(&self, dim: usize, outputs: usize) -> Result<Network, NetworkError> {
        match self {
            Self::Network(network) => Ok(network.clone()),
            Self::Perceptron(Perceptron { hidden, activation, time }) => {
                let ends = [vec![dim + usize::from(*time)], hidden.clone(), vec![outputs]];
                Network::perceptron(&ends.concat(), *activation)
            }
        }
    }
}
