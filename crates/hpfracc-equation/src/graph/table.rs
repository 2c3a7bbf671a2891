//! Tables of data as functions of one argument.

use std::hash::{Hash, Hasher};
use thiserror::Error;

/// Interpolation between the knots of a [`Table`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Interpolation {
    /// Straight lines: continuous, with a kink at each knot. Error of order 2.
    #[default]
    Linear,
    /// Piecewise cubic Hermite interpolation with a continuous slope, monotone where the data are, without
    /// overshoot. Error of order 3 for knots of equal distances where the data are strictly monotone, else 2.
    ///
    /// Slopes at the knots are weighted harmonic means of those of both sides, 0 at extrema.
    /// Source: F. N. Fritsch and J. Butland, SIAM Journal on Scientific and Statistical Computing 5 (1984)
    /// 300, DOI 10.1137/0905021, which satisfies the condition of F. N. Fritsch and R. E. Carlson (1980).
    Cubic,
}

/// Function of one argument, given by its values at knots: data of a measurement, a characteristic.
///
/// Outside of the knots it has no value, NaN, unless it is [`extended`](Self::extended) by constants. An
/// argument that is outside by rounding, by at most 1e-12 of the largest knot, has the value of the end.
///
/// ```
/// use hpfracc_equation::{Interpolation, Table};
///
/// let table = Table::new(&[0.0, 1.0, 3.0], &[0.0, 3.0, 1.0], Interpolation::Linear)?;
/// assert_eq!(table.value(0.5, 0), 1.5);
/// assert_eq!(table.value(2.0, 1), -1.0); // the slope
/// assert!(table.value(4.0, 0).is_nan());
/// assert_eq!(table.extended().value(4.0, 0), 1.0);
/// # Ok::<(), hpfracc_equation::TableError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Table {
    knots: Vec<f64>,
    values: Vec<f64>,
    interpolation: Interpolation,
    extended: bool,
    /// Coefficients of the first to third power of the distance to the knot before.
    pieces: Vec<[f64; 3]>,
}

/// Data that are no table. Rows are counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum TableError {
    /// Columns of different lengths.
    #[error("{arguments} arguments and {values} values: a table has a value for each argument")]
    Lengths {
        /// Number of arguments.
        arguments: usize,
        /// Number of values.
        values: usize,
    },
    /// Fewer than two rows.
    #[error("a table has at least 2 rows, found {rows}")]
    TooFew {
        /// Number of rows.
        rows: usize,
    },
    /// A number that is infinite or NaN.
    #[error("row {row} is {argument} -> {value}, expected finite numbers")]
    NotFinite {
        /// Row.
        row: usize,
        /// Its argument.
        argument: f64,
        /// Its value.
        value: f64,
    },
    /// An argument that is not above the one before.
    #[error("row {row} has the argument {argument} after {before}: the arguments have to increase")]
    NotIncreasing {
        /// Row.
        row: usize,
        /// Argument of the row before.
        before: f64,
        /// Its argument.
        argument: f64,
    },
    /// Arguments in a row whose difference is above the largest number.
    #[error(
        "row {row} has the argument {argument:e} after {before:e}: their difference is above 1.8e308"
    )]
    Wide {
        /// Row.
        row: usize,
        /// Argument of the row before.
        before: f64,
        /// Its argument.
        argument: f64,
    },
    /// A slope above the largest number.
    #[error("the slope between rows {} and {row} is above the largest number", row - 1)]
    Steep {
        /// The later row.
        row: usize,
    },
}

impl Table {
    /// Table of these values at these knots.
    ///
    /// # Errors
    /// [`TableError`] for columns of different lengths or fewer than two rows, for numbers that are not
    /// finite, and for knots that do not increase.
    pub fn new(
        knots: &[f64],
        values: &[f64],
        interpolation: Interpolation,
    ) -> Result<Self, TableError> {
        let (rows, values_count) = (knots.len(), values.len());
        if rows != values_count {
            return Err(TableError::Lengths { arguments: rows, values: values_count });
        }
        if rows < 2 {
            return Err(TableError::TooFew { rows });
        }
        for (row, (argument, value)) in (1..).zip(knots.iter().zip(values)) {
            let (argument, value) = (*argument, *value);
            if !(argument.is_finite() && value.is_finite()) {
                return Err(TableError::NotFinite { row, argument, value });
            }
            if row > 1 && knots[row - 2] >= argument {
                let before = knots[row - 2];
                return Err(TableError::NotIncreasing { row, before, argument });
            }
            if row > 1 && (argument - knots[row - 2]).is_infinite() {
                let before = knots[row - 2];
                return Err(TableError::Wide { row, before, argument });
            }
        }
        let pieces = match interpolation {
            Interpolation::Linear => {
                secants(knots, values).map(|slope| [slope, 0.0, 0.0]).collect()
            }
            Interpolation::Cubic => cubics(knots, values),
        };
        let finite = |piece: &[f64; 3]| piece.iter().all(|x| x.is_finite());
        if let Some(piece) = pieces.iter().position(|piece| !finite(piece)) {
            return Err(TableError::Steep { row: piece + 2 });
        }
        let (knots, values) = (knots.to_vec(), values.to_vec());
        Ok(Self { knots, values, interpolation, extended: false, pieces })
    }

    /// The same table with the first value before the knots and the last one after them.
    #[must_use]
    pub fn extended(mut self) -> Self {
        self.extended = true;
        self
    }

