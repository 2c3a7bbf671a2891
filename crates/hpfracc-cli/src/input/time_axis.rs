//! Time column of a table and its uniform grid.

use super::cell_format::CellFormat;
use super::csv_table::CsvTable;
use super::time_format::TimeFormat;
use crate::Error;
use crate::text::rounded;
use std::borrow::Cow;

/// Relative tolerance of a step about the median step on a uniform grid.
pub const TOLERANCE: f64 = 1e-6;

/// Maximum rounding error of a time, relative to the step.
pub(crate) const COARSEST: f64 = 1e-3;
/// Relative scatter of single steps up to which a gap is detected by its approximate length.
const WIDEST: f64 = 0.25;

/// Names of time columns that are detected without `--time`.
const OBVIOUS: [&str; 4] = ["t", "time", "date", "year"];

/// Times of the rows of a table.
#[derive(Debug)]
pub(crate) struct TimeAxis {
    pub(crate) column: usize,
    pub(crate) time_format: TimeFormat,
    /// First time in ticks, if all times are whole numbers of ticks: differences from it are exact
    /// even where the times, such as nanoseconds since 1970, exceed the integers of `f64`.
    origin: Option<i128>,
    /// Times minus the origin, in units.
    since: Vec<f64>,
}

/// Positions of the rows on a uniform grid.
#[derive(Debug, PartialEq)]
pub(crate) struct GridRows {
    /// Grid point of every row, increasing, the first is 0.
    pub(crate) points: Vec<usize>,
    /// Length of a step in units of the time column.
    pub(crate) step: f64,
    /// First row after a gap, with the number of rows missing before it.
    pub(crate) first_gap: Option<(usize, usize)>,
}

/// First column with an obvious name.
pub(crate) fn obvious(table: &CsvTable) -> Option<usize> {
    table.header().iter().position(|name| OBVIOUS.iter().any(|o| name.eq_ignore_ascii_case(o)))
}

impl TimeAxis {
    /// Reads the times of a column. The first cell decides whether they are dates.
    pub(crate) fn read(table: &CsvTable, column: usize) -> Result<Self, Error> {
        let time_format = if table.rows() == 0 {
            TimeFormat::Number
        } else {
            TimeFormat::of(&table.cell(0, column))
        };
        if let Some((origin, since)) = whole_ticks(table, column, time_format) {
            return Ok(Self { column, time_format, origin: Some(origin), since });
        }
        let times = (0..table.rows()).map(|row| {
            let cell = table.cell(row, column);
            let time = table.format().plain(&cell).and_then(|text| time_format.parse(&text));
            time.ok_or_else(|| Error::NotATime {
                place: table.place(row, column),
                text: cell.into_owned(),
                expected: time_format.expected(),
            })
        });
        Ok(Self { column, time_format, origin: None, since: times.collect::<Result<_, _>>()? })
    }

    /// Whether no cell of a column is a time, so that the column has text labels.
    pub(crate) fn is_text(table: &CsvTable, column: usize) -> bool {
        let mut cells = (0..table.rows()).map(|row| table.cell(row, column));
        cells.all(|cell| {
            let plain = table.format().plain(&cell);
            plain.is_none_or(|text| TimeFormat::of(&text).parse(&text).is_none())
        })
    }

    /// Time axis from row numbers in place of the times.
    pub(crate) fn counted(table: &CsvTable, column: usize, step: f64) -> Self {
        let since = (0..table.rows()).map(|row| row as f64 * step).collect();
        Self { column, time_format: TimeFormat::Number, origin: None, since }
    }

    /// Ticks that the times are counted from; `None` means zero.
    pub(crate) fn origin(&self) -> Option<i128> {
        self.origin
    }

    /// Times of the rows minus the origin.
    pub(crate) fn since(&self) -> &[f64] {
        &self.since
    }

    /// Step from each row to the next.
    fn steps(&self) -> Vec<f64> {
        self.since.windows(2).map(|pair| pair[1] - pair[0]).collect()
    }

