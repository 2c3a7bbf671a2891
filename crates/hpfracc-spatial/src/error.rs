use thiserror::Error;

/// The result of what may fail with a [`SpatialError`].
pub(crate) type Result<T, E = SpatialError> = std::result::Result<T, E>;

/// Errors of operators on fields. Nothing is written to the output in case of an error.
#[derive(Debug, Clone, PartialEq, Error)]
#[non_exhaustive]
pub enum SpatialError {
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}")]
    OutOfRange {
        /// What the number is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A value of a field that is NaN or infinite.
    #[error("{what} is {value} at index {index}")]
    NotFinite {
        /// Name of the field.
        what: &'static str,
        /// Position in the field.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A field with another number of values than the operator.
    #[error("{what} has {found} values, expected {expected}")]
    Length {
        /// Name of the field.
        what: &'static str,
        /// Its length.
        found: usize,
        /// The length expected.
        expected: usize,
    },
    /// An iterative solver that has not converged.
    #[error("{what} has a relative residual of {residual:.1e} after {iterations} iterations")]
    NotConverged {
        /// Name of the solver.
        what: &'static str,
        /// Number of iterations.
        iterations: usize,
        /// Norm of the residual, relative to that of the right-hand side.
        residual: f64,
    },
}

/// Refuses a number outside its range.
pub(crate) fn require(
    holds: bool,
    what: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<()> {
    if holds { Ok(()) } else { Err(SpatialError::OutOfRange { what, value, expected }) }
}
