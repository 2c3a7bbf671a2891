//! What stands in a table: a text, and the numbers that it was made from.

use crate::measure::Time;
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
    /// Of what is not finite only the text is kept: JSON has no such numbers, and a record with one could not
    /// be read.
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
        match *self {
            Self::Label | Self::Nothing => true,
            Self::Size { size } => size.is_finite(),
            Self::Time { seconds, median, low, high, .. } => {
                [seconds, median, low, high].into_iter().all(f64::is_finite)
            }
            Self::Rate { per_second } => per_second.is_finite(),
            Self::Ratio { ratio, median, low, high } => {
                [ratio, median, low, high].into_iter().all(f64::is_finite)
            }
            Self::Number { number } => number.is_finite(),
        }
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

/// The time of one of `count` things that were done.
pub(crate) fn each(time: &Time, count: f64) -> Cell {
    let spread = time.spread(count);
    let value = Value::Time {
        seconds: spread.least,
        median: spread.median,
        low: spread.low,
        high: spread.high,
        rounds: spread.rounds,
        floor: false,
        beside: false,
    };
    Cell::new(seconds(spread.least), value)
}

/// The time of a floor: work that is not ours, such as a copy, a transform of another library, or products from
/// registers. By it a later run knows how the machine has drifted.
pub(crate) fn floor(time: &Time) -> Cell {
    let mut cell = each(time, 1.0);
    if let Value::Time { floor, .. } = &mut cell.value {
        *floor = true;
    }
    cell
}

/// The time of our own work that ratios are over: compared with a record as any other, for it may become
/// longer or shorter itself.
pub(crate) fn beside(time: &Time) -> Cell {
    let mut cell = each(time, 1.0);
    if let Value::Time { beside, .. } = &mut cell.value {
        *beside = true;
    }
    cell
}

/// A time that was added up from others, as a plain number: it has no readings of its own.
pub(crate) fn total(total: f64) -> Cell {
    Cell::new(seconds(total), Value::Number { number: total })
}

/// How many times longer than another a time is.
pub(crate) fn ratio(time: &Time, other: &Time) -> Cell {
    let spread = time.over(other);
    let (median, low, high) = (spread.median, spread.low, spread.high);
    let value = Value::Ratio { ratio: spread.least, median, low, high };
    Cell::new(format!("{:.2}", spread.least), value)
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