    /// Arguments with given values, increasing.
    pub fn knots(&self) -> &[f64] {
        &self.knots
    }

    /// Values at the knots.
    pub fn values(&self) -> &[f64] {
        &self.values
    }

    /// Interpolation between the knots.
    pub fn interpolation(&self) -> Interpolation {
        self.interpolation
    }

    /// Whether it has the values of its ends outside of the knots.
    pub fn is_extended(&self) -> bool {
        self.extended
    }

    /// First and last knot.
    pub fn range(&self) -> (f64, f64) {
        (self.knots[0], self.knots[self.knots.len() - 1])
    }

    /// Order of the first derivative that is 0 everywhere.
    pub(crate) fn first_zero_derivative(&self) -> u8 {
        match self.interpolation {
            Interpolation::Linear => 2,
            Interpolation::Cubic => 4,
        }
    }

    /// Value at x, or of the derivative of this order there.
    ///
    /// At a knot, a derivative that jumps is that of the piece after it, at the last knot of the piece
    /// before. Cost: logarithmic in the number of knots.
    pub fn value(&self, x: f64, derivative: u8) -> f64 {
        let ((first, last), end) = (self.range(), self.knots.len() - 1);
        let rounding = ROUNDING * first.abs().max(last.abs());
        let outside = x < first || x > last;
        if x.is_nan() || outside && !self.extended && (x < first - rounding || x > last + rounding)
        {
            return f64::NAN;
        }
        if outside && self.extended && derivative > 0 {
            return 0.0;
        }
        if derivative == 0 && x >= last {
            return self.values[end];
        }
        let x = x.clamp(first, last);
        let piece = (self.knots.partition_point(|knot| *knot <= x) - 1).min(end - 1);
        let ([a, b, c], u) = (self.pieces[piece], x - self.knots[piece]);
        match derivative {
            0 => self.values[piece] + u * (a + u * (b + u * c)),
            1 => a + u * (2.0 * b + u * (3.0 * c)),
            2 => 2.0 * b + u * (6.0 * c),
            3 => 6.0 * c,
            _ => 0.0,
        }
    }

    /// Bits of the data, of the interpolation and the extension.
    pub(crate) fn bits(&self) -> impl Iterator<Item = u64> {
        let kind = 2 * self.interpolation as u64 + u64::from(self.extended);
        let data = self.knots.iter().chain(&self.values).map(|x| x.to_bits());
        std::iter::once(kind).chain(data)
    }
}

/// Largest distance of an argument from the end, in units of the largest knot, that is a rounding error.
const ROUNDING: f64 = 1e-12;

/// Equal bits of the data, interpolation and extension.
impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        self.knots.len() == other.knots.len() && self.bits().eq(other.bits())
    }
}

impl Eq for Table {}

impl Hash for Table {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.bits().for_each(|bits| bits.hash(state));
    }
}

/// Slopes of the straight lines between the knots.
fn secants<'a>(knots: &'a [f64], values: &'a [f64]) -> impl Iterator<Item = f64> + 'a {
    knots.windows(2).zip(values.windows(2)).map(|(x, y)| (y[1] - y[0]) / (x[1] - x[0]))
}

fn cubics(knots: &[f64], values: &[f64]) -> Vec<[f64; 3]> {
    let secants: Vec<f64> = secants(knots, values).collect();
    let lengths: Vec<f64> = knots.windows(2).map(|x| x[1] - x[0]).collect();
    let mut slopes = vec![0.0; knots.len()];
    for k in 1..secants.len() {
        slopes[k] = inner_slope([lengths[k - 1], lengths[k]], [secants[k - 1], secants[k]]);
    }
    let last = secants.len() - 1;
    let next = usize::from(last > 0);
    slopes[0] = end_slope([lengths[0], lengths[next]], [secants[0], secants[next]]);
    let before = last.saturating_sub(1);
    slopes[last + 1] =
        end_slope([lengths[last], lengths[before]], [secants[last], secants[before]]);
    let piece = |k: usize| {
        let (h, d, a, b) = (lengths[k], secants[k], slopes[k], slopes[k + 1]);
        [a, (3.0 * d - 2.0 * a - b) / h, (a + b - 2.0 * d) / h / h]
    };
    (0..secants.len()).map(piece).collect()
}

/// Slope at a knot between pieces of lengths h with secants of slopes d.
fn inner_slope(h: [f64; 2], d: [f64; 2]) -> f64 {
    if d[0] == 0.0 || d[1] == 0.0 || (d[0] < 0.0) != (d[1] < 0.0) {
        return 0.0;
    }
    let (v, w) = (2.0 * h[1] + h[0], h[1] + 2.0 * h[0]);
    (v + w) / (v / d[0] + w / d[1])
}

/// Slope at an end: that of the parabola through three knots, limited so that the first piece is monotone.
fn end_slope(h: [f64; 2], d: [f64; 2]) -> f64 {
    let slope = ((2.0 * h[0] + h[1]) * d[0] - h[0] * d[1]) / (h[0] + h[1]);
    if d[0] == 0.0 || slope == 0.0 || (slope < 0.0) != (d[0] < 0.0) {
        0.0
    } else if (d[0] < 0.0) != (d[1] < 0.0) && slope.abs() > 3.0 * d[0].abs() {
        3.0 * d[0]
    } else {
        slope
    }
}
