use crate::{LossError, OutOfRange, SizeMismatch};
use hpfracc_communicator::CommunicatorError;
use hpfracc_lanes::{CompactVec, StorageOverflow};
use hpfracc_sde::SdeError;
use hpfracc_types::Real;
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
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// An argument of a layer of another size.
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// A layer with more rows or parameters than are addressable.
    #[error("{layer}: more rows or parameters than are addressable")]
    TooLarge {
        /// The kind of layer.
        layer: &'static str,
    },
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
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// A number that is too large for its storage format.
    #[error("{what}: {overflow}")]
    Storage {
        /// The numbers that are stored.
        what: &'static str,
        /// The number.
        overflow: StorageOverflow,
    },
    /// Ranks do not work together, or another rank has an error.
    #[error(transparent)]
    Ranks(#[from] CommunicatorError),
    /// An objective that one process evaluates, in a batch of several ranks.
    #[error(
        "{objective} is evaluated by one process, found {ranks} ranks: train it on one rank, or with \
         an objective on the CPU"
    )]
    OneProcess {
        /// The objective.
        objective: &'static str,
        /// Number of ranks.
        ranks: usize,
    },
}

/// Error for stored numbers one of which is too large for its format.
pub(crate) fn stored<T: Real>(
    what: &'static str,
    numbers: &CompactVec<T>,
) -> Result<(), TrainingError> {
    let overflow = numbers.overflow();
    overflow.map_or(Ok(()), |overflow| Err(TrainingError::Storage { what, overflow }))
}

/// Error for a loss that is not finite.
pub(crate) fn finite_loss(value: f64) -> Result<f64, TrainingError> {
    match value.is_finite() {
        true => Ok(value),
        false => Err(TrainingError::NotFinite { what: "the loss".to_owned(), value }),
    }
}
