//! Time series on a non-uniform mesh.

use super::columns::{time_column, value_column};
use super::csv_table::CsvTable;
use super::missing::Filled;
use super::missing::Missing;
use super::series::Series;
use super::series::{at_cell, describe_filled, samples_of, too_few};
use super::series_options::SeriesOptions;
use super::time_axis::TimeAxis;
use crate::Error;
use crate::text::rounded;
use hpfracc::operators::OperatorError;
use hpfracc::types::Mesh;

impl Series<Mesh> {
    /// Reads one column of a table at the times of its rows, which must increase. The mesh starts
    /// at 0, the first time.
    ///
    /// Missing values are filled linearly in time, or their rows are dropped at any position, since
    /// the remaining times are a mesh too. No rows are inserted.
    ///
    /// # Errors
    /// Any [`Error`] with a position in the table, [`Error::NoTime`].
    pub fn nonuniform(table: &CsvTable, options: &SeriesOptions) -> Result<Self, Error> {
        let mut notes = Vec::new();
        let Some(time) = time_column(table, options, &mut notes)? else {
            let (name, known) = (table.source_name().to_owned(), table.known_columns());
            return Err(Error::NoTime { name, known });
        };
        let column = value_column(table, options, Some(time), &mut notes)?;
        let cells = samples_of(table, column)?;
        let axis = TimeAxis::read(table, time)?;
        let rows = TimeAxis::row_by_row(table.rows(), 1.0);
        let (labels, times) = (axis.labels(table, &rows), axis.times(&rows));
        let since = axis.since();

        let is_kept = |row: &usize| options.missing != Missing::Drop || cells[*row].is_some();
        let kept: Vec<usize> = (0..cells.len()).filter(is_kept).collect();
        let dropped = cells.len() - kept.len();
        if kept.len() < 2 {
            return Err(too_few(table, column, kept.len()));
        }
        let cells: Vec<Option<f64>> = kept.iter().map(|row| cells[*row]).collect();
        let series = options.missing.fill(&cells);
        let series = series.map_err(|unfillable| at_cell(unfillable, table, column, &rows))?;
        let since: Vec<f64> = kept.iter().map(|row| since[*row]).collect();
        let Filled { values, filled, .. } = interpolate_in_time(series, &since);
        let labels: Vec<String> = kept.iter().map(|row| labels[*row].clone()).collect();

        let name = table.header()[column].clone();
        if dropped > 0 {
            notes.push(format!("{dropped} rows without a value dropped"));
        }
        if !filled.is_empty() {
            notes.push(describe_filled(&name, &filled, &labels));
        }
        let steps = || since.windows(2).map(|pair| pair[1] - pair[0]);
        let unit = axis.time_format.unit();
        notes.push(format!(
            "steps from {} to {}{unit}: non-uniform times are used; set --dt for a uniform grid by row number",
            rounded(steps().fold(f64::INFINITY, f64::min)),
            rounded(steps().fold(0.0, f64::max))
        ));
        notes.splice(0..0, table.notes());
        let mesh = Mesh::new(since.iter().map(|t| t - since[0]).collect());
        Ok(Self {
            name,
            time_name: table.header()[time].clone(),
            time_format: axis.time_format,
            labels,
            times: kept.iter().map(|row| times[*row]).collect(),
            values,
            filled,
            grid: mesh.map_err(OperatorError::Mesh)?,
            notes,
        })
    }
}

/// Replaces values filled at equal steps by linear interpolation in time.
fn interpolate_in_time(mut series: Filled, times: &[f64]) -> Filled {
    for run in &series.filled {
        let (before, after) = (run.start - 1, run.end);
        let whole = times[after] - times[before];
        for k in run.clone() {
            let fraction = (times[k] - times[before]) / whole;
            let (left, right) = (series.values[before], series.values[after]);
            series.values[k] = (1.0 - fraction) * left + fraction * right;
        }
    }
    series
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nonuniform(text: &str, missing: Missing) -> Result<Series<Mesh>, Error> {
        let options = SeriesOptions { missing, ..SeriesOptions::default() };
        Series::nonuniform(&CsvTable::parse("x.csv", text.as_bytes())?, &options)
    }

    #[test]
    fn gaps_are_filled_in_time_or_dropped_anywhere() {
        let text = "t,x\n1,0\n2,1\n3,\n6,5\n10,1\n";
        let filled = nonuniform(text, Missing::Interpolate).unwrap();
        assert_eq!(filled.values, [0.0, 1.0, 2.0, 5.0, 1.0]);
        assert_eq!(filled.grid.points(), [0.0, 1.0, 2.0, 5.0, 9.0]);
        assert_eq!((filled.times[0], filled.count_filled()), (1.0, 1));
        let dropped = nonuniform(text, Missing::Drop).unwrap();
        assert_eq!(dropped.values, [0.0, 1.0, 5.0, 1.0]);
        assert_eq!(dropped.labels, ["1", "2", "6", "10"]);
        let message = nonuniform(text, Missing::Error).unwrap_err().to_string();
        assert!(message.contains("row 4, column `x`: the value is missing"), "{message}");
    }

    #[test]
    fn differences_of_large_integers_are_exact() {
        let text = "t,x\n1700000000000000000,1\n1700000000000000001,2\n1700000000000000003,4\n";
        assert_eq!(nonuniform(text, Missing::Error).unwrap().grid.points(), [0.0, 1.0, 3.0]);
    }
}
