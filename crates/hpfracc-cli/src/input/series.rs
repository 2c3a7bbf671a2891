//! Time series: one column of a table on a uniform grid.

use super::columns::{time_column, time_name, value_column};
use super::csv_table::CsvTable;
use super::missing::{Missing, Unfillable};
use super::series_options::SeriesOptions;
use super::time_axis::{GridRows, TimeAxis};
use super::time_format::TimeFormat;
use crate::Error;
use hpfracc::types::Grid;
use hpfracc::types::shortest;
use std::ops::Range;

/// Time series of one column on a uniform grid, or on a non-uniform [`Mesh`](hpfracc::types::Mesh).
#[derive(Debug, Clone)]
pub struct Series<P = Grid> {
    /// Name of the column.
    pub name: String,
    /// Name of the time column, or `t` if there is none.
    pub time_name: String,
    /// Format of the times.
    pub time_format: TimeFormat,
    /// Time of every sample as text of the file.
    pub labels: Vec<String>,
    /// Time of every sample as a number: days since 1970-01-01 for dates.
    pub times: Vec<f64>,
    /// Samples.
    pub values: Vec<f64>,
    /// Runs of missing samples that were filled.
    pub filled: Vec<Range<usize>>,
    /// Grid of the samples.
    pub grid: P,
    /// Choices and changes made while reading, a sentence each.
    pub notes: Vec<String>,
}

impl Series {
    /// Reads one column of a table.
    ///
    /// # Errors
    /// Any [`Error`] with a position in the table.
    pub fn new(table: &CsvTable, options: &SeriesOptions) -> Result<Self, Error> {
        if let Some(dt) = options.dt.filter(|dt| !(dt.is_finite() && *dt > 0.0)) {
            return Err(Error::Step { dt });
        }
        let mut notes = Vec::new();
        let time = time_column(table, options, &mut notes)?;
        let column = value_column(table, options, time, &mut notes)?;
        let cells = samples_of(table, column)?;
        let mut axis = None;
        let rows = match (time, options.dt) {
            // With a fixed step, times in an unknown format still serve as labels.
            (Some(time), Some(dt)) if TimeAxis::is_text(table, time) => {
                let name = &table.header()[time];
                notes.push(format!("times in column `{name}` are read as text labels"));
                axis = Some(TimeAxis::counted(table, time, dt));
                TimeAxis::row_by_row(table.rows(), dt)
            }
            (Some(time), _) => {
                let read = axis.insert(TimeAxis::read(table, time)?);
                let (rows, _) = read.lay_out(table, options.dt, "", &mut notes)?;
                if options.missing != Missing::Interpolate {
                    read.refuse_skipped(table, &rows)?;
                }
                GridRows { step: options.dt.unwrap_or(rows.step), ..rows }
            }
            // Without a time column `time_column` has required a step.
            (None, dt) => TimeAxis::row_by_row(table.rows(), dt.unwrap_or(1.0)),
        };

        let mut samples = vec![None; rows.points[rows.points.len() - 1] + 1];
        for (&point, cell) in rows.points.iter().zip(cells) {
            samples[point] = cell;
        }
        let series = options
            .missing
            .fill(&samples)
            .map_err(|unfillable| at_cell(unfillable, table, column, &rows))?;
        let n = series.values.len();
        if n < 2 {
            return Err(too_few(table, column, n));
        }
        let (labels, times) = match &axis {
            Some(axis) => (axis.labels(table, &rows), axis.times(&rows)),
            None => {
                let times: Vec<f64> = (0..samples.len()).map(|j| j as f64 * rows.step).collect();
                (times.iter().map(|t| shortest(*t)).collect(), times)
            }
        };
        let name = table.header()[column].clone();
        let time_name = time_name(table, time, column).to_owned();
        let dropped = samples.len() - n;
        if dropped > 0 {
            let (first, last) = (&labels[series.range.start], &labels[series.range.end - 1]);
            notes.push(format!(
                "{dropped} rows without a value dropped at the ends; the time series now runs from {first} to {last}"
            ));
        }
        let labels = labels[series.range.clone()].to_vec();
        if !series.filled.is_empty() {
            notes.push(describe_filled(&name, &series.filled, &labels));
        }
        notes.splice(0..0, table.notes());
        Ok(Self {
            name,
            time_name,
            time_format: axis.map_or(TimeFormat::Number, |axis| axis.time_format),
            labels,
            times: times[series.range].to_vec(),
            values: series.values,
            filled: series.filled,
            grid: Grid::uniform(n, rows.step).map_err(|_| Error::Step { dt: rows.step })?,
            notes,
        })
    }
}

impl<P> Series<P> {
    /// Number of missing samples that were filled.
    pub fn count_filled(&self) -> usize {
        self.filled.iter().map(Range::len).sum()
    }
}

