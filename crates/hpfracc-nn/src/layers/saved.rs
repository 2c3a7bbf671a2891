use super::{Activation, Dense, Network};
use crate::checks::{SizeMismatch, same_size};
use crate::trainer::Standardisation;
use crate::{Scalar, Shape};
use hpfracc_equation as equation;
use serde::{Deserialize, Serialize};
use std::fmt::Display;
use std::path::Path;
use thiserror::Error;

/// Largest file of a network, in bytes.
const LARGEST: u64 = 1 << 30;

/// Network with its parameters, as JSON: the file that texts of equations name
/// (`net f: x, v -> 64 tanh -> 2 from "drift.json"`).
///
/// ```
/// use hpfracc_nn::{Activation, Network, SavedNetwork, Shape};
///
/// let network = Network::perceptron(&[1, 2, 1], Activation::Tanh)?;
/// let theta = vec![0.5f32; network.parameters()];
/// let saved = SavedNetwork::new(network, &theta)?;
/// let read = SavedNetwork::from_json(&saved.to_json()?)?;
/// assert_eq!(read, saved);
/// assert_eq!(read.to_equation()?.to_string(), "1 -> 2 tanh -> 1");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedNetwork {
    /// The layers.
    pub network: Network,
    /// Their parameters, in the order of [`Shape::blocks`].
    pub parameters: Vec<f64>,
}

/// Error of a saved network.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SavedNetworkError {
    /// Text that is no saved network.
    #[error("no saved network: {0}")]
    Json(#[from] serde_json::Error),
    /// Another number of parameters than the layers have.
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// A layer that is neither dense nor a composition: equations have no others.
    #[error(
        "layer {position} (counted from 1) is `{layer}`, but networks of equations are of dense layers"
    )]
    Layer {
        /// Position among the layers, counted from 1.
        position: usize,
        /// Kind of the layer.
        layer: String,
    },
    /// Other units of a network whose last layer has an activation.
    #[error(
        "the last layer has the activation {activation}, expected none: its outputs cannot be scaled"
    )]
    Units {
        /// The activation.
        activation: &'static str,
    },
    /// Weights that make no network.
    #[error(transparent)]
    Network(#[from] equation::NetworkError),
}

impl SavedNetwork {
    /// Network with these parameters.
    ///
    /// # Errors
    /// [`SizeMismatch`] for another number of parameters than the network has.
    pub fn new<T: Scalar>(network: Network, theta: &[T]) -> Result<Self, SizeMismatch> {
        let parameters = theta.iter().map(|x| x.widen()).collect();
        let saved = Self { network, parameters };
        saved.check().map(|()| saved)
    }

    fn check(&self) -> Result<(), SizeMismatch> {
        same_size("the list of parameters", self.parameters.len(), self.network.parameters())
    }

    /// The right-hand side in the units of the data, of a model of standardised ones:
    /// `deviation f((x - mean)/deviation)` for the network f. Inputs after the components, such as
    /// time, stay as they are.
    ///
    /// # Errors
    /// [`SavedNetworkError`] for layers that are not dense, a last layer with an activation, which has
    /// no weights after it, and for another number of components than outputs.
    pub fn in_units(&self, units: &Standardisation) -> Result<Self, SavedNetworkError> {
        let Standardisation { mean, deviation } = units;
        let network = self.to_equation()?;
        let (layers, mut parameters) = (network.layers(), self.parameters.clone());
        let last = layers.len() - 1;
        let (first, (outer, activation)) = (&layers[0].0, &layers[last]);
        same_size("the standardisation", deviation.len(), outer.outputs())?;
        same_size("the means", mean.len(), deviation.len())?;
        if first.inputs() < mean.len() {
            same_size("the inputs", first.inputs(), mean.len())?;
        }
        if *activation != equation::Activation::Identity {
            return Err(SavedNetworkError::Units { activation: activation.name() });
        }
        let (inputs, outputs) = (first.inputs(), first.outputs());
        for row in 0..outputs {
            for (j, (mean, deviation)) in mean.iter().zip(deviation).enumerate() {
                let weight = &mut parameters[row * inputs + j];
                *weight /= deviation;
                let shift = *weight * mean;
                parameters[outputs * inputs + row] -= shift;
            }
        }
        let (inputs, outputs) = (outer.inputs(), outer.outputs());
        let start = parameters.len() - (inputs + 1) * outputs;
        let (weights, bias) = parameters[start..].split_at_mut(inputs * outputs);
        for (row, deviation) in deviation.iter().enumerate() {
            weights[row * inputs..][..inputs].iter_mut().for_each(|weight| *weight *= deviation);
            bias[row] *= deviation;
        }
        Ok(Self { network: self.network.clone(), parameters })
    }

