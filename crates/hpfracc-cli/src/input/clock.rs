//! Times of day, with or without a date.

use super::dates;
use chrono::Datelike;

/// Ticks, nanoseconds, of a day and of a minute.
pub(super) const DAY: i128 = 86_400_000_000_000;
const MINUTE: i128 = 60_000_000_000;

/// Format of a clock time: `HH:MM`, `HH:MM:SS` or `HH:MM:SS.fff`, after a date `YYYY-MM-DD` and a
/// `T` or a space, or alone; with a date optionally before a zone, `Z`, `+HH:MM`, `+HHMM` or `+HH`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClockFormat {
    /// Character between date and time of day; `None` without a date.
    separator: Option<char>,
    seconds: bool,
    /// Number of decimals of the seconds.
    decimals: usize,
    zone: Option<Zone>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Zone {
    Utc,
    /// Minutes east, written with a colon, without, or without minutes.
    East(i32, usize),
}

impl ClockFormat {
    /// Format of a cell, and its nanoseconds since 1970-01-01 in UTC, or since midnight.
    pub(super) fn read(cell: &str) -> Option<(Self, i128)> {
        // The date has ten characters.
        let separator = cell.get(10..11).filter(|c| matches!(*c, "T" | " "));
        let (days, rest, separator) = match separator {
            Some(c) => (date(cell.get(..10)?)?, cell.get(11..)?, c.chars().next()),
            None => (0, cell, None),
        };
        let zone_at = rest.find(['Z', '+', '-']).filter(|_| separator.is_some());
        let (clock, zone) = rest.split_at(zone_at.unwrap_or(rest.len()));
        let zone = if zone.is_empty() { None } else { Some(Zone::read(zone)?) };
        let (hour, rest) = clock.split_once(':')?;
        let (minute, second) = rest.split_once(':').unwrap_or((rest, ""));
        let (whole, decimals) = second.split_once(['.', ',']).unwrap_or((second, ""));
        let is_whole = whole.len() == second.len();
        if decimals.len() > 9 || !is_whole && decimals.is_empty() {
            return None;
        }
        let nanoseconds = if is_whole { 0 } else { digits(&format!("{decimals:0<9}"), 9)? };
        let seconds = if second.is_empty() && rest.len() == 2 { 0 } else { below(60, whole)? };
        let minutes = 60 * below(24, hour)? + below(60, minute)?;
        let format =
            Self { separator, seconds: !second.is_empty(), decimals: decimals.len(), zone };
        let since = i128::from(days) * DAY + (i128::from(minutes) - zone_offset(zone)) * MINUTE;
        Some((format, since + i128::from(seconds) * 1_000_000_000 + i128::from(nanoseconds)))
    }

    /// Whether times of both formats are comparable: with a date in both or in neither, and with a
    /// zone in both or in neither.
    pub(super) fn follows(self, other: Self) -> bool {
        (self.separator.is_some(), self.zone.is_some())
            == (other.separator.is_some(), other.zone.is_some())
    }

    pub(super) fn has_date(self) -> bool {
        self.separator.is_some()
    }

    /// Text of nanoseconds, with the decimals that they need at least.
    pub(super) fn text(self, since: i128) -> String {
        let local = since + zone_offset(self.zone) * MINUTE;
        let date = dates::date(i64::try_from(local.div_euclid(DAY)).unwrap_or(i64::MAX));
        let of_day = local.rem_euclid(DAY);
        let (seconds, nanoseconds) = (of_day / 1_000_000_000, of_day % 1_000_000_000);
        let [hour, minute, second] = [seconds / 3600, seconds / 60 % 60, seconds % 60];
        let mut text = self.separator.map_or_else(String::new, |c| {
            format!("{:04}-{:02}-{:02}{c}", date.year(), date.month(), date.day())
        });
        text += &format!("{hour:02}:{minute:02}");
        let fraction = format!("{nanoseconds:09}");
        let needed = fraction.trim_end_matches('0').len().max(self.decimals);
        if self.seconds || needed > 0 || second > 0 {
            text += &format!(":{second:02}");
        }
        if needed > 0 {
            text += &format!(".{}", &fraction[..needed]);
        }
        text + &self.zone.map_or_else(String::new, Zone::text)
    }
}

