//! Checks of ranges and sizes, with their errors, and of the fields of types that serde reads.

use thiserror::Error;

/// Error for a value outside its range.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{what} is {value}, expected {expected}")]
pub struct OutOfRange {
    /// The name of the setting or argument; for a layer, after the name of its type.
    pub what: String,
    /// Its value.
    pub value: String,
    /// The range.
    pub expected: String,
}

impl OutOfRange {
    pub(crate) fn new(what: impl ToString, value: impl ToString, expected: impl ToString) -> Self {
        let (what, value, expected) = (what.to_string(), value.to_string(), expected.to_string());
        Self { what, value, expected }
    }
}

/// Error unless a value lies in its range.
pub(crate) fn in_range(
    holds: bool,
    what: impl ToString,
    value: impl ToString,
    expected: impl ToString,
) -> Result<(), OutOfRange> {
    if holds { Ok(()) } else { Err(OutOfRange::new(what, value, expected)) }
}

/// Error for sizes that do not match.
#[derive(Debug, Error, Clone, PartialEq, Eq)]
#[error("{what} has the size {found}, expected {expected}")]
pub struct SizeMismatch {
    /// The quantity with the size.
    pub what: String,
    /// The size found.
    pub found: usize,
    /// The size expected.
    pub expected: usize,
}

/// Error unless a size is the expected one.
pub(crate) fn same_size(
    what: impl ToString,
    found: usize,
    expected: usize,
) -> Result<(), SizeMismatch> {
    if found == expected {
        return Ok(());
    }
    Err(SizeMismatch { what: what.to_string(), found, expected })
}

/// Error for a count of zero.
pub(crate) fn at_least_one(what: impl ToString, count: u64) -> Result<(), OutOfRange> {
    in_range(count > 0, what, count, "at least 1")
}

/// Error for a number that is not positive and finite.
pub(crate) fn positive(what: impl ToString, number: f64) -> Result<(), OutOfRange> {
    in_range(number > 0.0 && number.is_finite(), what, number, "positive and finite")
}

/// Error for a number that is negative or not finite.
pub(crate) fn not_negative(what: impl ToString, number: f64) -> Result<(), OutOfRange> {
    in_range(number >= 0.0 && number.is_finite(), what, number, "finite and not negative")
}

/// Error for a size of zero among several.
pub(crate) fn sizes_of(layer: &str, sizes: &[(&str, usize)]) -> Result<(), OutOfRange> {
    sizes.iter().try_for_each(|(what, size)| {
        in_range(*size > 0, format_args!("{layer}: {what}"), size, "at least 1")
    })
}

/// Implements [`Serialize`](serde::Serialize) and [`Deserialize`](serde::Deserialize) for types
/// that derive both with `#[serde(remote = "Self")]`, also for types generic over their layers:
/// reading a value ends with its method `check`, which returns a `Result<(), E>`.
macro_rules! checked {
    ($($type:ident$(<$layer:ident>)?),+) => {$(
        impl$(<$layer: serde::Serialize>)? serde::Serialize for $type$(<$layer>)? {
            fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                Self::serialize(self, to)
            }
        }

        impl<'de$(, $layer: crate::Shape + serde::Deserialize<'de>)?> serde::Deserialize<'de>
            for $type$(<$layer>)?
        {
            fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                let value = Self::deserialize(from)?;
                value.check().map_err(serde::de::Error::custom)?;
                Ok(value)
            }
        }
    )+};
}

pub(crate) use checked;
