//! A row-major matrix cut into bands of columns that different threads write.
#![expect(
    unsafe_code,
    reason = "column bands of a row-major matrix interleave in memory; slices cannot split so"
)]

use crate::buffers::prefetch;
use rayon::prelude::*;
use std::marker::PhantomData;

/// Columns `first .. first + width` of a matrix, exclusively borrowed.
///
/// The matrix may end within a row: that row is shorter, and later rows are empty.
pub(crate) struct Band<'a, T> {
    /// Invariant: valid for reads and writes of `len` scalars during 'a, and no other reference
    /// touches the columns of this band.
    matrix: *mut T,
    len: usize,
    stride: usize,
    first: usize,
    width: usize,
    lifetime: PhantomData<&'a mut [T]>,
}

// SAFETY: a band is an exclusive borrow of its columns, like the `&mut [T]` that it stands for.
unsafe impl<T: Send> Send for Band<'_, T> {}

impl<T> Band<'_, T> {
    /// Prefetches the part of a row in the next band.
    #[inline(always)]
    pub(crate) fn prefetch_next(&mut self, row: usize) {
        let width = self.width;
        let own = self.row(row);
        for at in (width..2 * width).step_by((64 / size_of::<T>()).max(1)) {
            prefetch::ahead(own, at);
        }
    }

    /// The band's part of a row.
    #[inline(always)]
    pub(crate) fn row(&mut self, row: usize) -> &mut [T] {
        let start = row.saturating_mul(self.stride).saturating_add(self.first).min(self.len);
        let width = self.width.min(self.len - start);
        // SAFETY: start + width <= len. A row whose offset is no `usize` lies after the
        // matrix: the offset saturates instead of wrapping into other columns, and the row is
        // empty. `width <= stride - first` (checked by `each_band`) keeps the range inside the row
        // and inside this band, which is exclusively ours; the result borrows `self`.
        unsafe { std::slice::from_raw_parts_mut(self.matrix.add(start), width) }
    }
}

/// Divides a matrix with rows of `stride` scalars into bands of `width` columns and calls `work`
/// once with the index and the band of each; on the threads of the current pool if `parallel`.
///
/// `state` makes the data that each thread has for itself, such as scratch memory.
pub(crate) fn each_band<T: Send, S>(
    matrix: &mut [T],
    (stride, columns, width): (usize, usize, usize),
    parallel: bool,
    state: impl Fn() -> S + Sync + Send,
    work: impl Fn(&mut S, usize, Band<'_, T>) + Sync + Send,
) {
    assert!(width > 0 && columns <= stride, "columns lie inside their row");
    let shared = Shared(matrix.as_mut_ptr(), matrix.len());
    let band = |index: usize| {
        let first = index * width;
        let (matrix, len) = shared.parts();
        let width = width.min(columns - first);
        Band { matrix, len, stride, first, width, lifetime: PhantomData }
    };
    // Every index occurs once, so that no two bands share a column.
    let indices = 0..columns.div_ceil(width);
    if parallel {
        indices.into_par_iter().for_each_init(state, |state, i| work(state, i, band(i)));
    } else {
        let mut state = state();
        indices.for_each(|i| work(&mut state, i, band(i)));
    }
}

/// The address of the matrix, shared by the threads that make bands of it.
struct Shared<T>(*mut T, usize);

impl<T> Shared<T> {
    fn parts(&self) -> (*mut T, usize) {
        (self.0, self.1)
    }
}

// SAFETY: only the address is shared; the data is accessed through disjoint bands.
unsafe impl<T: Send> Sync for Shared<T> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_after_the_matrix_are_empty() {
        let mut matrix = [0; 20];
        each_band(
            &mut matrix,
            (4, 4, 2),
            false,
            || (),
            |(), _, mut band| {
                // The offset of the second would wrap to the first row.
                for row in [5, 1 << (usize::BITS - 2), usize::MAX] {
                    assert!(band.row(row).is_empty());
                }
            },
        );
    }

    #[test]
    fn bands_cover_each_column_once() {
        for (columns, width, len) in [(10, 4, 50), (8, 8, 50), (10, 3, 47), (7, 16, 5)] {
            for parallel in [false, true] {
                let mut matrix = vec![0; len];
                each_band(
                    &mut matrix,
                    (10, columns, width),
                    parallel,
                    || (),
                    |(), index, mut band| {
                        for row in 0..6 {
                            for value in band.row(row) {
                                *value += 1 + index;
                            }
                        }
                    },
                );
                for (at, &value) in matrix.iter().enumerate() {
                    let column = at % 10;
                    let expected = if column < columns { 1 + column / width } else { 0 };
                    assert_eq!(value, expected, "{columns} {width} {at}");
                }
            }
        }
    }
}
