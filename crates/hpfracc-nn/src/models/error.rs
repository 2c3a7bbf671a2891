use crate::{LossError, NetworkError, OutOfRange, SizeMismatch};
use thiserror::Error;

/// Error of the construction of a model or its data.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A network with another number of rows than the model needs.
    #[error("{what} are {found} rows, expected {expected}")]
    Rows {
        /// The rows and the network.
        what: &'static str,
        /// Their number.
        found: usize,
        /// Expected number.
        expected: String,
    },
    /// Arrays whose sizes do not match.
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// A number outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A sample without observations.
    #[error("sample {sample} has no {what}")]
    Nothing {
        /// The sample, from 0.
        sample: usize,
        /// The missing quantity.
        what: &'static str,
    },
    /// A time series without a window.
    #[error(
        "a time series of {rows} rows has no window of {window} rows that starts with complete values"
    )]
    TooShort {
        /// Rows of the time series.
        rows: usize,
        /// Rows of a window.
        window: usize,
    },
    /// An invalid network.
    #[error(transparent)]
    Network(#[from] NetworkError),
    /// A loss with settings outside their ranges.
    #[error(transparent)]
    Loss(#[from] LossError),
}
