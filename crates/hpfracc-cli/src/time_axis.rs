//! The time column of a record: which one it is, and whether it is a uniform grid.

use crate::clock::Clock;
use crate::{Error, Record};
use std::iter;

/// A step may differ from the usual one by this part of it.
pub const TOLERANCE: f64 = 1e-6;

/// Names that a time column may have without being named on the command line.
const OBVIOUS: [&str; 4] = ["t", "time", "date", "year"];

/// The times of the rows of a record.
#[derive(Debug)]
pub(crate) struct TimeAxis {
    pub(crate) column: usize,
    pub(crate) clock: Clock,
    times: Vec<f64>,
}

/// Where the rows lie on a uniform grid.
#[derive(Debug, PartialEq)]
pub(crate) struct GridRows {
    /// Grid point of every row, increasing, the first is 0.
    pub(crate) points: Vec<usize>,
    /// Length of a step in units of the time column.
    pub(crate) step: f64,
    /// The first row after a gap, with the number of rows left out before it.
    pub(crate) first_gap: Option<(usize, usize)>,
}

/// The first column with an obvious name.
pub(crate) fn obvious(record: &Record) -> Option<usize> {
    record.header().iter().position(|name| OBVIOUS.iter().any(|o| name.eq_ignore_ascii_case(o)))
}

impl TimeAxis {
    /// Reads the times of a column. The first cell decides whether they are dates.
    pub(crate) fn read(record: &Record, column: usize) -> Result<Self, Error> {
        let clock =
            if record.rows() == 0 { Clock::Number } else { Clock::of(&record.cell(0, column)) };
        let times = (0..record.rows()).map(|row| {
            let cell = record.cell(row, column);
            clock.parse(&cell).ok_or_else(|| Error::NotATime {
                place: record.place(row, column),
                text: cell.into_owned(),
                expected: clock.expected(),
            })
        });
        Ok(Self { column, clock, times: times.collect::<Result<_, _>>()? })
    }

    /// Counts the rows instead of reading their times.
    pub(crate) fn counted(record: &Record, column: usize, step: f64) -> Self {
        let times = (0..record.rows()).map(|row| row as f64 * step).collect();
        Self { column, clock: Clock::Number, times }
    }

    /// Lays the rows on a uniform grid whose step is the median of the steps found, so that a few
    /// gaps do not change it. A gap is a whole number of steps.
    pub(crate) fn on_grid(&self, record: &Record) -> Result<GridRows, Error> {
        let steps: Vec<f64> = self.times.windows(2).map(|pair| pair[1] - pair[0]).collect();
        let between = |k: usize| {
            let text = |row: usize| record.cell(row, self.column).into_owned();
            (record.place(k + 1, self.column), text(k), text(k + 1))
        };
        if let Some(k) = steps.iter().position(|step| *step <= 0.0) {
            let (place, from, to) = between(k);
            return Err(Error::TimeNotIncreasing { place, from, to });
        }
        let mut sorted = steps.clone();
        sorted.sort_by(f64::total_cmp);
        let usual = sorted[(sorted.len() - 1) / 2];
        // Times far from zero, such as seconds since 1970, carry rounding of their own.
        let largest = self.times.iter().fold(0.0_f64, |largest, t| largest.max(t.abs()));
        let rounding = 4.0 * f64::EPSILON * largest;

        let mut points = vec![0];
        let (mut last, mut first_gap) = (0, None);
        for (k, &step) in steps.iter().enumerate() {
            let count = (step / usual).round().max(1.0);
            if (step - count * usual).abs() > TOLERANCE * usual + rounding {
                let (place, from, to) = between(k);
                return Err(Error::NotUniform { place, from, to, step, usual });
            }
            // A slip in one time must not ask for a million rows.
            let inserted = last as f64 + count - (k as f64 + 1.0);
            if inserted > self.times.len() as f64 {
                let (place, _, to) = between(k);
                let (inserted, rows) = (inserted as usize, self.times.len());
                return Err(Error::GapTooLong { place, to, inserted, rows });
            }
            let count = count as usize;
            if count > 1 {
                first_gap.get_or_insert((k + 1, count - 1));
            }
            last += count;
            points.push(last);
        }
        // Over the whole record the rounding of single times averages out.
        let step = (self.times[steps.len()] - self.times[0]) / last as f64;
        Ok(GridRows { points, step, first_gap })
    }

