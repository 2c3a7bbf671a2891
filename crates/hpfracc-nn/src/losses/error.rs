use crate::OutOfRange;
use hpfracc_operators::OperatorError;
use thiserror::Error;

/// Error of a loss. Nothing has been written, unless an operator failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LossError {
    /// A number outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A tile of another size.
    #[error("`{what}` has {found} {of}, expected {expected}")]
    Size {
        /// The argument.
        what: &'static str,
        /// Rows, lanes or numbers.
        of: &'static str,
        /// Number found.
        found: usize,
        /// Number expected.
        expected: usize,
    },
    /// The operator of a penalty failed. The results are invalid.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}
