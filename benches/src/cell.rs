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
        /// Whether it is what others are measured by.
        #[serde(default)]
        floor: bool,
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
    fn new(text: impl Into<String>, value: Value) -> Self {
        Self { text: text.into(), value }
    }

    /// Whether the entry belongs to the name of its row and is no result.
    pub(crate) fn names_the_row(&self) -> bool {
        matches!(self.value, Value::Label | Value::Size { .. })
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
    };
    Cell::new(seconds(spread.least), value)
}

/// The time of a floor.
pub(crate) fn floor(time: &Time) -> Cell {
    let mut cell = each(time, 1.0);
    if let Value::Time { floor, .. } = &mut cell.value {
        *floor = true;
    }
    cell
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
