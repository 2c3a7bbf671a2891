//! Time column and value column of a table.

use super::csv_table::CsvTable;
use super::series_options::SeriesOptions;
use super::time_axis;
use crate::Error;

/// Time column: the named one, or one with an obvious name, or none if the step size is set.
pub(crate) fn time_column(
    record: &CsvTable,
    choice: &SeriesOptions,
    notes: &mut Vec<String>,
) -> Result<Option<usize>, Error> {
    if let Some(name) = &choice.time {
        return record.column(name).map(Some);
    }
    let requested = choice.column.as_deref();
    let found =
        time_axis::obvious(record).filter(|c| Some(record.header()[*c].as_str()) != requested);
    match found {
        Some(column) => {
            notes.push(format!("time is column `{}`", record.header()[column]));
            Ok(Some(column))
        }
        None if choice.dt.is_some() => Ok(None),
        None => {
            let (name, known) = (record.source_name().to_owned(), record.known_columns());
            Err(Error::NoTime { name, known })
        }
    }
}

/// Value column: the named one, or the only candidate.
pub(crate) fn value_column(
    record: &CsvTable,
    choice: &SeriesOptions,
    time: Option<usize>,
    notes: &mut Vec<String>,
) -> Result<usize, Error> {
    let name = record.source_name().to_owned();
    if let Some(requested) = &choice.column {
        let column = record.column(requested)?;
        return match time {
            Some(time) if time == column => {
                Err(Error::TimeIsInput { name, column: requested.clone() })
            }
            _ => Ok(column),
        };
    }
    let others: Vec<usize> = (0..record.header().len()).filter(|c| Some(*c) != time).collect();
    // A single candidate is accepted unchecked, so that a later error names its bad cell.
    let numeric: Vec<usize> = match others.len() {
        1 => others,
        _ => others.into_iter().filter(|c| record.begins_with_a_number(*c)).collect(),
    };
    match numeric[..] {
        [column] => {
            notes.push(format!("input is column `{}`", record.header()[column]));
            Ok(column)
        }
        _ => {
            let known = record.known_columns();
            Err(Error::WhichColumn { name, count: numeric.len(), known })
        }
    }
}
