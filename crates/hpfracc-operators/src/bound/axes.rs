//! Conversion between signals along any axis of an array and a slice with one signal after the
//! other.

use ndarray::{ArrayView, ArrayViewMut, Axis, Dimension};

/// Copies the signals along `axis`, or the last axes as they are if `None`, into `signals`.
pub(crate) fn gather<T: Copy, D: Dimension>(
    mut array: ArrayView<'_, T, D>,
    axis: Option<Axis>,
    signals: &mut [T],
) {
    let blocks = Blocks::of(array.shape(), axis);
    match array.as_slice() {
        Some(values) => blocks.transpose(values, signals),
        None => {
            for at in moves(axis, array.ndim()) {
                array.swap_axes(at, at + 1);
            }
            signals.iter_mut().zip(&array).for_each(|(signal, &value)| *signal = value);
        }
    }
}

/// The inverse of [`gather`].
pub(crate) fn scatter<T: Copy, D: Dimension>(
    signals: &[T],
    axis: Option<Axis>,
    mut array: ArrayViewMut<'_, T, D>,
) {
    let blocks = Blocks::of(array.shape(), axis);
    match array.as_slice_mut() {
        Some(values) => blocks.back().transpose(signals, values),
        None => {
            for at in moves(axis, array.ndim()) {
                array.swap_axes(at, at + 1);
            }
            array.iter_mut().zip(signals).for_each(|(value, &signal)| *value = signal);
        }
    }
}

/// Neighbours to swap so that `axis` becomes the last and the others keep their order.
fn moves(axis: Option<Axis>, ndim: usize) -> std::ops::Range<usize> {
    axis.map_or(0..0, |axis| axis.index()..ndim - 1)
}

/// An array in standard order, viewed as consecutive matrices whose columns are signals.
#[derive(Clone, Copy)]
struct Blocks {
    rows: usize,
    columns: usize,
}

impl Blocks {
    fn of(shape: &[usize], axis: Option<Axis>) -> Self {
        match axis {
            Some(Axis(axis)) => {
                Self { rows: shape[axis], columns: shape[axis + 1..].iter().product() }
            }
            None => Self { rows: 1, columns: shape.iter().product() },
        }
    }

    fn back(self) -> Self {
        Self { rows: self.columns, columns: self.rows }
    }

    /// Transposes each matrix. Signal by signal it would miss the cache at every sample.
    fn transpose<T: Copy>(self, from: &[T], to: &mut [T]) {
        let size = self.rows * self.columns;
        for (from, to) in from.chunks_exact(size).zip(to.chunks_exact_mut(size)) {
            transpose::transpose(from, to, self.columns, self.rows);
        }
    }
}
