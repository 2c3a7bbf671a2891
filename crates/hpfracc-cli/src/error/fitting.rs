use hpfracc::fit::{FitError, SourceError};
use thiserror::Error;

/// Error of `hpfracc fit`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FittingError {
    /// Model file that cannot be read.
    #[error("{name}: {reason}")]
    ModelFile {
        /// The file.
        name: String,
        /// Reason, with the line.
        reason: String,
    },
    /// Response that is not clear.
    #[error(
        "{name}: which column is the response? Write `NAME = formula`, or --response NAME; numeric columns besides the inputs: {candidates}"
    )]
    WhichResponse {
        /// The file.
        name: String,
        /// Columns that may be it, separated by commas.
        candidates: String,
    },
    /// Missing value in a column.
    #[error(
        "{place}: the value is missing (`{text}`); --skip leaves such rows out, and counts them"
    )]
    Missing {
        /// Position of the cell.
        place: Box<super::CellPosition>,
        /// Text of the cell.
        text: String,
    },
    /// Rows that cannot be read or kept.
    #[error(transparent)]
    Source(#[from] SourceError),
    /// Error of the fit.
    #[error("fit: {0}")]
    Fit(#[from] FitError),
}

convert_through!(FittingError: FitError, SourceError);
