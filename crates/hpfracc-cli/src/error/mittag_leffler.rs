use hpfracc::special::SpecialError;
use thiserror::Error;

/// Error of `hpfracc mittag-leffler`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MittagLefflerError {
    /// Parameters outside the domain of the function.
    #[error("mittag-leffler: {0}")]
    Special(#[from] SpecialError),
    /// Text that is not a complex number.
    #[error("{place}: `{text}` is not a finite number, expected a real one or `re+imi`")]
    NotComplex {
        /// Argument or line.
        place: String,
        /// Text of the cell.
        text: String,
    },
    /// Standard input combined with other values.
    #[error("`-` reads the values from standard input and cannot be combined with other values")]
    DashAmongValues,
}

convert_through!(MittagLefflerError: SpecialError);
