//! Time column and value column of a table.

use super::csv_table::CsvTable;
use super::series_options::SeriesOptions;
use super::time_axis;
use crate::Error;

/// Time column: the named one, or one with an obvious name, or none if the step size is set.
pub(crate) fn time_column(
    table: &CsvTable,
    options: &SeriesOptions,
    notes: &mut Vec<String>,
) -> Result<Option<usize>, Error> {
    if let Some(name) = &options.time {
        return table.column(name).map(Some);
    }
    let requested = options.column.as_deref();
    let found =
        time_axis::obvious(table).filter(|c| Some(table.header()[*c].as_str()) != requested);
    match found {
        Some(column) => {
            notes.push(format!("time is column `{}`", table.header()[column]));
            Ok(Some(column))
        }
        None if options.dt.is_some() => Ok(None),
        None => {
            let (name, known) = (table.source_name().to_owned(), table.known_columns());
            Err(Error::NoTime { name, known })
        }
    }
}

/// Value column: the named one, or the only candidate.
pub(crate) fn value_column(
    table: &CsvTable,
    options: &SeriesOptions,
    time: Option<usize>,
    notes: &mut Vec<String>,
) -> Result<usize, Error> {
    let name = table.source_name().to_owned();
    if let Some(requested) = &options.column {
        let column = table.column(requested)?;
        return match time {
            Some(time) if time == column => {
                Err(Error::TimeIsInput { name, column: requested.clone() })
            }
            _ => Ok(column),
        };
    }
    let others: Vec<usize> = (0..table.header().len()).filter(|c| Some(*c) != time).collect();
    // A single candidate is accepted unchecked, so that a later error names its bad cell.
    let numeric: Vec<usize> = match others.len() {
        1 => others,
        _ => others.into_iter().filter(|c| table.begins_with_a_number(*c)).collect(),
    };
    match numeric[..] {
        [column] => {
            notes.push(format!("input is column `{}`", table.header()[column]));
            Ok(column)
        }
        _ => {
            let known = table.known_columns();
            Err(Error::WhichColumn { name, count: numeric.len(), known })
        }
    }
}

/// Name of the time column, or its replacement, unlike that of the value column.
pub(crate) fn time_name(table: &CsvTable, time: Option<usize>, column: usize) -> &str {
    match time {
        Some(time) => &table.header()[time],
        None if table.header()[column] == "t" => "time",
        None => "t",
    }
}