/// Error at the cell of a run of missing samples.
pub(crate) fn at_cell(
    unfillable: Unfillable,
    table: &CsvTable,
    column: usize,
    rows: &GridRows,
) -> Error {
    let (Unfillable::Refused { point, .. }
    | Unfillable::AtEnd { point, .. }
    | Unfillable::Inside { point }) = unfillable;
    // A grid point without a row is in a gap of the time column: name the next cell.
    let row = rows.points.partition_point(|p| *p < point);
    let (place, text) = (table.place(row, column), table.cell(row, column).into_owned());
    match unfillable {
        Unfillable::Refused { count: 1, .. } => {
            Error::MissingValue { place, text, also: String::new() }
        }
        Unfillable::Refused { count, .. } => {
            Error::MissingValue { place, text, also: format!(", and {} more", count - 1) }
        }
        Unfillable::AtEnd { end, .. } => Error::MissingAtEnd { place, text, end },
        Unfillable::Inside { .. } => Error::MissingInside { place, text },
    }
}

/// Numbers of a column, at least two.
pub(crate) fn samples_of(table: &CsvTable, column: usize) -> Result<Vec<Option<f64>>, Error> {
    let cells = table.numbers(column)?;
    if cells.len() < 2 { Err(too_few(table, column, cells.len())) } else { Ok(cells) }
}

pub(crate) fn too_few(table: &CsvTable, column: usize, found: usize) -> Error {
    let (name, column) = (table.source_name().to_owned(), table.header()[column].clone());
    Error::TooFewSamples { name, column, found }
}

/// Number and positions of filled samples, with the first few runs by name.
pub(crate) fn describe_filled(name: &str, filled: &[Range<usize>], labels: &[String]) -> String {
    const NAMED: usize = 6;
    let count: usize = filled.iter().map(Range::len).sum();
    let mut places: Vec<String> = filled
        .iter()
        .take(NAMED)
        .map(|run| match run.len() {
            1 => labels[run.start].clone(),
            _ => format!("{} to {}", labels[run.start], labels[run.end - 1]),
        })
        .collect();
    if filled.len() > NAMED {
        places.push(format!("and {} more gaps", filled.len() - NAMED));
    }
    format!(
        "{count} of {} values of `{name}` were missing, filled linearly between neighbours: {}",
        labels.len(),
        places.join(", ")
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    fn series(text: &str, options: &SeriesOptions) -> Result<Series, Error> {
        Series::new(&CsvTable::parse("x.csv", text.as_bytes())?, options)
    }

    #[test]
    fn missing_rows_are_inserted_on_request() {
        let text = "year,x\n1700,1\n1701,2\n1703,4\n1704,\n1705,8\n";
        let refused = series(text, &SeriesOptions::default()).unwrap_err().to_string();
        assert_eq!(
            refused,
            "x.csv: row 4, column `year`: the time goes from `1701` to `1703`, 1 row of step 1 \
             missing; --missing interpolate inserts them"
        );
        let options = SeriesOptions { missing: Missing::Interpolate, ..SeriesOptions::default() };
        let whole = series(text, &options).unwrap();
        assert_eq!(whole.labels, ["1700", "1701", "1702", "1703", "1704", "1705"]);
        assert_eq!(whole.values, [1.0, 2.0, 3.0, 4.0, 6.0, 8.0]);
        assert_eq!((whole.count_filled(), whole.grid.dt()), (2, 1.0));
    }

    #[test]
    fn a_fixed_step_replaces_unequal_steps() {
        let months = "date,x\n2001-01-01,1\n2001-02-01,2\n2001-03-01,3\n";
        assert!(matches!(series(months, &SeriesOptions::default()), Err(Error::NotUniform { .. })));
        let options = SeriesOptions { dt: Some(0.25), ..SeriesOptions::default() };
        let monthly = series(months, &options).unwrap();
        assert_eq!(monthly.grid.dt(), 0.25);
        assert_eq!(monthly.labels[2], "2001-03-01");
        assert!(monthly.notes.iter().any(|note| note.starts_with("--dt 0.25 is used row by row")));
        let quarters = "quarter,x\n2001 I,1\n2001 II,2\n2001 III,3\n";
        let options = SeriesOptions { time: Some("quarter".to_owned()), ..options };
        assert_eq!(series(quarters, &options).unwrap().labels[1], "2001 II");
        // One malformed time does not make the column text.
        let slip = "quarter,x\n1,1\n2,2\n3?,3\n";
        assert!(matches!(series(slip, &options), Err(Error::NotATime { .. })));
    }

    #[test]
    fn a_fixed_step_keeps_gaps() {
        let text = "t,x\n0,1\n1,2\n4,5\n5,6\n";
        let with = |missing| {
            series(text, &SeriesOptions { dt: Some(0.5), missing, ..SeriesOptions::default() })
        };
        for missing in [Missing::Error, Missing::Drop] {
            assert!(matches!(with(missing), Err(Error::SkippedRows { skipped: 2, .. })));
        }
        let whole = with(Missing::Interpolate).unwrap();
        assert_eq!(whole.values, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
        assert_eq!(whole.labels, ["0", "1", "2", "3", "4", "5"]);
        assert_eq!((whole.count_filled(), whole.grid.dt()), (2, 0.5));
    }

    #[test]
    fn without_a_time_column_the_step_makes_one() {
        let options = SeriesOptions { dt: Some(0.5), ..SeriesOptions::default() };
        let plain = series("x\n1\n2\n3\n", &options).unwrap();
        assert_eq!(plain.times, [0.0, 0.5, 1.0]);
        assert_eq!(plain.time_name, "t");
        assert!(matches!(
            series("x\n1\n2\n", &SeriesOptions::default()),
            Err(Error::NoTime { .. })
        ));
    }
}
