//! Time series read row by row.

use super::steps::Steps;
use crate::Error;
use crate::commands::diff::operator::FirstTime;
use crate::input::columns::{time_column, time_name, value_column};
use crate::input::time_axis::label;
use crate::input::{Cell, CsvRow, CsvRows, CsvTable, SeriesOptions, TimeAxis, TimeFormat, too_few};
use hpfracc::types::shortest;
use std::io::Read;
use std::vec;

/// Number of rows from which columns and step are determined.
const HEAD: usize = 64;

/// Sample with its time as text of the file.
#[derive(Debug, PartialEq)]
pub(super) struct Sample {
    pub(super) label: String,
    pub(super) value: f64,
}

/// Iterator over the samples of a CSV file.
#[derive(Debug)]
pub(super) struct Samples<R> {
    rows: CsvRows<R>,
    /// First rows, already read, and the current one.
    head: vec::IntoIter<CsvRow>,
    row: CsvRow,
    /// Header, for positions in errors.
    table: CsvTable,
    time: Option<usize>,
    column: usize,
    /// `None` if times are not read.
    steps: Option<Steps>,
    step: f64,
    fixed_step: bool,
    first: Option<FirstTime>,
    /// Number of samples returned.
    returned: u64,
    pub(super) notes: Vec<String>,
}

impl<R: Read> Samples<R> {
    /// Reads the first rows.
    pub(super) fn open(
        name: &str,
        source: R,
        options: &SeriesOptions,
        missing_values: &[String],
    ) -> Result<Self, Error> {
        if let Some(dt) = options.dt.filter(|dt| !(dt.is_finite() && *dt > 0.0)) {
            return Err(Error::Step { dt });
        }
        let mut rows = CsvRows::new(name, source)?;
        let mut table = CsvTable::of_header(&mut rows, missing_values)?;
        let mut notes = Vec::new();
        let time = time_column(&table, options, &mut notes)?;
        // Without times the step is fixed, and the first row determines the columns.
        let wanted = if time.is_some() { HEAD } else { 2 };
        let (mut head, mut row) = (Vec::new(), CsvRow::default());
        while table.rows() < wanted && rows.read(&mut row)? {
            table.push(&row)?;
            head.push(row.clone());
            // A row of units is no sample.
            if table.rows() == 2 && table.take_units() {
                head.remove(0);
            }
        }
        let column = value_column(&table, options, time, &mut notes)?;
        if table.rows() < 2 {
            return Err(too_few(&table, column, table.rows()));
        }
        let (mut steps, mut first) = (None, None);
        let mut step = options.dt.unwrap_or(1.0);
        match (time, options.dt) {
            (Some(time), Some(_)) if TimeAxis::is_text(&table, time) => {
                let name = &table.header()[time];
                notes.push(format!("times in column `{name}` are read as text labels"));
            }
            (Some(time), dt) => {
                let axis = TimeAxis::read(&table, time)?;
                let head = format!(", from the first {} rows", table.rows());
                let (rows, uniform) = axis.lay_out(&table, dt, &head, &mut notes)?;
                axis.refuse_skipped(&table, &rows).map_err(not_filled)?;
                let median_step = uniform.then_some(rows.step);
                step = dt.or(median_step).unwrap_or(1.0);
                if dt.is_none() && axis.time_format == TimeFormat::Number {
                    let time = axis.origin().map_or(0.0, |origin| origin as f64) + axis.since()[0];
                    first = Some(FirstTime { time, place: table.place(0, axis.column) });
                }
                let last = table.cell(table.rows() - 1, time).into_owned();
                steps = Some(Steps::after(&axis, last, median_step));
            }
            (None, _) => {}
        }
        notes.splice(0..0, table.notes());
        table.clear();
        let fixed_step = options.dt.is_some();
        Ok(Self {
            rows,
            head: head.into_iter(),
            row,
            table,
            time,
            column,
            steps,
            step,
            fixed_step,
            first,
            returned: 0,
            notes,
        })
    }

    /// Step size.
    pub(super) fn step(&self) -> f64 {
        self.step
    }

    /// First time, if it is a number in the unit of the step.
    pub(super) fn first(&self) -> Option<&FirstTime> {
        self.first.as_ref()
    }

    /// Names of the time column, or its replacement, and of the input.
    pub(super) fn names(&self) -> (&str, &str) {
        (time_name(&self.table, self.time, self.column), &self.table.header()[self.column])
    }

    /// Error for a sample outside the range of single precision.
    pub(super) fn outside_f32(&self, sample: Sample) -> Error {
        let (name, column) = (self.table.source_name().to_owned(), self.names().1.to_owned());
        Error::OutsideF32 { name, column, value: sample.value, time: sample.label }
    }

    /// Number of bytes read.
    pub(super) fn bytes(&self) -> u64 {
        self.rows.bytes()
    }

    /// Number of samples returned.
    pub(super) fn count(&self) -> u64 {
        self.returned
    }

    /// Mean step of all rows, if the step was determined from the first rows.
    pub(super) fn mean_step(&self) -> Option<f64> {
        self.steps.as_ref().filter(|_| !self.fixed_step).map(Steps::mean)
    }

    /// Whether the next sample is buffered.
    pub(super) fn is_ready(&self) -> bool {
        self.head.len() > 0 || self.rows.is_ready()
    }

    /// Next sample; `None` at the end.
    pub(super) fn next(&mut self) -> Result<Option<Sample>, Error> {
        let format = self.table.format();
        if let Some(head) = self.head.next() {
            self.row = head;
        } else {
            if !self.rows.read(&mut self.row)? {
                return Ok(None);
            }
            self.table.check_width(&self.row)?;
            if let (Some(time), Some(steps)) = (self.time, &mut self.steps) {
                let (text, line) = (self.row.cell(time), self.row.line);
                steps.follow(&text, format, || self.table.place_of(line, time))?;
            }
        }
        let row = &self.row;
        let text = row.cell(self.column);
        let place = || self.table.place_of(row.line, self.column);
        let value = match format.read(&text) {
            Cell::Number(value) => value,
            Cell::Missing => {
                let (place, text, also) = (place(), text.into_owned(), String::new());
                return Err(not_filled(Error::MissingValue { place, text, also }));
            }
            Cell::Text => {
                return Err(Error::NotANumber { place: place(), text: text.into_owned() });
            }
        };
        let label = match self.time {
            Some(time) => label(&row.cell(time), format),
            None => shortest(self.returned as f64 * self.step),
        };
        self.returned += 1;
        Ok(Some(Sample { label, value }))
    }
}

fn not_filled(source: Error) -> Error {
    Error::NotFilled { source: Box::new(source) }
}
