use super::LossError;
use hpfracc_lanes::{Rows, RowsMut};

/// Where the gradient of a loss goes: overwritten with `scale` times the gradient.
#[derive(Debug)]
pub struct Cotangent<'a, T> {
    /// What the gradient is multiplied by: 1/batch for the mean of a batch, times a loss scale.
    pub scale: T,
    /// As many rows and lanes as what it is the gradient in.
    pub rows: RowsMut<'a, T>,
}

impl<'a, T> Cotangent<'a, T> {
    /// A gradient of so many lanes.
    pub fn new(scale: T, values: &'a mut [T], lanes: usize) -> Self {
        Self { scale, rows: RowsMut::new(values, lanes) }
    }
}

/// What has been observed.
#[derive(Debug, Clone, Copy)]
pub struct Observations<'a, T> {
    /// The numbers; whatever where the weight is 0.
    pub values: Rows<'a, T>,
    /// What each counts; 0 where there is none.
    pub weights: Option<Rows<'a, T>>,
}

impl<'a, T> Observations<'a, T> {
    /// All there.
    pub fn new(values: Rows<'a, T>) -> Self {
        Self { values, weights: None }
    }

    /// With weights, 0 for what is missing.
    pub fn weighted(values: Rows<'a, T>, weights: Rows<'a, T>) -> Self {
        Self { values, weights: Some(weights) }
    }
}

/// Lanes whose sums are in registers together.
pub(super) const TOGETHER: usize = 32;

/// Rows of a tile that may have no lanes.
pub(super) fn rows<T>(tile: Rows<'_, T>) -> usize {
    tile.as_slice().len().checked_div(tile.lanes()).unwrap_or(0)
}

/// Checks that there are so many of something.
pub(super) fn expect(
    what: &'static str,
    of: &'static str,
    found: usize,
    expected: usize,
) -> Result<(), LossError> {
    if found == expected { Ok(()) } else { Err(LossError::Size { what, of, found, expected }) }
}

/// Checks that there are rows to take a loss of.
pub(super) fn some_rows(what: &'static str, rows: usize) -> Result<(), LossError> {
    if rows > 0 { Ok(()) } else { expect(what, "rows", rows, 1) }
}

/// Checks the size of a tile; all its numbers belong to rows.
pub(super) fn expect_tile<T>(
    what: &'static str,
    tile: Rows<'_, T>,
    rows: usize,
    lanes: usize,
) -> Result<(), LossError> {
    expect(what, "lanes", tile.lanes(), lanes)?;
    expect(what, "numbers", tile.as_slice().len(), rows * lanes)
}

/// As [`expect_tile`], if there is one.
pub(super) fn expect_cotangent<T>(
    what: &'static str,
    tile: Option<&Cotangent<'_, T>>,
    rows: usize,
    lanes: usize,
) -> Result<(), LossError> {
    tile.map_or(Ok(()), |tile| expect_tile(what, tile.rows.as_rows(), rows, lanes))
}
