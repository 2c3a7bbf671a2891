use hpfracc_operators::OperatorError;
use thiserror::Error;

/// Why there is no loss. Nothing has been written, unless it is an operator that has failed.
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
        /// How many there are.
        found: usize,
        /// How many there have to be.
        expected: usize,
    },
    /// A class that the predictions know nothing of.
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
        /// How many there are.
        found: usize,
        /// How many are needed.
        least: usize,
    },
    /// The operator of a penalty. What has been written means nothing.
    #[error(transparent)]
    Operator(#[from] OperatorError),
}
