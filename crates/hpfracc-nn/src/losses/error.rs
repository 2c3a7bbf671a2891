use hpfracc_operators::OperatorError;
use thiserror::Error;

/// Error of a loss. Nothing has been written, unless an operator failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LossError {
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
    /// A class without a row of predictions.
    #[error("the class of lane {lane} is {class}, there are {classes} classes")]
    Class {
        /// The lane.
        lane: usize,
        /// Its class, from 0.
        class: usize,
        /// Number of classes.
        classes: usize,
    },
    /// Too few paths for a mean over pairs of them.
    #[error("`{what}` has {found} paths, at least {least} are needed")]
    Paths {
        /// The argument.
        what: &'static str,
        /// Number found.
        found: usize,
        /// Smallest number.
        least: usize,
    },
    /// The operator of a penalty failed. The results are invalid.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}