    /// Spacing of `f64` at the largest time: the rounding error of a step.
    fn rounding(&self) -> f64 {
        let largest = self.since.iter().fold(0.0_f64, |largest, t| largest.max(t.abs()));
        f64::EPSILON * largest
    }

    fn text(&self, table: &CsvTable, row: usize) -> String {
        table.cell(row, self.column).into_owned()
    }

    /// Time of a row for the output: text of the cell, with a decimal point.
    fn label(&self, table: &CsvTable, row: usize) -> String {
        label(&table.cell(row, self.column), table.format())
    }

    /// Uniform grid of the rows. Its step is the median step, which a few gaps do not change; a gap
    /// is an integer number of steps.
    fn on_grid(&self, table: &CsvTable) -> Result<GridRows, Error> {
        let steps = self.steps();
        // Position of the row at the end of a step, and the times at both ends.
        let between = |k: usize| {
            let place = table.place(k + 1, self.column);
            (place, self.text(table, k), self.text(table, k + 1))
        };
        let whole = self.since[steps.len()] - self.since[0];
        if let Some(k) = steps.iter().position(|step| !step.is_finite()) {
            let (place, from, to) = between(k);
            return Err(Error::TimesTooFarApart { place, from, to });
        }
        if !whole.is_finite() {
            let (place, _, to) = between(steps.len() - 1);
            return Err(Error::TimesTooFarApart { place, from: self.text(table, 0), to });
        }
        let rounding = self.rounding();
        let hides = |step: f64| step > 0.0 && rounding > COARSEST * step;
        let coarse = |k: usize, step: f64| {
            let (place, _, time) = between(k);
            Error::TimesTooCoarse { place, time, rounding, step }
        };
        if let Some(k) = steps.iter().position(|step| *step <= 0.0) {
            let (place, from, to) = between(k);
            // Times that differ in the file may be equal in double precision.
            let mean = whole / steps.len() as f64;
            return Err(if steps[k] == 0.0 && from != to && hides(mean) {
                coarse(k, mean)
            } else {
                Error::TimeNotIncreasing { place, from, to }
            });
        }
        let median_step = median(&steps);
        if hides(median_step) {
            return Err(coarse(0, median_step));
        }

        let mut points = vec![0];
        let (mut last, mut first_gap) = (0, None);
        for (k, &step) in steps.iter().enumerate() {
            let count = (step / median_step).round().max(1.0);
            if (step - count * median_step).abs() > TOLERANCE * median_step + 4.0 * rounding {
                let (place, from, to) = between(k);
                return Err(Error::NotUniform { place, from, to, step, median_step });
            }
            // One wrong time must not insert a million rows.
            let inserted = last as f64 + count - (k as f64 + 1.0);
            if inserted > self.since.len() as f64 {
                let (place, _, to) = between(k);
                let (inserted, rows) = (inserted as usize, self.since.len());
                return Err(Error::GapTooLong { place, to, inserted, rows });
            }
            let count = count as usize;
            if count > 1 {
                first_gap.get_or_insert((k + 1, count - 1));
            }
            last += count;
            points.push(last);
        }
        // The mean over all steps averages the rounding of single times.
        Ok(GridRows { points, step: whole / last as f64, first_gap })
    }

    /// Grid of the rows with the step `dt`, by default that of the times, and whether the times are
    /// on it. Notes the choice; `source` says which times the step is from.
    pub(crate) fn lay_out(
        &self,
        table: &CsvTable,
        dt: Option<f64>,
        source: &str,
        notes: &mut Vec<String>,
    ) -> Result<(GridRows, bool), Error> {
        let Some(dt) = dt else {
            let rows = self.on_grid(table)?;
            let unit = self.time_format.unit();
            notes.push(format!("step is {}{unit}{source}", rounded(rows.step)));
            return Ok((rows, true));
        };
        let (rows, no_grid) = self.on_grid_of(table, dt)?;
        let note = |error| format!("--dt {} is used row by row, although {error}", rounded(dt));
        notes.extend(no_grid.as_ref().map(note));
        Ok((rows, no_grid.is_none()))
    }

