use crate::{OutOfRange, SizeMismatch};
use thiserror::Error;

/// Error of an optimiser. Nothing has been changed.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum OptimiserError {
    /// A number outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// Parameters, gradients or a state of another length.
    #[error(transparent)]
    Size(#[from] SizeMismatch),
    /// A gradient that is NaN or infinite.
    #[error("the gradient of parameter {index} is {value}")]
    NotFinite {
        /// The first such parameter, in the flat slice.
        index: usize,
        /// Its gradient.
        value: f64,
    },
    /// A gradient that is finite, but whose square is not.
    #[error(
        "the square of the gradient of parameter {index}, {value:e}, is too large for {scalar}"
    )]
    Square {
        /// The first such parameter, in the flat slice.
        index: usize,
        /// Its gradient.
        value: f64,
        /// The scalar.
        scalar: &'static str,
    },
    /// A norm that overflows, or whose ratio to its limit underflows.
    #[error("a gradient of norm {norm:e} cannot be scaled to the norm {limit:e} in {scalar}")]
    Norm {
        /// The norm.
        norm: f64,
        /// Its limit.
        limit: f64,
        /// The scalar.
        scalar: &'static str,
    },
    /// A gradient that overflows at the smallest loss scale.
    #[error("the gradient of parameter {index} is {value} at the smallest loss scale, {scale}")]
    Overflow {
        /// The first such parameter, in the flat slice.
        index: usize,
        /// Its gradient.
        value: f64,
        /// The scale.
        scale: f64,
    },
}
