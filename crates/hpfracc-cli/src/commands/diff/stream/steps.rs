//! Check of streamed times against the step of the first rows.

use crate::Error;
use crate::error::CellPosition;
use crate::input::CellFormat;
use crate::input::TimeAxis;
use crate::input::TimeFormat;
use crate::input::time_axis::{COARSEST, TOLERANCE};

/// Last time and the expected step.
#[derive(Debug)]
pub(super) struct Steps {
    time_format: TimeFormat,
    origin: Option<i128>,
    /// Step of the first rows; without it times must increase only.
    median_step: Option<f64>,
    first: f64,
    last: (f64, String),
    count: u64,
}

impl Steps {
    /// State after the rows of an axis.
    pub(super) fn after(axis: &TimeAxis, last_text: String, median_step: Option<f64>) -> Self {
        let since = axis.since();
        let last = (since[since.len() - 1], last_text);
        let (first, count) = (since[0], since.len() as u64);
        Self {
            time_format: axis.time_format,
            origin: axis.origin(),
            median_step,
            first,
            last,
            count,
        }
    }

    /// Checks the next time.
    ///
    /// # Errors
    /// Those of a whole column; `place` is called for an error only.
    pub(super) fn follow(
        &mut self,
        text: &str,
        format: &CellFormat,
        place: impl Fn() -> Box<CellPosition>,
    ) -> Result<(), Error> {
        let Some(since) = format.plain(text).and_then(|text| self.since(&text)) else {
            let expected = self.time_format.expected();
            return Err(Error::NotATime { place: place(), text: text.to_owned(), expected });
        };
        let (last, from) = &self.last;
        let step = since - last;
        let (from, to) = (|| from.clone(), || text.to_owned());
        if !step.is_finite() {
            return Err(Error::TimesTooFarApart { place: place(), from: from(), to: to() });
        }
        let rounding = f64::EPSILON * since.abs().max(last.abs());
        if let Some(median_step) =
            self.median_step.filter(|median_step| rounding > COARSEST * median_step)
        {
            return Err(Error::TimesTooCoarse {
                place: place(),
                time: to(),
                rounding,
                step: median_step,
            });
        }
        if step <= 0.0 {
            return Err(Error::TimeNotIncreasing { place: place(), from: from(), to: to() });
        }
        if let Some(median_step) = self.median_step
            && (step - median_step).abs() > TOLERANCE * median_step + 4.0 * rounding
        {
            return Err(Error::NotUniform {
                place: place(),
                from: from(),
                to: to(),
                step,
                median_step,
            });
        }
        self.last.0 = since;
        self.last.1.replace_range(.., text);
        self.count += 1;
        Ok(())
    }

    /// Time minus the origin.
    fn since(&self, text: &str) -> Option<f64> {
        let Some(origin) = self.origin else { return self.time_format.parse(text) };
        let unit = self.time_format.per_unit();
        match self.time_format.ticks(text).and_then(|ticks| ticks.checked_sub(origin)) {
            Some(since) => Some(since as f64 / unit),
            None => self.time_format.parse(text).map(|time| time - origin as f64 / unit),
        }
    }

    /// Mean step of all times.
    pub(super) fn mean(&self) -> f64 {
        (self.last.0 - self.first) / (self.count - 1) as f64
    }
}
