//! A bound kernel: rates and coefficients in rows of nodes.

use crate::buffers::aligned::Aligned;
use hpfracc_lanes::Lanes;

/// Bytes of a row of nodes. It does not depend on the width of registers, because the order of
/// summation is defined by rows.
const ROW: usize = 64;

/// Nodes of a row.
pub(super) const fn row<T>() -> usize {
    ROW / size_of::<T>()
}

/// A bound kernel. The last row is padded with nodes of coefficient zero.
pub(super) struct Nodes<T> {
    pub(super) number: usize,
    /// Weight of the present sample.
    pub(super) d: T,
    pub(super) rates: Aligned<T>,
    pub(super) coefficients: Aligned<T>,
}

impl<T: Lanes> Nodes<T> {
    pub(super) fn new(kernel: &[T], number: usize) -> Self {
        let padded = number.next_multiple_of(row::<T>());
        // Rate 1: the state of a padding node is the last sample and does not grow.
        let mut rates = Aligned::new(padded, T::one());
        let mut coefficients = Aligned::new(padded, T::zero());
        rates[..number].copy_from_slice(&kernel[1..=number]);
        coefficients[..number].copy_from_slice(&kernel[1 + number..]);
        Self { number, d: kernel[0], rates, coefficients }
    }

    pub(super) fn bytes(number: usize) -> usize {
        2 * Aligned::<T>::bytes(number.next_multiple_of(row::<T>()))
    }

    /// Number of rows.
    pub(super) fn rows(&self) -> usize {
        self.rates.len() / row::<T>()
    }
}