    /// Error if the times skip rows of the grid.
    pub(crate) fn refuse_skipped(&self, table: &CsvTable, rows: &GridRows) -> Result<(), Error> {
        let Some((row, skipped)) = rows.first_gap else { return Ok(()) };
        let (place, from) = (table.place(row, self.column), self.text(table, row - 1));
        let (to, step) = (self.text(table, row), rows.step);
        Err(Error::SkippedRows { place, from, to, skipped, step })
    }

    /// [`on_grid`](Self::on_grid) with a fixed step. Where the times are non-uniform, such as
    /// months, the rows are the grid points, and the error of the times is returned with them.
    /// Missing rows among unequal steps are an error.
    fn on_grid_of(&self, table: &CsvTable, step: f64) -> Result<(GridRows, Option<Error>), Error> {
        match self.on_grid(table) {
            Ok(rows) => Ok((rows, None)),
            Err(error @ (Error::NotUniform { .. } | Error::TimesTooCoarse { .. })) => {
                self.refuse_gap(table)?;
                Ok((Self::row_by_row(table.rows(), step), Some(error)))
            }
            // Times that mostly repeat, such as the year of monthly rows, are too coarse.
            Err(error @ Error::TimeNotIncreasing { .. }) if self.mostly_repeat() => {
                Ok((Self::row_by_row(table.rows(), step), Some(error)))
            }
            Err(error) => Err(error),
        }
    }

    fn mostly_repeat(&self) -> bool {
        let steps = self.steps();
        median(&steps) == 0.0 && steps.iter().all(|step| *step >= 0.0)
    }

    /// Error if one of the unequal steps is a gap: about an integer multiple of the median step, or
    /// exactly that if single steps scatter too much.
    fn refuse_gap(&self, table: &CsvTable) -> Result<(), Error> {
        let (steps, rounding) = (self.steps(), 4.0 * self.rounding());
        let median_step = median(&steps);
        let off = |step: f64| {
            let count = (step / median_step).round().max(1.0);
            (count, ((step - count * median_step).abs() - rounding).max(0.0) / median_step)
        };
        let single = steps.iter().map(|step| off(*step)).filter(|(count, _)| *count == 1.0);
        let scatter = single.fold(0.0_f64, |scatter, (_, off)| scatter.max(off));
        let allowed =
            |count: f64| if scatter < WIDEST { WIDEST.max(count * scatter) } else { TOLERANCE };
        let gap = steps.iter().position(|step| {
            let (count, off) = off(*step);
            count > 1.0 && step - rounding > median_step && off <= allowed(count)
        });
        let Some(k) = gap else { return Ok(()) };
        Err(Error::SkippedUnequal {
            place: table.place(k + 1, self.column),
            from: self.text(table, k),
            to: self.text(table, k + 1),
            count: off(steps[k]).0,
            median_step,
        })
    }

    /// Every row on its own grid point, with a fixed step.
    pub(crate) fn row_by_row(rows: usize, step: f64) -> GridRows {
        GridRows { points: (0..rows).collect(), step, first_gap: None }
    }

    /// Label of every grid point: the cell, or for inserted points the time in the same format.
    pub(crate) fn labels(&self, table: &CsvTable, grid: &GridRows) -> Vec<String> {
        let mut row = 0;
        let label = |(point, since): (usize, f64)| {
            if grid.points.get(row) == Some(&point) {
                row += 1;
                return self.label(table, row - 1);
            }
            match self.origin {
                // Within the tolerance of the grid, inserted times are whole numbers of ticks, too.
                Some(origin) => {
                    let ticks = (since * self.time_format.per_unit()).round() as i128;
                    self.time_format.text_of_ticks(origin.saturating_add(ticks))
                }
                None => self.time_format.text(since),
            }
        };
        self.filled(grid).into_iter().enumerate().map(label).collect()
    }

