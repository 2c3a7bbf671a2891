use super::operands::{Base, Left};
use crate::{LONGEST, Lanes};
use pulp::{Arch, Simd, WithSimd};
use std::ops::Range;

/// A right factor by rows, each readable up to the end of the register that has its last column.
#[derive(Clone, Copy)]
pub(super) struct Matrix<'a, T> {
    pub(super) values: &'a [T],
    pub(super) columns: usize,
    /// Distance from one row to the next.
    pub(super) step: usize,
}

/// `out = base + left right` in blocks that stay in registers.
pub(super) struct Product<'a, T, R> {
    pub(super) left: Left<'a, T>,
    pub(super) right: R,
    pub(super) base: Base<'a, T>,
    pub(super) out: &'a mut [T],
    pub(super) stride: usize,
}

impl<T: Lanes> Product<'_, T, Matrix<'_, T>> {
    pub(super) fn compute(mut self, arch: Arch) {
        let mut row = 0;
        // The registers that the factors leave hold sums.
        if wide::<T>(arch) {
            row = self.rows::<8, 2>(arch, row);
            row = self.rows::<4, 4>(arch, row);
            self.rows::<1, 4>(arch, row);
        } else {
            row = self.rows::<4, 2>(arch, row);
            self.rows::<1, 2>(arch, row);
        }
    }

    /// All whole blocks of `M` rows from `first` on; returns the first row after them.
    fn rows<const M: usize, const N: usize>(&mut self, arch: Arch, first: usize) -> usize {
        let end = first + (self.left.rows - first) / M * M;
        if end > first {
            let lanes = lanes::<T>(arch);
            let columns = self.right.columns.next_multiple_of(lanes);
            let whole = (columns / (N * lanes) * (N * lanes)).min(self.right.columns);
            self.blocks::<M, N>(arch, first..end, 0..whole);
            self.blocks::<M, 1>(arch, first..end, whole..self.right.columns);
        }
        end
    }

    fn blocks<const M: usize, const N: usize>(
        &mut self,
        arch: Arch,
        rows: Range<usize>,
        columns: Range<usize>,
    ) {
        if columns.is_empty() {
            return;
        }
        let product = Product { out: self.out, ..*self };
        match self.left {
            Left { along: 1, .. } => {
                arch.dispatch(Blocks::<T, M, N, BY_ROWS> { product, rows, columns });
            }
            Left { down: 1, .. } => {
                arch.dispatch(Blocks::<T, M, N, TRANSPOSED> { product, rows, columns });
            }
            _ => arch.dispatch(Blocks::<T, M, N, STRIDED> { product, rows, columns }),
        }
    }
}

/// The rows of the left factor are slices.
const BY_ROWS: u8 = 0;
/// The columns of the left factor are slices.
const TRANSPOSED: u8 = 1;
/// Neither rows nor columns are slices.
const STRIDED: u8 = 2;

/// Blocks of `M` rows and `N` registers of columns. Each kind is a function of its own with one
/// loop: in a larger function the compiler spills the sums.
struct Blocks<'a, T, const M: usize, const N: usize, const LEFT: u8> {
    product: Product<'a, T, Matrix<'a, T>>,
    rows: Range<usize>,
    columns: Range<usize>,
}

#[derive(Clone, Copy)]
struct At {
    row: usize,
    column: usize,
    /// Columns: at most `N` registers.
    width: usize,
}

impl<T: Lanes, const M: usize, const N: usize, const LEFT: u8> WithSimd
    for Blocks<'_, T, M, N, LEFT>
{
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(mut self, simd: S) {
        let most = N * T::count::<S>();
        for column in self.columns.clone().step_by(most) {
            let width = most.min(self.columns.end - column);
            for row in self.rows.clone().step_by(M) {
                self.block(simd, At { row, column, width });
            }
        }
    }
}

impl<T: Lanes, const M: usize, const N: usize, const LEFT: u8> Blocks<'_, T, M, N, LEFT> {
    #[inline(always)]
    fn block<S: Simd>(&mut self, simd: S, at: At) {
        let Product { left, right, base, .. } = self.product;
        let At { row, column, width } = at;
        let mut sums = [[T::splat(simd, T::zero()); N]; M];
        // Slices of one length, or one slice, so that bounds are checked outside the loop or once.
        let line = N * T::count::<S>();
        if LEFT == BY_ROWS {
            let rows: [&[T]; M] =
                std::array::from_fn(|m| &left.values[(row + m) * left.down..][..left.inner]);
            for k in 0..left.inner {
                let line = &right.values[k * right.step + column..][..line];
                add(simd, std::array::from_fn(|m| rows[m][k]), line, &mut sums);
            }
        } else if LEFT == TRANSPOSED {
            for k in 0..left.inner {
                let factors = &left.values[row + k * left.along..][..M];
                let line = &right.values[k * right.step + column..][..line];
                add(simd, std::array::from_fn(|m| factors[m]), line, &mut sums);
            }
        } else {
            let last = (M - 1) * left.down;
            for k in 0..left.inner {
                let factors = &left.values[row * left.down + k * left.along..][..=last];
                let line = &right.values[k * right.step + column..][..line];
                add(simd, std::array::from_fn(|m| factors[m * left.down]), line, &mut sums);
            }
        }
        for m in 0..M {
            let line = &mut self.product.out[(row + m) * self.product.stride + column..][..width];
            for (n, part) in line.chunks_mut(T::count::<S>()).enumerate() {
                let sum = match base {
                    Base::Rows(base) => T::sum(simd, sums[m][n], T::splat(simd, base[row + m])),
                    Base::Present if part.len() == T::count::<S>() => {
                        T::sum(simd, sums[m][n], T::load::<S>(part))
                    }
                    Base::Present => T::sum(simd, sums[m][n], few::<T, S>(part)),
                };
                T::store::<S>(part, sum);
            }
        }
    }
}

/// `sums += factors line`
#[inline(always)]
fn add<T: Lanes, S: Simd, const M: usize, const N: usize>(
    simd: S,
    factors: [T; M],
    line: &[T],
    sums: &mut [[T::Vector<S>; N]; M],
) {
    let line: [T::Vector<S>; N] = std::array::from_fn(|n| T::registers::<S>(line).0[n]);
    for m in 0..M {
        let factor = T::splat(simd, factors[m]);
        for n in 0..N {
            sums[m][n] = T::fused(simd, factor, line[n], sums[m][n]);
        }
    }
}

/// A register of fewer numbers than it has lanes.
#[inline(always)]
pub(crate) fn few<T: Lanes, S: Simd>(slice: &[T]) -> T::Vector<S> {
    let mut padded = [T::zero(); LONGEST];
    padded[..slice.len()].copy_from_slice(slice);
    T::load::<S>(&padded[..T::count::<S>()])
}

/// Scalars in a register.
pub(super) fn lanes<T: Lanes>(arch: Arch) -> usize {
    struct Count<T>(std::marker::PhantomData<T>);

    impl<T: Lanes> WithSimd for Count<T> {
        type Output = usize;

        #[inline(always)]
        fn with_simd<S: Simd>(self, _: S) -> usize {
            T::count::<S>()
        }
    }
    arch.dispatch(Count::<T>(std::marker::PhantomData))
}

/// Whether there are 32 registers: with AVX-512, and on aarch64.
fn wide<T: Lanes>(arch: Arch) -> bool {
    lanes::<T>(arch) * size_of::<T>() == 64 || cfg!(target_arch = "aarch64")
}
