//! Time series with long memory.

pub(crate) mod difference;
pub(crate) mod hurst;

use crate::commands::arguments::SeriesArgs;
use crate::input::{CsvTable, Series, SeriesOptions};
use crate::{Error, LongMemoryError};
use hpfracc::series::SeriesError;

/// Reads a column. Without a time column and a step, rows are one unit of time apart.
fn read(table: &CsvTable, args: &SeriesArgs) -> Result<Series, Error> {
    let options = args.options(None);
    match Series::new(table, &options) {
        Err(Error::NoTime { .. }) => {
            Series::new(table, &SeriesOptions { dt: Some(1.0), ..options })
        }
        other => other,
    }
}

/// Error of a series, with its file and column.
fn failed(table: &CsvTable, series: &Series, source: SeriesError) -> LongMemoryError {
    let (name, column) = (table.source_name().to_owned(), series.name.clone());
    LongMemoryError::Series { name, column, source }
}
