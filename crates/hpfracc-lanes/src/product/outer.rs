use super::block::{Product, few};
use super::operands::{Base, Left, Right};
use super::panel::Panel;
use crate::Lanes;
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// `out += left right^T`: sums over the columns of each pair of rows; `out` is by the rows of
/// `left`, and its length gives the number of rows of `right`.
///
/// # Panics
/// Panics if a slice is shorter than the sizes say.
pub fn outer<T: Lanes>(arch: Arch, left: &[T], right: Right<'_, T>, out: &mut [T]) {
    let lanes = right.columns;
    let left = Left::new(left, left.len() / lanes, lanes);
    let columns = out.len() / left.rows;
    if left.rows >= TRANSPOSED && columns >= TRANSPOSED {
        transposed(arch, left, right, columns, out);
    } else {
        let mut pairs = Pairs { left, right, columns, out };
        let (row, column) = (left.rows / 4 * 4, columns / 4 * 4);
        pairs.sums::<4, 4>(arch, 0..row, 0..column);
        pairs.sums::<4, 1>(arch, 0..row, column..columns);
        pairs.sums::<1, 4>(arch, row..left.rows, 0..column);
        pairs.sums::<1, 1>(arch, row..left.rows, column..columns);
    }
}

/// Rows on both sides from which it pays to copy the transpose of the right ones: a sum over the
/// lanes of a register takes as long as many products.
const TRANSPOSED: usize = 16;

fn transposed<T: Lanes>(
    arch: Arch,
    left: Left<'_, T>,
    right: Right<'_, T>,
    columns: usize,
    out: &mut [T],
) {
    let mut panel = Panel::new(arch);
    for first in (0..left.inner).step_by(panel.depth()) {
        let inner = panel.depth().min(left.inner - first);
        let left = left.part(0, left.rows, first, inner);
        for column in (0..columns).step_by(panel.width()) {
            let right = panel.transpose(&right, (column, columns), (first, inner));
            let (base, out) = (Base::Present, &mut out[column..]);
            Product { left, right, base, out, stride: columns }.compute(arch);
        }
    }
}

struct Pairs<'a, T> {
    left: Left<'a, T>,
    right: Right<'a, T>,
    columns: usize,
    out: &'a mut [T],
}

impl<T: Lanes> Pairs<'_, T> {
    fn sums<const M: usize, const N: usize>(
        &mut self,
        arch: Arch,
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        let pairs = Pairs { out: self.out, ..*self };
        arch.dispatch(Sums::<T, M, N> { pairs, rows, columns });
    }
}

/// Blocks of `M` rows of the left and `N` of the right, their sums in registers.
struct Sums<'a, T, const M: usize, const N: usize> {
    pairs: Pairs<'a, T>,
    rows: Range<usize>,
    columns: Range<usize>,
}

impl<T: Lanes, const M: usize, const N: usize> WithSimd for Sums<'_, T, M, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        for row in self.rows.clone().step_by(M) {
            for column in self.columns.clone().step_by(N) {
                self.block(simd, row, column);
            }
        }
    }
}

impl<T: Lanes, const M: usize, const N: usize> Sums<'_, T, M, N> {
    #[inline(always)]
    fn block<S: Simd>(&mut self, simd: S, row: usize, column: usize) {
        let Pairs { left, right, columns, .. } = self.pairs;
        let lanes = right.columns;
        let left: [&[T]; M] = std::array::from_fn(|m| &left.values[(row + m) * lanes..][..lanes]);
        let right: [&[T]; N] =
            std::array::from_fn(|n| &right.values[right.start(column + n)..][..lanes]);
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        // Slices of one length, so that bounds are checked outside the loop.
        let count = lanes / T::count::<S>();
        let a: [_; M] = std::array::from_fn(|m| &T::registers::<S>(left[m]).0[..count]);
        let b: [_; N] = std::array::from_fn(|n| &T::registers::<S>(right[n]).0[..count]);
        for i in 0..count {
            let b: [_; N] = std::array::from_fn(|n| b[n][i]);
            for m in 0..M {
                for n in 0..N {
                    sums[m][n] = T::fused(simd, a[m][i], b[n], sums[m][n]);
                }
            }
        }
        let whole = count * T::count::<S>();
        if whole < lanes {
            let b: [_; N] = std::array::from_fn(|n| few::<T, S>(&right[n][whole..]));
            for m in 0..M {
                let a = few::<T, S>(&left[m][whole..]);
                for n in 0..N {
                    sums[m][n] = T::fused(simd, a, b[n], sums[m][n]);
                }
            }
        }
        for m in 0..M {
            for n in 0..N {
                self.pairs.out[(row + m) * columns + column + n] += T::total(simd, sums[m][n]);
            }
        }
    }
}
