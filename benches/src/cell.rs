//! What stands in a table: a text, and the numbers that it was made from.

use crate::measure::{Spread, Time};
use serde::{Deserialize, Serialize};

/// An entry of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cell {
    /// As it is shown.
    pub(crate) text: String,
    /// What it is.
    #[serde(flatten)]
    pub(crate) value: Value,
}

/// The numbers of a [`Cell`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(crate) enum Value {
    /// What the row is about, or a remark.
    Label,
    /// How large the row's problem is.
    Size { size: f64 },
    /// Seconds.
    Time {
        seconds: f64,
        median: f64,
        low: f64,
        high: f64,
        rounds: usize,
        /// Whether it is of work that is not ours, and so tells of the machine.
        #[serde(default)]
        floor: bool,
        /// Whether it is of our own work, that others are measured by.
        #[serde(default)]
        beside: bool,
    },
    /// So many a second, at the least time.
    Rate { per_second: f64 },
    /// A ratio of two times: of the least, and the median over the rounds with its interval.
    Ratio { ratio: f64, median: f64, low: f64, high: f64 },
    /// Any other number: bytes, an error, an exponent.
    Number { number: f64 },
    /// Nothing that could be measured.
    Nothing,
}

impl Cell {
    /// Of what is not finite only the text is kept: JSON has no such numbers, and a record with one
    /// could not be read.
    fn new(text: impl Into<String>, value: Value) -> Self {
        let value = if value.is_finite() { value } else { Value::Nothing };
        Self { text: text.into(), value }
    }

    /// Whether the entry belongs to the name of its row and is no result.
    pub(crate) fn names_the_row(&self) -> bool {
        matches!(self.value, Value::Label | Value::Size { .. })
    }
}

impl Value {
    fn is_finite(&self) -> bool {
        let numbers = match *self {
            Self::Label | Self::Nothing => return true,
            Self::Time { seconds: first, median, low, high, .. }
            | Self::Ratio { ratio: first, median, low, high } => [first, median, low, high],
            Self::Size { size: x } | Self::Rate { per_second: x } | Self::Number { number: x } => {
                [x; 4]
            }
        };
        numbers.into_iter().all(f64::is_finite)
    }
}

/// A name, by which rows are known.
pub(crate) fn label(text: impl ToString) -> Cell {
    Cell::new(text.to_string(), Value::Label)
}

/// A size, by which rows are known and which a plot has along its axis.
pub(crate) fn size(n: usize) -> Cell {
    Cell::new(n.to_string(), Value::Size { size: n as f64 })
}

/// A time.
pub(crate) fn time(time: &Time) -> Cell {
    each(time, 1.0)
}

/// Time of one of `count` things.
pub(crate) fn each(time: &Time, count: f64) -> Cell {
    with_role(time, count, false, false)
}

/// Time of a floor: work that is not ours, such as a copy, a transform of another library, or
/// products from registers. It shows a later run how the machine has drifted.
pub(crate) fn floor(time: &Time) -> Cell {
    with_role(time, 1.0, true, false)
}

/// Time of our own work that ratios refer to; compared with a record like any other, because it may
/// change itself.
pub(crate) fn beside(time: &Time) -> Cell {
    with_role(time, 1.0, false, true)
}

fn with_role(time: &Time, count: f64, floor: bool, beside: bool) -> Cell {
    let Spread { least, median, low, high, rounds } = time.spread(count);
    let value = Value::Time { seconds: least, median, low, high, rounds, floor, beside };
    Cell::new(seconds(least), value)
}

/// A time that was added up from others, as a plain number: it has no readings of its own.
pub(crate) fn total(total: f64) -> Cell {
    Cell::new(seconds(total), Value::Number { number: total })
}

/// How many times longer than another a time is.
pub(crate) fn ratio(time: &Time, other: &Time) -> Cell {
    let Spread { least: ratio, median, low, high, .. } = time.over(other);
    Cell::new(format!("{ratio:.2}"), Value::Ratio { ratio, median, low, high })
}

/// So many things a second.
pub(crate) fn rate(count: f64, time: &Time) -> Cell {
    let per_second = count / time.least;
    Cell::new(format!("{per_second:.2e}"), Value::Rate { per_second })
}

/// A number with so many decimals.
pub(crate) fn number(number: f64, decimals: usize) -> Cell {
    Cell::new(format!("{number:.decimals$}"), Value::Number { number })
}

/// A part of a whole, in per cent.
pub(crate) fn percent(part: f64) -> Cell {
    Cell::new(format!("{:.0} %", 100.0 * part), Value::Number { number: part })
}

/// An error, or another number of any magnitude.
pub(crate) fn magnitude(number: f64) -> Cell {
    Cell::new(format!("{number:.1e}"), Value::Number { number })
}

/// A number of bytes.
pub(crate) fn bytes(bytes: f64) -> Cell {
    let text = match bytes {
        b if b < 1024.0 => format!("{b:.0} B"),
        b if b < 1_048_576.0 => format!("{:.1} KiB", b / 1024.0),
        b => format!("{:.2} MiB", b / 1_048_576.0),
    };
    Cell::new(text, Value::Number { number: bytes })
}

/// Nothing: it does not apply, or was not measured.
pub(crate) fn nothing() -> Cell {
    Cell::new("-", Value::Nothing)
}

/// A duration in the unit that reads best.
pub(crate) fn seconds(seconds: f64) -> String {
    match seconds {
        s if s < 1e-6 => format!("{:.1} ns", s * 1e9),
        s if s < 1e-3 => format!("{:.2} us", s * 1e6),
        s if s < 1.0 => format!("{:.2} ms", s * 1e3),
        s => format!("{s:.2} s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_finite_is_kept_as_text() {
        let broken = Time::of(vec![f64::INFINITY; 3]);
        let cells = [
            (number(f64::NAN, 2), "NaN"),
            (magnitude(f64::INFINITY), "inf"),
            (bytes(f64::NAN), "NaN MiB"),
            (rate(1.0, &Time::of(vec![0.0])), "inf"),
            (ratio(&broken, &broken), "NaN"),
            (time(&broken), "inf s"),
        ];
        for (cell, text) in cells {
            assert_eq!((cell.text.as_str(), cell.value), (text, Value::Nothing));
            let json = serde_json::to_string(&cell).unwrap();
            assert_eq!(serde_json::from_str::<Cell>(&json).unwrap(), cell);
        }
        assert_eq!(number(1.5, 1).value, Value::Number { number: 1.5 });
    }

    #[test]
    fn times_of_older_records_are_read() {
        let old = r#"{"text": "1 s", "is": "time", "seconds": 1.0, "median": 1.0, "low": 1.0, "high": 1.0,
            "rounds": 3, "floor": true}"#;
        let cell: Cell = serde_json::from_str(old).unwrap();
        assert!(matches!(cell.value, Value::Time { floor: true, beside: false, .. }));
    }
}
