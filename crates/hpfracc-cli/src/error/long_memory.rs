use super::CellPosition;
use hpfracc::series::SeriesError;
use thiserror::Error;

/// Error of `hpfracc hurst` and `hpfracc difference` besides bad input files.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum LongMemoryError {
    /// Time series that has no such estimate or difference.
    #[error("{name}: column `{column}`: {source}")]
    Series {
        /// The file.
        name: String,
        /// The column.
        column: String,
        /// Error of the series.
        source: SeriesError,
    },
    /// Tracks that have no estimate.
    #[error("{name}: {source}")]
    Tracks {
        /// The file.
        name: String,
        /// Error of the tracks, which are numbered by their first rows.
        source: SeriesError,
    },
    /// Neither `--noise` nor `--path`.
    #[error(
        "is the time series a noise or a path? Say --noise for stationary fluctuations about a mean (returns, \
         residuals, yearly flows), --path for a wandering level (positions, logarithms of prices, sums): an \
         estimate from the wrong one is off by about 1"
    )]
    NoiseOrPath,
    /// Position that is missing.
    #[error(
        "{place}: the position is missing (`{text}`); split the track there, by another name in its column"
    )]
    MissingPosition {
        /// Position of the cell.
        place: Box<CellPosition>,
        /// Text of the cell.
        text: String,
    },
}
