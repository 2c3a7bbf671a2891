//! Products of matrices that fit a cache: no packing, no allocation.

use hpfracc_simd::{LONGEST, Lanes};
use pulp::{Arch, Simd, WithSimd};

/// The left factor of a product, `rows x inner`; an element lies at `row * down + column * along`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Left<'a, T> {
    pub(crate) values: &'a [T],
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) down: usize,
    pub(crate) along: usize,
}

impl<'a, T> Left<'a, T> {
    /// A matrix by rows.
    pub(crate) fn new(values: &'a [T], rows: usize, inner: usize) -> Self {
        Self { values, rows, inner, down: inner, along: 1 }
    }

    /// The transpose of a matrix by rows, which has `inner` rows.
    pub(crate) fn transposed(values: &'a [T], rows: usize, inner: usize) -> Self {
        Self { values, rows, inner, down: 1, along: rows }
    }
}

/// What a product is added to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Base<'a, T> {
    /// A number for each row.
    Rows(&'a [T]),
    /// What is there.
    Present,
}

/// `out = base + left right`, with `right` of `inner` rows and `out` of as many rows as `left`, each of
/// `columns` numbers. Sums go over the inner index in order, fused where the instruction set is.
pub(crate) fn product<T: Lanes>(
    arch: Arch,
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    base: Base<'_, T>,
    out: &mut [T],
) {
    arch.dispatch(Product { left, right, columns, base, out });
}

struct Product<'a, T> {
    left: Left<'a, T>,
    right: &'a [T],
    columns: usize,
    base: Base<'a, T>,
    out: &'a mut [T],
}

/// Bytes of a register in a set that has 32 of them.
const WIDEST: usize = 64;

impl<T: Lanes> WithSimd for Product<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        // As many sums in registers as there is room for beside the factors.
        if size_of::<T::Vector<S>>() == WIDEST || cfg!(target_arch = "aarch64") {
            let done = self.panels::<S, 8, 2>(simd, 0);
            self.panels::<S, 4, 4>(simd, done);
        } else {
            self.panels::<S, 4, 2>(simd, 0);
        }
    }
}

impl<T: Lanes> Product<'_, T> {
    /// Blocks of `M` rows from a row on, as many as fit; the last kind of block takes what is left row by
    /// row. Gives the first row that is not done.
    #[inline(always)]
    fn panels<S: Simd, const M: usize, const N: usize>(&mut self, simd: S, first: usize) -> usize {
        let lanes = T::count::<S>();
        let blocks = (self.left.rows - first) / M * M;
        let single = if M == 8 { 0 } else { self.left.rows - first - blocks };
        let mut column = 0;
        while column < self.columns {
            let left = self.columns - column;
            let width = if left >= N * lanes { N * lanes } else { left.min(lanes) };
            for row in (first..first + blocks).step_by(M) {
                let at = At { row, column, width };
                if width == N * lanes {
                    simd.vectorize(Block::<T, M, N>(self.reborrow(), at));
                } else {
                    simd.vectorize(Block::<T, M, 1>(self.reborrow(), at));
                }
            }
            for row in first + blocks..first + blocks + single {
                let at = At { row, column, width };
                if width == N * lanes {
                    simd.vectorize(Block::<T, 1, N>(self.reborrow(), at));
                } else {
                    simd.vectorize(Block::<T, 1, 1>(self.reborrow(), at));
                }
            }
            column += width;
        }
        first + blocks + single
    }

    #[inline(always)]
    fn reborrow(&mut self) -> Product<'_, T> {
        Product { out: self.out, ..*self }
    }
}

#[derive(Clone, Copy)]
struct At {
    row: usize,
    column: usize,
    /// Columns: `N` registers, or fewer than one.
    width: usize,
}

/// `M` rows and `N` registers of columns. A function of its own: within a large one the compiler spills.
struct Block<'a, T, const M: usize, const N: usize>(Product<'a, T>, At);

impl<T: Lanes, const M: usize, const N: usize> WithSimd for Block<'_, T, M, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self(Product { left, right, columns, base, out }, At { row, column, width }) = self;
        let lanes = T::count::<S>();
        let whole = width == N * lanes;
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let lines: [&[T]; M] = std::array::from_fn(|m| &left.values[(row + m) * left.down..]);
        for k in 0..left.inner {
            let line = &right[k * columns + column..][..width];
            let line: [T::Vector<S>; N] = if whole {
                std::array::from_fn(|n| T::load::<S>(&line[n * lanes..][..lanes]))
            } else {
                [few::<T, S>(line); N]
            };
            for m in 0..M {
                let factor = T::splat(simd, lines[m][k * left.along]);
                for n in 0..N {
                    sums[m][n] = T::fused(simd, factor, line[n], sums[m][n]);
                }
            }
        }
        for m in 0..M {
            let line = &mut out[(row + m) * columns + column..][..width];
            for (n, part) in line.chunks_mut(lanes).enumerate() {
                let sum = match base {
                    Base::Rows(base) => T::sum(simd, sums[m][n], T::splat(simd, base[row + m])),
                    Base::Present if whole => T::sum(simd, sums[m][n], T::load::<S>(part)),
                    Base::Present => T::sum(simd, sums[m][n], few::<T, S>(part)),
                };
                T::store::<S>(part, sum);
            }
        }
    }
}

