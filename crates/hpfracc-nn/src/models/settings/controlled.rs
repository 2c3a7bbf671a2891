use super::network::NetworkChoice;
use crate::models::{CdeParts, ModelError, NeuralCde, Orders};
use serde::{Deserialize, Serialize};

/// Networks and orders of a neural controlled equation; the data determine its channels and responses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct ControlledSettings {
    /// Components of the hidden state z.
    pub components: usize,
    /// From the initial values of the channels to z; a dense layer by default.
    #[serde(default)]
    encoder: NetworkChoice,
    field: NetworkChoice,
    /// From z to the responses; a dense layer by default.
    #[serde(default)]
    readout: NetworkChoice,
    #[serde(default)]
    orders: Orders,
}

impl ControlledSettings {
    /// Equation with this many channels of the control and rows of predictions.
    ///
    /// # Errors
    /// [`ModelError`] for networks and orders that do not fit together or to these numbers.
    pub fn equation(&self, channels: usize, predictions: usize) -> Result<NeuralCde, ModelError> {
        let dim = self.components;
        let rows = dim.checked_mul(channels);
        let rows = rows.ok_or(crate::NetworkError::TooLarge { layer: "the field" })?;
        NeuralCde::new(CdeParts {
            encoder: self.encoder.network(channels, dim)?,
            field: self.field.network(dim, rows)?,
            readout: self.readout.network(dim, predictions)?,
            orders: self.orders.clone(),
        })
    }
}
