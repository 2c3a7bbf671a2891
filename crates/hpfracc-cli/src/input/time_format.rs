//! Formats of times in a file.

use super::dates;
use crate::text::shortest;
use chrono::Datelike;
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
}

impl TimeFormat {
    /// Format of a cell. Eight digits that form a date of the calendar are a date.
    pub(crate) fn of(cell: &str) -> Self {
        [Self::CompactDate, Self::IsoDate]
            .into_iter()
            .find(|time_format| time_format.parse(cell).is_some())
            .unwrap_or(Self::Number)
    }

    /// Time in units of the column; days since 1970-01-01 for dates.
    pub(crate) fn parse(self, cell: &str) -> Option<f64> {
        let (year, month, day) = match self {
            Self::Number => return cell.parse().ok().filter(|t: &f64| t.is_finite()),
            Self::CompactDate => (cell.get(..4)?, cell.get(4..6)?, cell.get(6..)?),
            Self::IsoDate => {
                let (year, rest) = cell.split_once('-')?;
                let (month, day) = rest.split_once('-')?;
                (year, month, day)
            }
        };
        let number = |digits: &str, length: usize| {
            let only_digits = digits.bytes().all(|b| b.is_ascii_digit());
            digits.parse::<u32>().ok().filter(|_| only_digits && digits.len() == length)
        };
        let year = i32::try_from(number(year, 4)?).ok()?;
        Some(dates::day_number(year, number(month, 2)?, number(day, 2)?)? as f64)
    }

    /// Text of a time in the format of the column.
    pub(crate) fn text(self, t: f64) -> String {
        let date = dates::date(t.round() as i64);
        let (year, month, day) = (date.year(), date.month(), date.day());
        match self {
            Self::Number => shortest(t),
            Self::CompactDate => format!("{year:04}{month:02}{day:02}"),
            Self::IsoDate => format!("{year:04}-{month:02}-{day:02}"),
        }
    }

    /// Expected content of a cell, for messages.
    pub(crate) fn expected(self) -> &'static str {
        match self {
            Self::Number => "a finite number",
            Self::CompactDate => "a date YYYYMMDD",
            Self::IsoDate => "a date YYYY-MM-DD",
        }
    }

    /// Time axis of a picture.
    pub fn axis(self, name: &str) -> Axis<'_> {
        if self.is_date() { Axis::date(name) } else { Axis::linear(name) }
    }

    /// Whether times are dates, counted in days.
    pub fn is_date(self) -> bool {
        self != Self::Number
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
}
