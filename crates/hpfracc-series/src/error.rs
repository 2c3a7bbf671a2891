//! Errors of time series and their fits.

/// Errors of time series and their fits.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SeriesError {
    /// A value of the series is NaN or infinite.
    #[error("value {index} of the series is {value}, expected a finite number")]
    NotFinite {
        /// Index of the value, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A weight or a sum of fractional differencing is not representable.
    #[error("the difference of order {d} overflows at value {index}")]
    Overflow {
        /// Order of the difference.
        d: f64,
        /// Index of the value, from 0.
        index: usize,
    },
    /// A position of a track is NaN or infinite: a gap.
    #[error(
        "position {index} of track {track}, dimension {dimension}, is {value}, expected a finite \
         number: split the track at gaps"
    )]
    Gap {
        /// Index of the track, from 0.
        track: usize,
        /// Index of the dimension, from 0.
        dimension: usize,
        /// Index of the position, from 0.
        index: usize,
        /// The position.
        value: f64,
    },
    /// The dimensions of a track do not match each other or those of the first track.
    #[error("track {track} {found}, expected {expected}")]
    Shape {
        /// Index of the track, from 0.
        track: usize,
        /// Shape of the track, in words.
        found: String,
        /// The expected shape, in words.
        expected: String,
    },
    /// The series is too short for the method.
    #[error("{method} has {found} {unit}, expected at least {expected}")]
    TooShort {
        /// Name of the method.
        method: &'static str,
        /// Number found.
        found: usize,
        /// Number needed.
        expected: usize,
        /// What is counted.
        unit: &'static str,
    },
    /// All values of the series are equal.
    #[error("all values of the series are {value}: there is no variance to describe")]
    Constant {
        /// The value.
        value: f64,
    },
    /// A parameter is outside its range.
    #[error("`{name}` is {value}, expected {expected}")]
    Parameter {
        /// Name of the parameter.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: &'static str,
    },
    /// The likelihood is not a finite number at any start.
    #[error("the likelihood of {method} is not finite at any starting point")]
    NoStart {
        /// Name of the method.
        method: &'static str,
    },
}

/// Refuses NaN and infinities in a series.
pub(crate) fn finite(values: &[f64]) -> Result<(), SeriesError> {
    match values.iter().position(|value| !value.is_finite()) {
        Some(index) => Err(SeriesError::NotFinite { index, value: values[index] }),
        None => Ok(()),
    }
}

/// Refuses a parameter that is not `within` its range, which `expected` states.
pub(crate) fn in_range(
    within: bool,
    name: &'static str,
    value: f64,
    expected: &'static str,
) -> Result<(), SeriesError> {
    if within { Ok(()) } else { Err(SeriesError::Parameter { name, value, expected }) }
}

/// Refuses fewer than `expected` values, named by `unit`.
pub(crate) fn long_enough(
    method: &'static str,
    found: usize,
    expected: usize,
    unit: &'static str,
) -> Result<(), SeriesError> {
    let accepted = found >= expected;
    if accepted { Ok(()) } else { Err(SeriesError::TooShort { method, found, expected, unit }) }
}