    /// Every row on its own grid point, for a step that was given.
    pub(crate) fn row_by_row(rows: usize, step: f64) -> GridRows {
        GridRows { points: (0..rows).collect(), step, first_gap: None }
    }

    /// The text of every grid point: cells as they stand, and what was left out in the same form.
    pub(crate) fn labels(&self, record: &Record, grid: &GridRows) -> Vec<String> {
        let mut labels = Vec::new();
        for (row, &point) in grid.points.iter().enumerate() {
            if row > 0 {
                let (start, first) = (self.times[row - 1], grid.points[row - 1]);
                let step = (self.times[row] - start) / (point - first) as f64;
                labels.extend(
                    (first + 1..point).map(|p| self.clock.text(start + (p - first) as f64 * step)),
                );
            }
            labels.push(record.cell(row, self.column).into_owned());
        }
        labels
    }

    /// The time of every grid point.
    pub(crate) fn times(&self, grid: &GridRows) -> Vec<f64> {
        let mut times = Vec::new();
        for (row, &point) in grid.points.iter().enumerate() {
            let before = row.checked_sub(1).map(|r| (self.times[r], grid.points[r]));
            if let Some((start, first)) = before {
                let step = (self.times[row] - start) / (point - first) as f64;
                times.extend((first + 1..point).map(|p| start + (p - first) as f64 * step));
            }
            times.extend(iter::once(self.times[row]));
        }
        times
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_grid(column: &str) -> Result<GridRows, Error> {
        let record = Record::parse("x.csv", format!("t\n{column}").as_bytes())?;
        TimeAxis::read(&record, 0)?.on_grid(&record)
    }

    #[test]
    fn uniform_times_are_row_by_row() {
        let grid = on_grid("0.1\n0.2\n0.3\n0.4\n").unwrap();
        assert_eq!((grid.points, grid.first_gap), (vec![0, 1, 2, 3], None));
        assert!((grid.step - 0.1).abs() < 1e-15);
        assert_eq!(on_grid("1999-12-31\n2000-01-07\n2000-01-14\n").unwrap().step, 7.0);
        // Milliseconds in seconds since 1970: two parts in ten thousand of a step are rounding.
        let ms: String = (0..50).map(|k| format!("{}\n", 1.7e9 + f64::from(k) * 1e-3)).collect();
        assert!(on_grid(&ms).is_ok());
    }

    #[test]
    fn gaps_are_whole_steps() {
        let grid = on_grid("1700\n1701\n1704\n1705\n1707\n").unwrap();
        assert_eq!(grid.points, [0, 1, 4, 5, 7]);
        assert_eq!((grid.step, grid.first_gap), (1.0, Some((2, 2))));
        let record =
            Record::parse("x.csv", b"t\n20000227\n20000228\n20000302\n20000303\n").unwrap();
        let axis = TimeAxis::read(&record, 0).unwrap();
        let grid = axis.on_grid(&record).unwrap();
        let labels = axis.labels(&record, &grid);
        assert_eq!(
            labels,
            ["20000227", "20000228", "20000229", "20000301", "20000302", "20000303"]
        );
        assert_eq!(axis.times(&grid)[2], 11_016.0);
    }

    #[test]
    fn refuses_what_is_no_grid() {
        for (column, message) in [
            (
                "0\n1\n2.5\n3.5\n",
                "row 4, column `t`: the step from `1` to `2.5` is 1.5, the record's step is 1",
            ),
            ("0\n1\n2.00001\n3\n4\n", "row 4, column `t`: the step from `1` to `2.00001`"),
            ("0\n1\n1\n2\n", "row 4, column `t`: the time `1` does not lie after `1`"),
            ("0\n1\n0.5\n", "row 4, column `t`: the time `0.5` does not lie after `1`"),
            ("0\n1\n2\n2000000\n", "would insert 1999997 rows into a record of 4"),
            ("0\nnoon\n", "row 3, column `t`: `noon` is not a finite number"),
            (
                "20010227\n20010228\n20010229\n",
                "row 4, column `t`: `20010229` is not a date YYYYMMDD",
            ),
        ] {
            let error = on_grid(column).unwrap_err().to_string();
            assert!(error.contains(message), "{error}");
        }
    }
}
