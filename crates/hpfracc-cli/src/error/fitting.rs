use hpfracc::fit::sample::SampleError;
use hpfracc::fit::{CatalogueError, FitError, SourceError};
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
    /// Inputs or responses that are not clear.
    #[error(
        "{name}: which columns are the {what} {names}? --map NAME=COLUMN says it; numeric columns that are left: {candidates}"
    )]
    WhichColumns {
        /// The set.
        name: String,
        /// Inputs or responses.
        what: &'static str,
        /// Names in the model, separated by commas.
        names: String,
        /// Columns that may be these, separated by commas.
        candidates: String,
    },
    /// Frequency that may be in hertz.
    #[error(
        "{name}: is the column `{column}` in hertz? The model takes the angular frequency omega: write --hertz, or --map omega={column}"
    )]
    Frequency {
        /// The set.
        name: String,
        /// The column.
        column: String,
    },
    /// Responses of another number than those of the model.
    #[error("{name}: {found} responses, expected columns for {expected}")]
    Responses {
        /// The set.
        name: String,
        /// Their number.
        found: usize,
        /// Names in the model.
        expected: String,
    },
    /// Columns of errors of another number than responses.
    #[error(
        "{name}: {found} columns of errors or weights, expected 1 or one for each of {expected} responses"
    )]
    Weights {
        /// The set.
        name: String,
        /// Their number.
        found: usize,
        /// Number of responses.
        expected: usize,
    },
    /// Columns of which none is a quantity of the equation.
    #[error(
        "{name}: no column is a quantity of the equation ({quantities}); --map QUANTITY=COLUMN says which one is"
    )]
    NoQuantity {
        /// The set.
        name: String,
        /// Quantities, separated by commas.
        quantities: String,
    },
    /// Equation of fields without a box.
    #[error(
        "{model}: an equation of fields needs a box and its boundary: add --box FROM:TO:N for each axis and \
         --boundary KIND, such as --box 0:1:200 --boundary neumann"
    )]
    NoBox {
        /// The model.
        model: String,
    },
    /// No data.
    #[error("a fit needs data: a CSV file, - for standard input, or sets in the model file")]
    NoData,
    /// Argument that cannot be read.
    #[error("{argument} is `{text}`, expected {expected}")]
    Argument {
        /// Name of the argument.
        argument: &'static str,
        /// Its text.
        text: String,
        /// What it has to be.
        expected: &'static str,
    },
    /// Interrupted by the user.
    #[error("interrupted after {passes} passes; {continuation}")]
    Interrupted {
        /// Passes so far.
        passes: usize,
        /// How it goes on.
        continuation: String,
    },
    /// Checkpoint that could not be written, while the result is complete.
    #[error("the result is complete, but the last checkpoint could not be written: {reason}")]
    CheckpointFailed {
        /// Reason.
        reason: String,
    },
    /// Model of the catalogue or circuit that cannot be read.
    #[error(transparent)]
    Catalogue(#[from] CatalogueError),
    /// Error of a sampling.
    #[error("sampling: {0}")]
    Sample(#[from] SampleError),
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
