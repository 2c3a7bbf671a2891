//! Errors of special functions.

/// Errors of special functions.
#[derive(Debug, Clone, Copy, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SpecialError {
    /// A parameter that must be a positive finite number is not.
    #[error("`{name}` is {value}, expected a positive finite number")]
    NotPositive {
        /// The parameter's name.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter that must be finite is NaN or infinite.
    #[error("`{name}` is {value}, expected a finite number")]
    NotFinite {
        /// The parameter's name.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A parameter lies outside the range of the function or of this implementation.
    #[error("`{name}` is {value}, expected {expected}")]
    OutOfRange {
        /// The parameter's name.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// Input and output slices differ in length.
    #[error("`out` has length {found}, expected {expected}")]
    Length {
        /// The length of `out`.
        found: usize,
        /// The length of the input.
        expected: usize,
    },
    /// A matrix argument is not square.
    #[error("the matrix has {rows} rows and {columns} columns, expected a square matrix")]
    NotSquare {
        /// Rows found.
        rows: usize,
        /// Columns found.
        columns: usize,
    },
    /// An entry of a matrix argument is NaN or infinite.
    #[error("the matrix entry ({row}, {column}) is {value}, expected a finite number")]
    MatrixEntry {
        /// The row of the entry.
        row: usize,
        /// The column of the entry.
        column: usize,
        /// Its value (the modulus of a complex entry).
        value: f64,
    },
    /// Numbers on the way to the value are too large to be represented.
    #[error("`{method}` overflows")]
    Overflow {
        /// The method's name.
        method: &'static str,
    },
    /// A sum or a factorisation did not converge.
    #[error("`{method}` did not converge in {steps} steps")]
    NotConverged {
        /// The method's name.
        method: &'static str,
        /// Steps taken.
        steps: usize,
    },
}

/// Refuses a parameter that is not positive and finite.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), SpecialError> {
    let accepted = value > 0.0 && value.is_finite();
    if accepted { Ok(()) } else { Err(SpecialError::NotPositive { name, value }) }
}

/// Refuses a parameter that is NaN or infinite.
pub(crate) fn finite(name: &'static str, value: f64) -> Result<(), SpecialError> {
    if value.is_finite() { Ok(()) } else { Err(SpecialError::NotFinite { name, value }) }
}

/// Refuses a parameter that is not `within` the range, which `expected` states.
pub(crate) fn in_range(
    within: bool,
    name: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), SpecialError> {
    if within { Ok(()) } else { Err(SpecialError::OutOfRange { name, value, expected }) }
}