impl Zone {
    fn read(zone: &str) -> Option<Self> {
        if zone == "Z" {
            return Some(Self::Utc);
        }
        let (sign, rest) =
            zone.split_at_checked(1).filter(|(sign, _)| matches!(*sign, "+" | "-"))?;
        let (hours, minutes) = match rest.len() {
            2 => (rest, "00"),
            4 => rest.split_at_checked(2)?,
            _ => rest.split_once(':')?,
        };
        let east = (60 * below(24, hours)? + below(60, minutes)?) as i32;
        Some(Self::East(if sign == "-" { -east } else { east }, rest.len()))
    }

    fn text(self) -> String {
        match self {
            Self::Utc => "Z".to_owned(),
            Self::East(east, length) => {
                let sign = if east < 0 { '-' } else { '+' };
                let (hours, minutes) = (east.abs() / 60, east.abs() % 60);
                match length {
                    2 => format!("{sign}{hours:02}"),
                    4 => format!("{sign}{hours:02}{minutes:02}"),
                    _ => format!("{sign}{hours:02}:{minutes:02}"),
                }
            }
        }
    }
}

/// Minutes east of UTC.
fn zone_offset(zone: Option<Zone>) -> i128 {
    match zone {
        Some(Zone::East(east, _)) => i128::from(east),
        _ => 0,
    }
}

/// Day number of `YYYY-MM-DD`.
pub(super) fn date(text: &str) -> Option<i64> {
    let (year, rest) = text.split_once('-')?;
    let (month, day) = rest.split_once('-')?;
    dates::day_number(digits(year, 4)? as i32, digits(month, 2)?, digits(day, 2)?)
}

/// Number of `length` digits.
pub(super) fn digits(text: &str, length: usize) -> Option<u32> {
    let only_digits = text.len() == length && text.bytes().all(|b| b.is_ascii_digit());
    text.parse().ok().filter(|_| only_digits)
}

/// Number of two digits below `end`.
fn below(end: u32, text: &str) -> Option<u32> {
    digits(text, 2).filter(|number| *number < end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_times_are_read_and_written() {
        for (cell, seconds) in [
            ("2000-02-29T12:00", 951_825_600.0),
            ("2000-02-29 12:00:00", 951_825_600.0),
            ("2000-02-29T12:00:00.250", 951_825_600.25),
            ("2000-02-29T12:00:00Z", 951_825_600.0),
            ("2000-02-29T12:00:00+01:00", 951_822_000.0),
            ("2000-02-29T12:00-0530", 951_845_400.0),
            ("2000-02-29T12:00+02", 951_818_400.0),
            ("1969-12-31T23:59:59", -1.0),
            ("00:00", 0.0),
            ("23:59:59.000001", 86_399.000_001),
        ] {
            let (format, since) = ClockFormat::read(cell).unwrap();
            assert_eq!(since, (seconds * 1e6_f64).round() as i128 * 1000, "{cell}");
            assert_eq!(format.text(since), cell);
        }
        let (format, since) = ClockFormat::read("12:00").unwrap();
        assert_eq!(format.text(since + 1_500_000_000), "12:00:01.5");
    }

    #[test]
    fn other_text_is_no_clock_time() {
        for cell in [
            "",
            "12",
            "12:",
            "24:00",
            "12:60",
            "12:00:60",
            "12:00:",
            "12:00:0",
            "1:00",
            "12:00:00.",
            "2001-02-29T12:00",
            "2001-01-01T",
            "2001-01-01T12",
            "2001-01-01x12:00",
            "12:00Z",
            "2001-01-01T12:00+1",
            "2001-01-01T12:00+25:00",
            "12:00:00.0000000001",
            "é2:00",
            "2001-01-01 12:00 PM",
            "2001-01-01T12:00ZZ",
            "2001-01-01T12:00Z01:00",
            "2001-01-01T12:00Z01",
            "-1:00",
        ] {
            assert_eq!(ClockFormat::read(cell), None, "{cell}");
        }
    }
}
