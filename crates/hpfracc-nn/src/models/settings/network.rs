use crate::NetworkError;
use crate::layers::{Activation, Network};
use serde::{Deserialize, Serialize};

/// Network, in full or by its widths.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum NetworkChoice {
    Network(Network),
    Perceptron(Perceptron),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Perceptron {
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

impl Default for NetworkChoice {
    /// A dense layer without activation.
    fn default() -> Self {
        Self::Perceptron(Perceptron { hidden: Vec::new(), activation: tanh(), time: false })
    }
}

impl NetworkChoice {
    /// The network from `inputs` rows, and the time if it is an input.
    ///
    /// # Errors
    /// [`NetworkError`] for widths of no rows.
    pub(super) fn network(&self, inputs: usize, outputs: usize) -> Result<Network, NetworkError> {
        match self {
            Self::Network(network) => Ok(network.clone()),
            Self::Perceptron(Perceptron { hidden, activation, time }) => {
                let ends = [vec![inputs + usize::from(*time)], hidden.clone(), vec![outputs]];
                Network::perceptron(&ends.concat(), *activation)
            }
        }
    }
}