    /// Text of a file; numbers as their shortest decimals.
    ///
    /// # Errors
    /// [`SavedNetworkError::Json`] if it cannot be written.
    pub fn to_json(&self) -> Result<String, SavedNetworkError> {
        Ok(serde_json::to_string(self)?)
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// [`SavedNetworkError`] for a text that is no saved network, and for another number of
    /// parameters than its layers have.
    pub fn from_json(text: &str) -> Result<Self, SavedNetworkError> {
        let saved: Self = serde_json::from_str(text)?;
        saved.check()?;
        Ok(saved)
    }

    /// Reads the network of an equation from a file of at most 1 GiB.
    ///
    /// # Errors
    /// A message with the path: the file cannot be read, or is no saved network of dense layers.
    pub fn equation_network(path: &Path) -> Result<equation::Network, String> {
        let named = |error: &dyn Display| format!("{}: {error}", path.display());
        let found = path.metadata().map_err(|error| named(&error))?;
        if !found.is_file() || found.len() > LARGEST {
            return Err(named(&"expected a file of at most 1 GiB"));
        }
        let text = std::fs::read_to_string(path).map_err(|error| named(&error))?;
        let saved = Self::from_json(&text).map_err(|error| named(&error))?;
        saved.to_equation().map_err(|error| named(&error))
    }

    /// Network of an equation: its dense layers, those of compositions in their order.
    ///
    /// # Errors
    /// [`SavedNetworkError`] for layers of other kinds, and for weights that are not finite.
    pub fn to_equation(&self) -> Result<equation::Network, SavedNetworkError> {
        self.check()?;
        let (mut layers, mut rest) = (Vec::new(), &self.parameters[..]);
        for (k, layer) in dense_layers(&self.network).into_iter().enumerate() {
            let Network::Dense(Dense { inputs, outputs, activation, .. }) = *layer else {
                let (position, layer) = (k + 1, kind(layer)?);
                return Err(SavedNetworkError::Layer { position, layer });
            };
            let (weights, after) = rest.split_at(inputs * outputs);
            let (bias, after) = after.split_at(outputs);
            rest = after;
            let map = equation::Affine::new(inputs, weights.to_vec(), bias.to_vec())?;
            layers.push((map, in_equations(activation)));
        }
        Ok(equation::Network::new(layers)?)
    }
}

/// Layers of compositions within compositions, in their order.
fn dense_layers(network: &Network) -> Vec<&Network> {
    let (mut open, mut layers) = (vec![network], Vec::new());
    while let Some(layer) = open.pop() {
        match layer {
            Network::Sequential(composition) => open.extend(composition.layers().iter().rev()),
            layer => layers.push(layer),
        }
    }
    layers
}

/// Kind of a layer, as it is written in a file.
fn kind(layer: &Network) -> Result<String, SavedNetworkError> {
    let value = serde_json::to_value(layer)?;
    let key = value.as_object().and_then(|object| object.keys().next());
    Ok(key.cloned().unwrap_or_else(|| value.to_string()))
}

fn in_equations(activation: Activation) -> equation::Activation {
    match activation {
        Activation::Identity => equation::Activation::Identity,
        Activation::Relu => equation::Activation::Relu,
        Activation::Tanh => equation::Activation::Tanh,
        Activation::Sigmoid => equation::Activation::Sigmoid,
        Activation::Softplus => equation::Activation::Softplus,
        Activation::Silu => equation::Activation::Silu,
        Activation::Gelu | Activation::GeluAccurateTail => equation::Activation::Gelu,
        Activation::GeluTanh => equation::Activation::GeluTanh,
    }
}
