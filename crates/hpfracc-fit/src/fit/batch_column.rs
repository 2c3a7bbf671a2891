use crate::data::Column;
use ndarray::{Array2, ArrayView2, CowArray, Ix2};

/// Column of each curve of a [`Batch`](super::Batch): the same numbers for all curves, or those of each curve.
///
/// ```
/// use hpfracc_fit::BatchColumn;
/// use ndarray::arr2;
///
/// // Two curves of three points.
/// let table = arr2(&[[1.0, 2.0, 3.0], [2.0, 4.0, 6.0]]);
/// let own: BatchColumn<'_> = (&table).into();
/// let shared: BatchColumn<'_> = (&[0.0, 1.0, 2.0]).into();
/// assert_eq!((own.curves(), shared.curves()), (Some(2), None));
/// ```
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum BatchColumn<'a> {
    /// The same numbers for all curves.
    Shared(&'a [f64]),
    /// Array with a row for each curve. An array whose rows are not contiguous is copied by [`Batch::run`](super::Batch::run).
    Rows(ArrayView2<'a, f64>),
    /// Slice of each curve; curves may differ in length.
    Slices(&'a [&'a [f64]]),
}

impl<'a> BatchColumn<'a> {
    /// Number of curves; None for a shared column.
    pub fn curves(&self) -> Option<usize> {
        match self {
            Self::Shared(_) => None,
            Self::Rows(rows) => Some(rows.nrows()),
            Self::Slices(slices) => Some(slices.len()),
        }
    }

    /// The array in the order of its rows, copied unless it has that order; without elements for other columns.
    pub(super) fn copied(&self) -> CowArray<'a, f64, Ix2> {
        match self {
            Self::Rows(rows) if rows.is_standard_layout() => CowArray::from(*rows),
            Self::Rows(rows) => CowArray::from(rows.as_standard_layout().into_owned()),
            _ => CowArray::from(Array2::zeros((0, 0))),
        }
    }

    /// Numbers that [`copied`](Self::copied) allocates.
    pub(super) fn copied_numbers(&self) -> usize {
        match self {
            Self::Rows(rows) if !rows.is_standard_layout() => rows.len(),
            _ => 0,
        }
    }

    /// The column as slices: of an array the given copy.
    pub(super) fn slices<'c>(&self, copy: &'c CowArray<'_, f64, Ix2>) -> CurveColumn<'c>
    where
        'a: 'c,
    {
        match *self {
            Self::Shared(values) => CurveColumn::Shared(values),
            Self::Rows(_) => CurveColumn::Rows(copy.as_slice().unwrap_or_default(), copy.ncols()),
            Self::Slices(slices) => CurveColumn::Slices(slices),
        }
    }
}

/// Column of each curve, as slices.
#[derive(Debug, Clone, Copy)]
pub(super) enum CurveColumn<'c> {
    Shared(&'c [f64]),
    /// All curves, of this length, one after the other.
    Rows(&'c [f64], usize),
    Slices(&'c [&'c [f64]]),
}

impl<'c> CurveColumn<'c> {
    pub(super) fn of_curve(self, curve: usize) -> Column<'c> {
        Column::Slice(match self {
            Self::Shared(values) => values,
            Self::Rows(all, n) => &all[curve * n..][..n],
            Self::Slices(slices) => slices[curve],
        })
    }
}

impl<'a> From<&'a [f64]> for BatchColumn<'a> {
    fn from(values: &'a [f64]) -> Self {
        Self::Shared(values)
    }
}

impl<'a, const N: usize> From<&'a [f64; N]> for BatchColumn<'a> {
    fn from(values: &'a [f64; N]) -> Self {
        Self::Shared(values)
    }
}

impl<'a> From<&'a Vec<f64>> for BatchColumn<'a> {
    fn from(values: &'a Vec<f64>) -> Self {
        Self::Shared(values)
    }
}

impl<'a> From<&'a Array2<f64>> for BatchColumn<'a> {
    fn from(rows: &'a Array2<f64>) -> Self {
        Self::Rows(rows.view())
    }
}

impl<'a> From<ArrayView2<'a, f64>> for BatchColumn<'a> {
    fn from(rows: ArrayView2<'a, f64>) -> Self {
        Self::Rows(rows)
    }
}

impl<'a> From<&'a [&'a [f64]]> for BatchColumn<'a> {
    fn from(slices: &'a [&'a [f64]]) -> Self {
        Self::Slices(slices)
    }
}
