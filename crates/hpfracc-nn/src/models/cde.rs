use super::blocks::within;
use super::checks::rows;
use super::{ModelError, Orders};
use crate::checks::{checked, same_size};
use crate::kernels::split;
use crate::layers::Network;
use crate::{ParameterBlock, Scalar, Shape, TrainingError};
use serde::{Deserialize, Serialize};

/// Neural controlled differential equation: a hidden state z driven by a time series X, and a
/// readout,
///
/// ```text
/// z(0) = encoder(X(0)),   D^alpha z = F(z) dX/dt,   y(t) = readout(z(t))
/// ```
///
/// With the time as a channel of X the equation has a drift. Steps are those of the Euler method,
/// `F(z_n) (X_{n+1} - X_n)`, or of its fractional form: X is linear between its nodes.
///
/// Source: Kidger, Morrill, Foster and Lyons, NeurIPS (2020), arXiv:2005.08926.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(remote = "Self", transparent)]
pub struct NeuralCde<L = Network> {
    pub(super) parts: CdeParts<L>,
}

/// The networks of a [`NeuralCde`]. Networks of z may have the time as a further input.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CdeParts<L = Network> {
    /// From the initial values of the channels to z(0).
    pub encoder: L,
    /// F, from z to the rows `component * channels + channel`.
    pub field: L,
    /// From z to the predictions.
    pub readout: L,
    /// The orders of z.
    #[serde(default)]
    pub orders: Orders,
}

checked!(NeuralCde<L>);

impl<L: Shape> NeuralCde<L> {
    /// A model with as many hidden components as the encoder has outputs, and as many channels as
    /// it has inputs.
    ///
    /// # Errors
    /// [`ModelError`] for networks whose sizes do not match, and orders outside their ranges.
    pub fn new(parts: CdeParts<L>) -> Result<Self, ModelError> {
        let model = Self { parts };
        model.check().map(|()| model)
    }

    fn check(&self) -> Result<(), ModelError> {
        let CdeParts { encoder, field, readout, orders } = &self.parts;
        let (channels, dim) = (encoder.inputs(), encoder.outputs());
        rows("the inputs of the field", field.inputs(), &[dim, dim + 1])?;
        rows("the outputs of the field", field.outputs(), &[dim * channels])?;
        rows("the inputs of the readout", readout.inputs(), &[dim, dim + 1])?;
        orders.check(dim, false)
    }

    /// Components of z.
    pub fn dim(&self) -> usize {
        self.parts.encoder.outputs()
    }

    /// Channels of X.
    pub fn channels(&self) -> usize {
        self.parts.encoder.inputs()
    }

    /// Numbers of parameters: of the encoder, the field, the readout and the orders.
    pub(super) fn lengths(&self) -> [usize; 4] {
        let CdeParts { encoder, field, readout, orders } = &self.parts;
        let orders = orders.parameters(self.dim());
        [encoder.parameters(), field.parameters(), readout.parameters(), orders]
    }

    /// The blocks of parameters with their initial values: those of `encoder`, `field`, `readout`
    /// and `order`.
    pub fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let CdeParts { encoder, field, readout, orders } = &self.parts;
        within("encoder", encoder.parameter_blocks())
            .chain(within("field", field.parameter_blocks()))
            .chain(within("readout", readout.parameter_blocks()))
            .chain(orders.block(self.dim()))
            .collect()
    }

    /// Number of parameters.
    pub fn parameters(&self) -> usize {
        self.lengths().iter().sum()
    }

    /// True if orders are parameters.
    pub fn learns_orders(&self) -> bool {
        self.parts.orders.learned()
    }

    /// The orders of z at these parameters.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for another number of parameters.
    pub fn order_values<T: Scalar>(&self, theta: &[T]) -> Result<Vec<f64>, TrainingError> {
        same_size("the list of parameters", theta.len(), self.parameters())?;
        let [.., orders] = split(theta, self.lengths());
        Ok(self.parts.orders.values(orders, self.dim()))
    }
}