/// A register of fewer numbers than it has lanes.
#[inline(always)]
pub(super) fn few<T: Lanes, S: Simd>(slice: &[T]) -> T::Vector<S> {
    let mut padded = [T::zero(); LONGEST];
    padded[..slice.len()].copy_from_slice(slice);
    T::load::<S>(&padded[..T::count::<S>()])
}

/// `out += left right^T`: sums over `lanes` numbers of each pair of rows, `out` by the rows of `left`.
pub(crate) fn outer<T: Lanes>(arch: Arch, left: &[T], right: &[T], lanes: usize, out: &mut [T]) {
    arch.dispatch(Outer { left, right, lanes, out });
}

struct Outer<'a, T> {
    left: &'a [T],
    right: &'a [T],
    lanes: usize,
    out: &'a mut [T],
}

impl<T: Lanes> WithSimd for Outer<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Self { left, right, lanes, out } = self;
        let (rows, columns) = (left.len() / lanes, right.len() / lanes);
        let mut row = 0;
        while row < rows {
            let m = if row + 4 <= rows { 4 } else { 1 };
            let mut column = 0;
            while column < columns {
                let n = if column + 4 <= columns { 4 } else { 1 };
                let pair = Pairs { left, right, lanes, at: (row, column), columns, out };
                match (m, n) {
                    (4, 4) => simd.vectorize(Sums::<T, 4, 4>(pair)),
                    (4, _) => simd.vectorize(Sums::<T, 4, 1>(pair)),
                    (_, 4) => simd.vectorize(Sums::<T, 1, 4>(pair)),
                    (_, _) => simd.vectorize(Sums::<T, 1, 1>(pair)),
                }
                column += n;
            }
            row += m;
        }
    }
}

struct Pairs<'a, T> {
    left: &'a [T],
    right: &'a [T],
    lanes: usize,
    at: (usize, usize),
    columns: usize,
    out: &'a mut [T],
}

struct Sums<'a, T, const M: usize, const N: usize>(Pairs<'a, T>);

impl<T: Lanes, const M: usize, const N: usize> WithSimd for Sums<'_, T, M, N> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Pairs { left, right, lanes, at: (row, column), columns, out } = self.0;
        let left: [&[T]; M] = std::array::from_fn(|m| &left[(row + m) * lanes..][..lanes]);
        let right: [&[T]; N] = std::array::from_fn(|n| &right[(column + n) * lanes..][..lanes]);
        let step = T::count::<S>();
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        let whole = lanes / step * step;
        for at in (0..lanes).step_by(step) {
            let part = at..lanes.min(at + step);
            let mut b = [T::splat(simd, T::zero()); N];
            for n in 0..N {
                let part = &right[n][part.clone()];
                b[n] = if at < whole { T::load::<S>(part) } else { few::<T, S>(part) };
            }
            for m in 0..M {
                let part = &left[m][part.clone()];
                let a = if at < whole { T::load::<S>(part) } else { few::<T, S>(part) };
                for n in 0..N {
                    sums[m][n] = T::fused(simd, a, b[n], sums[m][n]);
                }
            }
        }
        for m in 0..M {
            for n in 0..N {
                out[(row + m) * columns + column + n] += T::total(simd, sums[m][n]);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn numbers<T: Lanes>(n: usize) -> Vec<T> {
        (0..n).map(|i| T::narrow(((i * 37 + 11) % 23) as f64 - 11.0)).collect()
    }

    /// All shapes about the sizes of blocks, in small integers: sums are exact in any order.
    #[test]
    fn against_loops() {
        fn check<T: Lanes>() {
            let arch = Arch::new();
            let sizes = [1, 2, 4, 7, 8, 9, 13, 16, 17, 33, 70];
            for rows in sizes {
                for inner in [1, 3, 16, 19] {
                    for columns in sizes {
                        let (a, b) = (numbers::<T>(rows * inner), numbers::<T>(inner * columns));
                        let bias = numbers::<T>(rows);
                        let expected = |row: usize, column: usize, transposed: bool| {
                            let at = |k| if transposed { k * rows + row } else { row * inner + k };
                            (0..inner)
                                .fold(T::zero(), |s, k| s + a[at(k)] * b[k * columns + column])
                        };
                        let mut out = numbers::<T>(rows * columns);
                        let before = out.clone();
                        let straight = Left::new(&a, rows, inner);
                        product(arch, straight, &b, columns, Base::Present, &mut out);
                        for (i, found) in out.iter().enumerate() {
                            let exact = expected(i / columns, i % columns, false) + before[i];
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                        let back = Left::transposed(&a, rows, inner);
                        product(arch, back, &b, columns, Base::Rows(&bias), &mut out);
                        for (i, found) in out.iter().enumerate() {
                            let exact =
                                expected(i / columns, i % columns, true) + bias[i / columns];
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                        // Rows of `a` against rows of the same length.
                        let c = numbers::<T>(columns * inner);
                        let mut out = before.clone();
                        outer(arch, &a, &c, inner, &mut out);
                        for (i, found) in out.iter().enumerate() {
                            let (a, c) = (&a[i / columns * inner..], &c[i % columns * inner..]);
                            let exact = (0..inner).fold(before[i], |s, k| s + a[k] * c[k]);
                            assert_eq!(*found, exact, "{rows} {inner} {columns} {i}");
                        }
                    }
                }
            }
        }
        check::<f32>();
        check::<f64>();
    }
}