    /// Time of every grid point.
    pub(crate) fn times(&self, grid: &GridRows) -> Vec<f64> {
        let origin = self.origin.unwrap_or(0) as f64 / self.time_format.per_unit();
        self.filled(grid).into_iter().map(|since| origin + since).collect()
    }

    /// Times of all grid points minus the origin: those of the rows and of the inserted points.
    fn filled(&self, grid: &GridRows) -> Vec<f64> {
        let mut filled = vec![self.since[0]];
        for (rows, points) in self.since.windows(2).zip(grid.points.windows(2)) {
            let skipped = points[1] - points[0];
            let step = (rows[1] - rows[0]) / skipped as f64;
            filled.extend((1..skipped).map(|k| rows[0] + k as f64 * step));
            filled.push(rows[1]);
        }
        filled
    }
}

/// First time of a column in ticks, and all times minus the first in units; `None` if some cell is
/// not a whole number of ticks.
fn whole_ticks(
    table: &CsvTable,
    column: usize,
    time_format: TimeFormat,
) -> Option<(i128, Vec<f64>)> {
    let ticks = |row| time_format.ticks(&table.cell(row, column));
    let origin = if table.rows() == 0 { 0 } else { ticks(0)? };
    let unit = time_format.per_unit();
    let since = (0..table.rows()).map(|row| Some(ticks(row)?.checked_sub(origin)? as f64 / unit));
    Some((origin, since.collect::<Option<_>>()?))
}

/// Text of a cell with a decimal point.
pub(crate) fn label(cell: &str, format: &CellFormat) -> String {
    format.plain(cell).map_or_else(|| cell.to_owned(), Cow::into_owned)
}

