use super::LossError;
use hpfracc_lanes::{Rows, RowsMut};

/// Destination of the gradient of a loss: overwritten with `scale` times the gradient.
#[derive(Debug)]
pub struct Cotangent<'a, T> {
    /// Factor of the gradient: 1/batch for the mean of a batch, times a loss scale.
    pub scale: T,
    /// The gradient, with the rows and lanes of the differentiated argument.
    pub rows: RowsMut<'a, T>,
}

impl<'a, T> Cotangent<'a, T> {
    /// A gradient of `lanes` lanes.
    pub fn new(scale: T, values: &'a mut [T], lanes: usize) -> Self {
        Self { scale, rows: RowsMut::new(values, lanes) }
    }
}

/// Observations with weights.
#[derive(Debug, Clone, Copy)]
pub struct Observations<'a, T> {
    /// Observed values; arbitrary where the weight is 0.
    pub values: Rows<'a, T>,
    /// Weights; 0 marks a missing observation.
    pub weights: Option<Rows<'a, T>>,
}

impl<'a, T> Observations<'a, T> {
    /// Observations without missing values.
    pub fn new(values: Rows<'a, T>) -> Self {
        Self { values, weights: None }
    }

    /// Observations with weights, 0 for missing ones.
    pub fn weighted(values: Rows<'a, T>, weights: Rows<'a, T>) -> Self {
        Self { values, weights: Some(weights) }
    }
}

/// Lanes whose sums are in registers at a time.
pub(super) const TOGETHER: usize = 32;

/// Rows of a tile that may have no lanes.
pub(super) fn rows<T>(tile: Rows<'_, T>) -> usize {
    tile.as_slice().len().checked_div(tile.lanes()).unwrap_or(0)
}

/// Error for another number than expected.
pub(super) fn expect(
    what: &'static str,
    of: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), LossError> {
    if found == expected { Ok(()) } else { Err(LossError::Size { what, of, found, expected }) }
}

/// Error for a tile without rows.
pub(super) fn some_rows(what: &'static str, rows: usize) -> Result<(), LossError> {
    if rows > 0 { Ok(()) } else { expect(what, "rows", rows, 1) }
}

/// Error for a tile of another size.
pub(super) fn expect_tile<T>(
    what: &'static str,
    tile: Rows<'_, T>,
    rows: usize,
    lanes: usize,
) -> Result<(), LossError> {
    expect(what, "lanes", tile.lanes(), lanes)?;
    expect(what, "numbers", tile.as_slice().len(), rows * lanes)
}

/// As [`expect_tile`], for an optional cotangent.
pub(super) fn expect_cotangent<T>(
    what: &'static str,
    tile: Option<&Cotangent<'_, T>>,
    rows: usize,
    lanes: usize,
) -> Result<(), LossError> {
    tile.map_or(Ok(()), |tile| expect_tile(what, tile.rows.as_rows(), rows, lanes))
}
