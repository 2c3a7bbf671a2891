use thiserror::Error;

/// Error of an optimiser. Nothing has been changed.
#[derive(Debug, Error, Clone, PartialEq)]
#[non_exhaustive]
pub enum OptimiserError {
    /// A number outside its range.
    #[error("{what} is {value}, expected {expected}")]
    Setting {
        /// The number's name.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// Parameters, gradients or a state of another length.
    #[error("`{what}` has length {found}, expected {expected}")]
    Length {
        /// The slice.
        what: &'static str,
        /// Its length.
        found: usize,
        /// Expected value.
        expected: usize,
    },
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
    /// A number of a state that no step produces.
    #[error("number {index} of the state is {value}, expected {expected}")]
    State {
        /// The first such number.
        index: usize,
        /// The number.
        value: f64,
        /// Expected value.
        expected: &'static str,
    },
    /// A number of a state that the scalar cannot represent.
    #[error("number {index} of the state, {value:e}, is not representable in {scalar}")]
    Precision {
        /// The first such number.
        index: usize,
        /// The number.
        value: f64,
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

impl OptimiserError {
    /// Error for a number outside its range.
    pub(super) fn unless(
        within: bool,
        what: &'static str,
        value: f64,
        expected: &'static str,
    ) -> Result<(), Self> {
        if within { Ok(()) } else { Err(Self::Setting { what, value, expected }) }
    }

    pub(super) fn unless_length(
        what: &'static str,
        found: usize,
        expected: usize,
    ) -> Result<(), Self> {
        if found == expected { Ok(()) } else { Err(Self::Length { what, found, expected }) }
    }
}
