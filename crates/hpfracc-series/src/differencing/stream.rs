//! Fractional differencing of a stream.

use super::{checked_order, checked_weights};
use crate::error::SeriesError;
use hpfracc_lanes::causal::{BlockedSeries, OnlineSeries};

/// Capacity of the first sums.
const FIRST_CAPACITY: usize = 1024;

/// [`difference`](super::difference) one value at a time, with the whole history.
///
/// Cost: O(n log² n) for n values. Memory: up to about 12 numbers a value. Error: rounding, as that of the whole
/// series.
///
/// ```
/// use hpfracc_series::DifferenceStream;
/// let mut forward = DifferenceStream::new(0.4)?;
/// let mut back = forward.inverse()?;
/// for x in [3.0, 1.0, 4.0, 1.0, 5.0] {
///     let y = forward.push(x)?;
///     assert!((back.push(y)? - x).abs() < 1e-14);
/// }
/// # Ok::<(), hpfracc_series::SeriesError>(())
/// ```
#[derive(Debug)]
pub struct DifferenceStream {
    d: f64,
    history: Vec<f64>,
    capacity: usize,
    sums: BlockedSeries<f64>,
}

impl DifferenceStream {
    /// An empty stream of order d.
    ///
    /// # Errors
    /// [`SeriesError::Parameter`] for d that is not finite, [`SeriesError::Overflow`] for one whose weights are
    /// beyond 1.8e308.
    pub fn new(d: f64) -> Result<Self, SeriesError> {
        checked_order(d)?;
        let sums = sums(d, FIRST_CAPACITY)?;
        Ok(Self { d, history: Vec::new(), capacity: FIRST_CAPACITY, sums })
    }

    /// An empty stream of order -d: from the values that this stream returns it restores the input.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    pub fn inverse(&self) -> Result<Self, SeriesError> {
        Self::new(-self.d)
    }

    /// Number of values so far.
    #[must_use]
    pub fn len(&self) -> usize {
        self.history.len()
    }

    /// Whether there is no value yet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.history.is_empty()
    }

    /// Appends a value and returns the difference at it.
    ///
    /// # Errors
    /// [`SeriesError::NotFinite`] and [`SeriesError::Overflow`]; the stream remains as it was.
    pub fn push(&mut self, value: f64) -> Result<f64, SeriesError> {
        if !value.is_finite() {
            return Err(SeriesError::NotFinite { index: self.history.len(), value });
        }
        if self.history.len() == self.capacity {
            self.grow()?;
        }
        let difference = value + self.sums.sum(0, 0);
        if !difference.is_finite() {
            return Err(SeriesError::Overflow { d: self.d, index: self.history.len() });
        }
        self.sums.push(&[value]);
        self.history.push(value);
        Ok(difference)
    }

    /// Doubles the capacity: sums over all values are built again, which doubling makes at most
    /// twice the work of one pass.
    fn grow(&mut self) -> Result<(), SeriesError> {
        self.sums = sums(self.d, 2 * self.capacity)?;
        self.capacity *= 2;
        for value in &self.history {
            self.sums.push(&[*value]);
        }
        Ok(())
    }
}

/// Sums of the earlier values with the weights of the order d.
fn sums(d: f64, capacity: usize) -> Result<BlockedSeries<f64>, SeriesError> {
    let weights = checked_weights(d, capacity + 1)?;
    Ok(BlockedSeries::new(&[weights], vec![0], 1, capacity))
}
