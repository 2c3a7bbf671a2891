//! Which columns of a record are meant.

use super::csv_table::CsvTable;
use super::series_options::SeriesOptions;
use super::time_axis;
use crate::Error;

/// The time column: the one named, or an obvious one, or none if the step was given.
pub(crate) fn time_column(
    record: &CsvTable,
    choice: &SeriesOptions,
    notes: &mut Vec<String>,
) -> Result<Option<usize>, Error> {
    if let Some(name) = &choice.time {
        return record.column(name).map(Some);
    }
    let asked = choice.column.as_deref();
    let found = time_axis::obvious(record).filter(|c| Some(record.header()[*c].as_str()) != asked);
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

/// The column to read: the one named, or the only one that it can be.
pub(crate) fn value_column(
    record: &CsvTable,
    choice: &SeriesOptions,
    time: Option<usize>,
    notes: &mut Vec<String>,
) -> Result<usize, Error> {
    let name = record.source_name().to_owned();
    if let Some(asked) = &choice.column {
        let column = record.column(asked)?;
        return match time {
            Some(time) if time == column => Err(Error::TimeIsInput { name, column: asked.clone() }),
            _ => Ok(column),
        };
    }
    let others: Vec<usize> = (0..record.header().len()).filter(|c| Some(*c) != time).collect();
    // A single candidate is taken as it is, so that whatever is wrong with it is named.
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
