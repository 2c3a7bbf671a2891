use crate::LossError;
use thiserror::Error;

/// Why there is no such model, or no such data for it.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A network takes or gives another number of rows than the model needs.
    #[error("{what} are {found} rows, expected are {expected}")]
    Rows {
        /// Which rows of which network.
        what: &'static str,
        /// Their number.
        found: usize,
        /// What is needed.
        expected: String,
    },
    /// Arrays whose sizes do not belong together.
    #[error("{what} has the size {found}, expected is {expected}")]
    Size {
        /// What has the size.
        what: &'static str,
        /// The size found.
        found: usize,
        /// The size expected.
        expected: usize,
    },
    /// A number out of its range.
    #[error("{what} is {value}, expected is {expected}")]
    OutOfRange {
        /// What it is.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The range.
        expected: &'static str,
    },
    /// A sample without a number to learn from.
    #[error("sample {sample} has no {what}")]
    Nothing {
        /// The sample, from 0.
        sample: usize,
        /// What it has none of.
        what: &'static str,
    },
    /// A record that has no window.
    #[error(
        "a record of {rows} rows has no window of {window} rows that starts with complete values"
    )]
    TooShort {
        /// Rows of the record.
        rows: usize,
        /// Rows of a window.
        window: usize,
    },
    /// A loss whose settings are out of their ranges.
    #[error(transparent)]
    Loss(#[from] LossError),
}
