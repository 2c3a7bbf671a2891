//! Cells of a table: text, and the numbers from which it was formatted.

use crate::measure::{Spread, Time};
use serde::{Deserialize, Serialize};

/// Entry of a table.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Cell {
    /// Text in the printed table.
    pub(crate) text: String,
    /// Kind of the entry and its numbers.
    #[serde(flatten)]
    pub(crate) value: Value,
}

/// Kind and numbers of a [`Cell`].
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", tag = "is")]
pub(crate) enum Value {
    /// Name of the row, or a remark.
    Label,
    /// Problem size of the row.
    Size { size: f64 },
    /// Time in seconds: the least, the median, its confidence interval, and the number of rounds.
    Time {
        seconds: f64,
        median: f64,
        low: f64,
        high: f64,
        rounds: usize,
        /// Whether it is a floor: the time of code outside this library, which depends on the
        /// machine alone.
        #[serde(default)]
        floor: bool,
        /// Whether it is a reference time: that of other code of this library, to which the
        /// ratios of the row refer.
        #[serde(default, rename = "beside")]
        reference: bool,
    },
    /// Number per second, from the least time.
    Rate { per_second: f64 },
    /// Ratio of two times: of the least ones, and the median over the rounds with its confidence
    /// interval.
    Ratio { ratio: f64, median: f64, low: f64, high: f64 },
    /// Any other number, such as bytes, an error or an exponent.
    Number { number: f64 },
    /// No value: not applicable, not measured, or not finite.
    Nothing,
}

impl Cell {
    /// Replaces a value that is not finite by [`Value::Nothing`]: JSON has no such numbers.
    fn new(text: impl Into<String>, value: Value) -> Self {
        let value = if value.is_finite() { value } else { Value::Nothing };
        Self { text: text.into(), value }
    }

    /// Whether the entry identifies its row: a label or a size.
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

/// Label, part of the identity of its row.
pub(crate) fn label(text: impl ToString) -> Cell {
    Cell::new(text.to_string(), Value::Label)
}

/// Problem size, part of the identity of its row and the abscissa of plots.
pub(crate) fn size(n: usize) -> Cell {
    Cell::new(n.to_string(), Value::Size { size: n as f64 })
}

/// Time of one execution.
pub(crate) fn time(time: &Time) -> Cell {
    each(time, 1.0)
}

/// Time of one of `count` items.
pub(crate) fn each(time: &Time, count: f64) -> Cell {
    with_role(time, count, false, false)
}

/// Time of a floor: code outside this library, such as a copy, a transform of another library, or
/// products in registers. Comparisons with later runs use it to remove the drift of the machine.
pub(crate) fn floor(time: &Time) -> Cell {
    with_role(time, 1.0, true, false)
}

/// Reference time: that of other code of this library, to which ratios refer. It may change itself,
/// and is compared with a record like any other time.
pub(crate) fn reference_time(time: &Time) -> Cell {
    with_role(time, 1.0, false, true)
}

fn with_role(time: &Time, count: f64, floor: bool, reference: bool) -> Cell {
    let Spread { least, median, low, high, rounds } = time.spread(count);
    let value = Value::Time { seconds: least, median, low, high, rounds, floor, reference };
    Cell::new(seconds(least), value)
}

/// Sum of times, as a plain number without a confidence interval.
pub(crate) fn total(total: f64) -> Cell {
    Cell::new(seconds(total), Value::Number { number: total })
}

/// Ratio of two times.
pub(crate) fn ratio(time: &Time, other: &Time) -> Cell {
    let Spread { least: ratio, median, low, high, .. } = time.over(other);
    Cell::new(format!("{ratio:.2}"), Value::Ratio { ratio, median, low, high })
}

/// Items per second.
pub(crate) fn rate(count: f64, time: &Time) -> Cell {
    let per_second = count / time.least;
    Cell::new(format!("{per_second:.2e}"), Value::Rate { per_second })
}

/// Number with a given number of decimals.
pub(crate) fn number(number: f64, decimals: usize) -> Cell {
    Cell::new(format!("{number:.decimals$}"), Value::Number { number })
}

/// Fraction in per cent.
pub(crate) fn percent(part: f64) -> Cell {
    Cell::new(format!("{:.0} %", 100.0 * part), Value::Number { number: part })
}

/// Error, or another number of any magnitude.
pub(crate) fn magnitude(number: f64) -> Cell {
    Cell::new(format!("{number:.1e}"), Value::Number { number })
}

/// Number of bytes.
pub(crate) fn bytes(bytes: f64) -> Cell {
    let text = match bytes {
        b if b < 1024.0 => format!("{b:.0} B"),
        b if b < 1_048_576.0 => format!("{:.1} KiB", b / 1024.0),
        b => format!("{:.2} MiB", b / 1_048_576.0),
    };
    Cell::new(text, Value::Number { number: bytes })
}

/// Empty cell: not applicable, or not measured.
pub(crate) fn nothing() -> Cell {
    Cell::new("-", Value::Nothing)
}

/// Duration in a suitable unit.
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
    fn values_that_are_not_finite_become_text() {
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
        assert!(matches!(cell.value, Value::Time { floor: true, reference: false, .. }));
    }
}
