//! Formats of times in a file.

use super::clock::{self, ClockFormat, DAY};
use super::dates;
use chrono::Datelike;
use hpfracc::types::shortest;
use hpfracc_plot::Axis;

/// Format of the cells of a time column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TimeFormat {
    /// Number in any unit.
    Number,
    /// Date `YYYYMMDD`, counted in days.
    CompactDate,
    /// Date `YYYY-MM-DD`, counted in days.
    IsoDate,
    /// Time of day, with or without a date before it, counted in days.
    Clock(ClockFormat),
}

impl TimeFormat {
    /// Format of a cell. Eight digits that form a date of the calendar are a date.
    pub(crate) fn of(cell: &str) -> Self {
        let date = [Self::CompactDate, Self::IsoDate].into_iter();
        let mut date = date.filter(|time_format| time_format.ticks(cell).is_some());
        let clock = || ClockFormat::read(cell).map(|(format, _)| Self::Clock(format));
        date.next().or_else(clock).unwrap_or(Self::Number)
    }

    /// Exact time as a whole number of [ticks](Self::per_unit), if it is one.
    pub(crate) fn ticks(self, cell: &str) -> Option<i128> {
        match self {
            Self::Number => cell.parse().ok(),
            Self::CompactDate => {
                let date = (cell.get(..4)?, cell.get(4..6)?, cell.get(6..)?);
                clock::date(&format!("{}-{}-{}", date.0, date.1, date.2)).map(i128::from)
            }
            Self::IsoDate => clock::date(cell).map(i128::from),
            Self::Clock(format) => {
                let (other, ticks) = ClockFormat::read(cell)?;
                other.follows(format).then_some(ticks)
            }
        }
    }

    /// Number of ticks of a unit: nanoseconds of a day for clock times, otherwise 1.
    pub(crate) fn per_unit(self) -> f64 {
        if matches!(self, Self::Clock(_)) { DAY as f64 } else { 1.0 }
    }

    /// Time in units of the column; days since 1970-01-01 for dates.
    pub(crate) fn parse(self, cell: &str) -> Option<f64> {
        match self {
            Self::Number => cell.parse().ok().filter(|t: &f64| t.is_finite()),
            _ => self.ticks(cell).map(|ticks| ticks as f64 / self.per_unit()),
        }
    }

    /// Text of a time in the format of the column.
    pub(crate) fn text(self, t: f64) -> String {
        match self {
            Self::Number => shortest(t),
            // Microseconds, which the rounding of days since 1970 exceeds.
            Self::Clock(_) => {
                self.text_of_ticks((t * self.per_unit() / 1000.0).round() as i128 * 1000)
            }
            _ => self.text_of_ticks(t.round() as i128),
        }
    }

    /// Text of a whole number of ticks.
    pub(crate) fn text_of_ticks(self, ticks: i128) -> String {
        let date = || dates::date(i64::try_from(ticks).unwrap_or(i64::MAX));
        let ymd = || (date().year(), date().month(), date().day());
        match self {
            Self::Number => ticks.to_string(),
            Self::CompactDate => {
                let (year, month, day) = ymd();
                format!("{year:04}{month:02}{day:02}")
            }
            Self::IsoDate => {
                let (year, month, day) = ymd();
                format!("{year:04}-{month:02}-{day:02}")
            }
            Self::Clock(format) => format.text(ticks),
        }
    }

    /// Expected content of a cell, for messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Number => "a finite number",
            Self::CompactDate => "a date YYYYMMDD",
            Self::IsoDate => "a date YYYY-MM-DD",
            Self::Clock(format) if format.has_date() => {
                "a date and time of day like YYYY-MM-DD HH:MM:SS, with a zone in every row or in none"
            }
            Self::Clock(_) => "a time of day HH:MM:SS",
        }
    }

    /// Time axis of a picture.
    pub fn axis(self, name: &str) -> Axis<'_> {
        if self.is_date() { Axis::date(name) } else { Axis::linear(name) }
    }

    /// Whether times are dates, with or without a time of day.
    pub fn is_date(self) -> bool {
        match self {
            Self::Number => false,
            Self::CompactDate | Self::IsoDate => true,
            Self::Clock(format) => format.has_date(),
        }
    }

    /// Unit of the times after a number, for messages: ` days`, or empty for numbers.
    pub(crate) fn unit(self) -> &'static str {
        if self == Self::Number { "" } else { " days" }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tells_dates_from_numbers() {
        for (cell, time_format) in [
            ("19580329", TimeFormat::CompactDate),
            ("1958-03-29", TimeFormat::IsoDate),
            ("19581329", TimeFormat::Number),
            ("1958", TimeFormat::Number),
            ("+1958032", TimeFormat::Number),
            ("1958-3-29", TimeFormat::Number),
            ("1e3", TimeFormat::Number),
        ] {
            assert_eq!(TimeFormat::of(cell), time_format, "{cell}");
        }
        assert!(matches!(TimeFormat::of("1958-03-29 12:00"), TimeFormat::Clock(_)));
        assert!(!TimeFormat::of("12:00").is_date());
    }

    #[test]
    fn dates_are_parsed_and_printed() {
        for (cell, time_format) in
            [("20000229", TimeFormat::CompactDate), ("2000-02-29", TimeFormat::IsoDate)]
        {
            assert_eq!(time_format.parse(cell), Some(11_016.0));
            assert_eq!(time_format.text(11_016.0), cell);
        }
        assert_eq!(TimeFormat::IsoDate.parse("2001-02-29"), None);
        assert_eq!(TimeFormat::Number.parse("inf"), None);
    }

    #[test]
    fn clock_times_are_counted_in_days() {
        let cell = "2000-02-29 06:00:00";
        let time_format = TimeFormat::of(cell);
        assert_eq!(time_format.parse(cell), Some(11_016.25));
        assert_eq!(time_format.text(11_016.5), "2000-02-29 12:00:00");
        // Each with or without a zone, and with or without a date.
        for other in ["2000-02-29 06:00:00Z", "06:00", "2000-02-29", "11016"] {
            assert_eq!(time_format.parse(other), None, "{other}");
        }
    }
}
