//! One column of a record at times that are no uniform grid.

use super::columns::{time_column, value_column};
use super::csv_table::CsvTable;
use super::missing::Missing;
use super::missing::Settled;
use super::series::Series;
use super::series::{at_cell, describe_filled, samples_of, too_few};
use super::series_options::SeriesOptions;
use super::time_axis::TimeAxis;
use crate::Error;
use crate::text::rounded;
use hpfracc::operators::OperatorError;
use hpfracc::types::Mesh;

impl Series<Mesh> {
    /// Reads one column of a record at the times of its rows, which need only increase. The mesh counts
    /// them from the first one.
    ///
    /// Missing values are filled linearly in time, or their rows dropped wherever they stand, since
    /// what is left is a mesh as well. Rows are never inserted.
    ///
    /// # Errors
    /// Any of the errors that name a place in the record, [`Error::Step`] never.
    pub fn uneven(record: &CsvTable, choice: &SeriesOptions) -> Result<Self, Error> {
        let mut notes = Vec::new();
        let Some(time) = time_column(record, choice, &mut notes)? else {
            let (name, known) = (record.source_name().to_owned(), record.known_columns());
            return Err(Error::NoTime { name, known });
        };
        let column = value_column(record, choice, Some(time), &mut notes)?;
        let cells = samples_of(record, column)?;
        let axis = TimeAxis::read(record, time)?;
        let rows = TimeAxis::row_by_row(record.rows(), 1.0);
        let (labels, times) = (axis.labels(record, &rows), axis.times(&rows));
        let since = axis.since();

        let dropped: Vec<usize> = match choice.missing {
            Missing::Drop => (0..cells.len()).filter(|row| cells[*row].is_none()).collect(),
            _ => Vec::new(),
        };
        let kept: Vec<usize> =
            (0..cells.len()).filter(|row| dropped.binary_search(row).is_err()).collect();
        if kept.len() < 2 {
            return Err(too_few(record, column, kept.len()));
        }
        let cells: Vec<Option<f64>> = kept.iter().map(|row| cells[*row]).collect();
        let settled = choice.missing.settle(&cells);
        let settled = settled.map_err(|unsettled| at_cell(unsettled, record, column, &rows))?;
        let since: Vec<f64> = kept.iter().map(|row| since[*row]).collect();
        let Settled { values, filled, .. } = in_time(settled, &since);
        let labels: Vec<String> = kept.iter().map(|row| labels[*row].clone()).collect();

        let name = record.header()[column].clone();
        if !dropped.is_empty() {
            notes.push(format!("{} rows without a value dropped", dropped.len()));
        }
        if !filled.is_empty() {
            notes.push(describe_filled(&name, &filled, &labels));
        }
        let steps = || since.windows(2).map(|pair| pair[1] - pair[0]);
        let unit = if axis.time_format.is_date() { " days" } else { "" };
        notes.push(format!(
            "steps from {} to {}{unit}: times are taken as they are; --dt counts the rows instead",
            rounded(steps().fold(f64::INFINITY, f64::min)),
            rounded(steps().fold(0.0, f64::max))
        ));
        let mesh = Mesh::new(since.iter().map(|t| t - since[0]).collect());
        Ok(Self {
            name,
            time_name: record.header()[time].clone(),
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

/// Fills the gaps, which were filled as if steps were equal, linearly in time.
fn in_time(mut settled: Settled, times: &[f64]) -> Settled {
    for run in &settled.filled {
        let (before, behind) = (run.start - 1, run.end);
        let whole = times[behind] - times[before];
        for k in run.clone() {
            let part = (times[k] - times[before]) / whole;
            let (left, right) = (settled.values[before], settled.values[behind]);
            settled.values[k] = (1.0 - part) * left + part * right;
        }
    }
    settled
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uneven(text: &str, missing: Missing) -> Result<Series<Mesh>, Error> {
        let choice = SeriesOptions { missing, ..SeriesOptions::default() };
        Series::uneven(&CsvTable::parse("x.csv", text.as_bytes())?, &choice)
    }

    #[test]
    fn gaps_are_filled_in_time_or_dropped_anywhere() {
        let text = "t,x\n1,0\n2,1\n3,\n6,5\n10,1\n";
        let filled = uneven(text, Missing::Interpolate).unwrap();
        assert_eq!(filled.values, [0.0, 1.0, 2.0, 5.0, 1.0]);
        assert_eq!(filled.grid.points(), [0.0, 1.0, 2.0, 5.0, 9.0]);
        assert_eq!((filled.times[0], filled.count_filled()), (1.0, 1));
        let dropped = uneven(text, Missing::Drop).unwrap();
        assert_eq!(dropped.values, [0.0, 1.0, 5.0, 1.0]);
        assert_eq!(dropped.labels, ["1", "2", "6", "10"]);
        let said = uneven(text, Missing::Error).unwrap_err().to_string();
        assert!(said.contains("row 4, column `x`: the value is missing"), "{said}");
    }

    #[test]
    fn whole_numbers_of_any_size_keep_their_distances() {
        let text = "t,x\n1700000000000000000,1\n1700000000000000001,2\n1700000000000000003,4\n";
        assert_eq!(uneven(text, Missing::Error).unwrap().grid.points(), [0.0, 1.0, 3.0]);
    }
}
