use crate::LossError;
use hpfracc_solvers::SolveError;
use thiserror::Error;

/// Why there is no such network.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum NetworkError {
    /// A sequence of no layers.
    #[error("a network without layers")]
    NoLayers,
    /// A layer does not take what the one before it gives.
    #[error("layer {layer} takes {taken} rows, the one before it gives {given}")]
    Mismatch {
        /// The layer, from 0.
        layer: usize,
        /// Rows that the layer before it gives.
        given: usize,
        /// Rows that it takes.
        taken: usize,
    },
    /// A number of a layer that is outside its range.
    #[error("{layer}: {what} is {value}, expected {expected}")]
    OutOfRange {
        /// The layer, by the name of its type.
        layer: &'static str,
        /// The name of the number.
        what: &'static str,
        /// The number.
        value: f64,
        /// The range.
        expected: String,
    },
}

/// Why a loss or its gradient cannot be computed, or training not go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainingError {
    /// A solve within the model has failed.
    #[error(transparent)]
    Solve(#[from] SolveError),
    /// A loss that cannot be taken.
    #[error(transparent)]
    Loss(#[from] LossError),
    /// A network that is none.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A value that is not finite.
    #[error("{what} is not finite: {value}")]
    NotFinite {
        /// What it is: a loss, or a parameter's gradient by name.
        what: String,
        /// The value.
        value: f64,
    },
    /// Sizes that do not belong together.
    #[error("{what} has the size {found}, expected is {expected}")]
    Size {
        /// What has the size.
        what: String,
        /// The size found.
        found: usize,
        /// The size expected.
        expected: usize,
    },
}