/// The lower median.
fn median(steps: &[f64]) -> f64 {
    let mut sorted = steps.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[(sorted.len() - 1) / 2]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_grid(column: &str) -> Result<GridRows, Error> {
        let table = CsvTable::parse("x.csv", format!("t\n{column}").as_bytes())?;
        TimeAxis::read(&table, 0)?.on_grid(&table)
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

    /// Nanoseconds since 1970, every microsecond, with the rows of `left_out` missing.
    fn nanoseconds(left_out: &[i64], end: &str) -> String {
        let rows = (0..50).filter(|k| !left_out.contains(k));
        rows.map(|k| format!("{}{end}\n", 1_700_000_000_000_000_000 + k * 1000)).collect()
    }

    #[test]
    fn whole_numbers_of_any_size_are_exact() {
        let grid = on_grid(&nanoseconds(&[], "")).unwrap();
        assert_eq!((grid.step, grid.first_gap, grid.points.len()), (1000.0, None, 50));
        let uneven = nanoseconds(&[], "").replace("0000003000\n", "0000003001\n");
        assert!(matches!(on_grid(&uneven), Err(Error::NotUniform { .. })));

        let text = format!("t\n{}", nanoseconds(&[7, 8], ""));
        let table = CsvTable::parse("x.csv", text.as_bytes()).unwrap();
        let axis = TimeAxis::read(&table, 0).unwrap();
        let grid = axis.on_grid(&table).unwrap();
        assert_eq!(grid.first_gap, Some((7, 2)));
        assert_eq!(axis.labels(&table, &grid)[8], "1700000000000008000");
        assert_eq!(axis.times(&grid)[0], 1.7e18);
    }

    #[test]
    fn times_must_not_be_lost_in_their_own_rounding() {
        // With a decimal point they are read as f64, which lie 256 apart there.
        let error = on_grid(&nanoseconds(&[], ".0")).unwrap_err();
        assert!(matches!(error, Error::TimesTooCoarse { .. }), "{error}");
        let error = on_grid("1e18\n1000000000000000001.0\n1000000000000001000.0\n").unwrap_err();
        assert!(matches!(error, Error::TimesTooCoarse { .. }), "{error}");
        for (times, from, to) in
            [("-1e308\n1e308\n", "-1e308", "1e308"), ("-1e308\n0\n1e308\n", "-1e308", "1e308")]
        {
            let error = on_grid(times).unwrap_err().to_string();
            assert!(error.contains(&format!("the times from `{from}` to `{to}` are")), "{error}");
            assert!(!error.contains("--dt"), "{error}");
        }
        let error = on_grid("0\n1e300\n2.5e300\n").unwrap_err().to_string();
        assert!(error.contains("is 1.5e300, the median step is 1e300;"), "{error}");
    }

    #[test]
    fn a_step_given_cannot_hide_rows_left_out() {
        let of = |column: &str| {
            let table = CsvTable::parse("x.csv", format!("t\n{column}").as_bytes())?;
            TimeAxis::read(&table, 0)?.on_grid_of(&table, 0.25)
        };
        let (grid, reason) = of("0\n1\n4\n5\n").unwrap();
        assert_eq!((grid.points, grid.step), (vec![0, 1, 4, 5], 1.0));
        assert_eq!(grid.first_gap, Some((2, 2)));
        assert!(reason.is_none());
        let months =
            ["2001-01-01", "2001-02-01", "2001-03-01", "2001-04-01", "2001-05-01", "2001-06-01"];
        let (grid, reason) = of(&months.join("\n")).unwrap();
        assert_eq!((grid.points, grid.step), (vec![0, 1, 2, 3, 4, 5], 0.25));
        assert!(matches!(reason, Some(Error::NotUniform { .. })));
        for left_out in 1..5 {
            let mut months = months.to_vec();
            months.remove(left_out);
            let error = of(&months.join("\n")).unwrap_err();
            assert!(matches!(error, Error::SkippedUnequal { count: 2.0, .. }), "{error}");
        }
        // Years of 365 and of 366 days, and steps that scatter.
        assert!(of("2003-01-01\n2004-01-01\n2005-01-01\n2006-01-01\n").is_ok());
        assert!(of("2003-01-01\n2004-01-01\n2005-01-01\n2007-01-01\n").is_err());
        assert!(of("0\n1\n1.4\n3.2\n3.9\n4.5\n").is_ok());
        assert!(of("0\n1\n1.4\n3.2\n4.2\n7.2\n").is_err());
        // The year of monthly rows is accepted; a repeated time or one that decreases is an error.
        assert!(of("2001\n2001\n2001\n2002\n2002\n").is_ok());
        assert!(of("0\n1\n1\n2\n").is_err());
        assert!(of("2\n1\n0\n").is_err());
    }

    #[test]
    fn gaps_are_whole_steps() {
        let grid = on_grid("1700\n1701\n1704\n1705\n1707\n").unwrap();
        assert_eq!(grid.points, [0, 1, 4, 5, 7]);
        assert_eq!((grid.step, grid.first_gap), (1.0, Some((2, 2))));
        let table =
            CsvTable::parse("x.csv", b"t\n20000227\n20000228\n20000302\n20000303\n").unwrap();
        let axis = TimeAxis::read(&table, 0).unwrap();
        let grid = axis.on_grid(&table).unwrap();
        let labels = axis.labels(&table, &grid);
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
                "row 4, column `t`: the step from `1` to `2.5` is 1.5, the median step is 1",
            ),
            ("0\n1\n2.00001\n3\n4\n", "row 4, column `t`: the step from `1` to `2.00001`"),
            ("0\n1\n1\n2\n", "row 4, column `t`: the time `1` is not after `1`"),
            ("0\n1\n0.5\n", "row 4, column `t`: the time `0.5` is not after `1`"),
            ("0\n1\n2\n2000000\n", "would insert 1999997 rows into a file of 4"),
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
