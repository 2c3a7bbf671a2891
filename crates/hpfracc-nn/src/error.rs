use crate::LossError;
use hpfracc_sde::SdeError;
use serde::de::{Deserialize, Deserializer, Error as _, Unexpected};
use std::num::NonZeroUsize;
use thiserror::Error;

/// Error of the construction of a network.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum NetworkError {
    /// A layer without inputs or outputs.
    #[error("layer {layer} has no inputs or no outputs, expected at least 1 of each")]
    NoRows {
        /// The layer, from 0.
        layer: usize,
    },
    /// A composition of no layers.
    #[error("a network without layers, expected at least 1")]
    NoLayers,
    /// A layer whose inputs differ from the outputs of the layer before it.
    #[error("layer {layer} has {inputs} inputs, the layer before it has {outputs} outputs")]
    Mismatch {
        /// The layer, from 0.
        layer: usize,
        /// Outputs of the layer before it.
        outputs: usize,
        /// Its inputs.
        inputs: usize,
    },
    /// A residual connection around a layer with different numbers of inputs and outputs.
    #[error(
        "a residual connection around a layer with {inputs} inputs and {outputs} outputs, expected \
         equal numbers"
    )]
    NotSquare {
        /// Outputs of the inner layer.
        outputs: usize,
        /// Inputs of the inner layer.
        inputs: usize,
    },
    /// A setting of a layer, or the size of one of its arguments, outside its range.
    #[error("{layer}: {what} is {value}, expected {expected}")]
    OutOfRange {
        /// The layer, by the name of its type.
        layer: &'static str,
        /// The name of the setting.
        what: &'static str,
        /// Its value.
        value: String,
        /// The range.
        expected: String,
    },
    /// A layer with more rows or parameters than are addressable.
    #[error("{layer}: more rows or parameters than are addressable")]
    TooLarge {
        /// The kind of layer.
        layer: &'static str,
    },
}

impl NetworkError {
    pub(crate) fn out_of_range(
        layer: &'static str,
        what: &'static str,
        value: impl ToString,
        expected: impl ToString,
    ) -> Self {
        Self::OutOfRange { layer, what, value: value.to_string(), expected: expected.to_string() }
    }
}

/// Error for a size of zero.
pub(crate) fn size(
    layer: &'static str,
    what: &'static str,
    number: usize,
) -> Result<(), NetworkError> {
    value(layer, what, number as f64, number > 0, "at least 1")
}

/// Error for a size of zero among several.
pub(crate) fn sizes_of(
    layer: &'static str,
    sizes: &[(&'static str, usize)],
) -> Result<(), NetworkError> {
    sizes.iter().try_for_each(|(what, number)| size(layer, what, *number))
}

/// Error for a number that is not positive and finite.
pub(crate) fn positive(
    layer: &'static str,
    what: &'static str,
    number: f64,
) -> Result<(), NetworkError> {
    value(layer, what, number, number > 0.0 && number.is_finite(), "a positive number")
}

/// Deserialises a size that is not zero.
pub(crate) fn positive_size<'de, D: Deserializer<'de>>(from: D) -> Result<usize, D::Error> {
    NonZeroUsize::deserialize(from).map(NonZeroUsize::get)
}

/// Deserialises a finite number above zero.
pub(crate) fn positive_number<'de, D: Deserializer<'de>>(from: D) -> Result<f64, D::Error> {
    let number = f64::deserialize(from)?;
    if number > 0.0 && number.is_finite() {
        return Ok(number);
    }
    Err(D::Error::invalid_value(Unexpected::Float(number), &"a positive number"))
}

/// Error for a value outside its range.
pub(crate) fn value(
    layer: &'static str,
    what: &'static str,
    value: f64,
    fits: bool,
    expected: &str,
) -> Result<(), NetworkError> {
    if fits { Ok(()) } else { Err(NetworkError::out_of_range(layer, what, value, expected)) }
}

/// The product of sizes, if it is addressable.
pub(crate) fn product_of(layer: &'static str, sizes: &[usize]) -> Result<usize, NetworkError> {
    let product = sizes.iter().try_fold(1usize, |product, size| product.checked_mul(*size));
    addressable(layer, product)
}

/// The sum of sizes, if it is addressable.
pub(crate) fn sum_of(
    layer: &'static str,
    sizes: impl IntoIterator<Item = usize>,
) -> Result<usize, NetworkError> {
    let sum = sizes.into_iter().try_fold(0usize, |sum, size| sum.checked_add(size));
    addressable(layer, sum)
}

/// A slice has at most `isize::MAX` bytes.
fn addressable(layer: &'static str, count: Option<usize>) -> Result<usize, NetworkError> {
    let fits = |count: &usize| *count <= isize::MAX as usize / size_of::<f64>();
    count.filter(fits).ok_or(NetworkError::TooLarge { layer })
}

/// Error of the evaluation of a loss or its gradient.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A solve within the model failed.
    #[error(transparent)]
    Solve(#[from] SdeError),
    /// The loss cannot be evaluated.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// The network is invalid.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A value that is not finite.
    #[error("{what} is not finite: {value}")]
    NotFinite {
        /// The quantity: a loss, or the gradient of a parameter by name.
        what: String,
        /// The value.
        value: f64,
    },
    /// Sizes that do not match.
    #[error("{what} has the size {found}, expected {expected}")]
    Size {
        /// The quantity with the size.
        what: String,
        /// The size found.
        found: usize,
        /// The size expected.
        expected: usize,
    },
}

/// Error for a loss that is not finite.
pub(crate) fn finite_loss(value: f64) -> Result<f64, TrainingError> {
    match value.is_finite() {
        true => Ok(value),
        false => Err(TrainingError::NotFinite { what: "the loss".to_owned(), value }),
    }
}
