//! Products of small matrices, the heart of dense layers: no packing, no allocation.

use hpfracc_types::Real;
use pulp::Simd;

/// The left factor of a product: `rows x inner`, an element at `row * strides.0 + column * strides.1`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Left<'a, T> {
    pub(crate) values: &'a [T],
    pub(crate) rows: usize,
    pub(crate) inner: usize,
    pub(crate) strides: (usize, usize),
}

/// What the product is added to.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Base<'a, T> {
    Zero,
    /// What is there.
    Present,
    /// A number for each row.
    Rows(&'a [T]),
}

/// `out = base + left right`, with `right` of `inner` rows and `out` of `rows` rows, both `columns` long.
#[inline(always)]
pub(crate) fn product<T: Real, S: Simd>(
    _: S,
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    base: Base<'_, T>,
    out: &mut [T],
) {
    // Sums stay in registers: 32 of 64 bytes, or 16 of 32.
    match (size_of::<S::f32s>(), size_of::<T>()) {
        (64.., 4) => panels::<T, 8, 32>(left, right, columns, base, out),
        (64.., _) => panels::<T, 8, 16>(left, right, columns, base, out),
        (_, 4) => panels::<T, 4, 16>(left, right, columns, base, out),
        (_, _) => panels::<T, 4, 8>(left, right, columns, base, out),
    }
}

#[inline(always)]
fn panels<T: Real, const M: usize, const N: usize>(
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    base: Base<'_, T>,
    out: &mut [T],
) {
    let mut column = 0;
    while column + N <= columns {
        strips::<T, M, N>(left, right, (column, columns), base, out);
        column += N;
    }
    while column + 8 <= columns {
        strips::<T, M, 8>(left, right, (column, columns), base, out);
        column += 8;
    }
    while column < columns {
        strips::<T, M, 1>(left, right, (column, columns), base, out);
        column += 1;
    }
}

#[inline(always)]
fn strips<T: Real, const M: usize, const N: usize>(
    left: Left<'_, T>,
    right: &[T],
    at: (usize, usize),
    base: Base<'_, T>,
    out: &mut [T],
) {
    let mut row = 0;
    while row + M <= left.rows {
        block::<T, M, N>(left, row, right, at, base, out);
        row += M;
    }
    while row + 4 <= left.rows {
        block::<T, 4, N>(left, row, right, at, base, out);
        row += 4;
    }
    while row < left.rows {
        block::<T, 1, N>(left, row, right, at, base, out);
        row += 1;
    }
}

/// `M` rows and `N` columns of the product.
#[inline(always)]
fn block<T: Real, const M: usize, const N: usize>(
    left: Left<'_, T>,
    row: usize,
    right: &[T],
    (column, columns): (usize, usize),
    base: Base<'_, T>,
    out: &mut [T],
) {
    let mut sums = [[T::zero(); N]; M];
    let (down, along) = left.strides;
    // One slice for each row: the compiler checks bounds once.
    for k in 0..left.inner {
        let line: &[T; N] = match right[k * columns + column..][..N].try_into() {
            Ok(line) => line,
            Err(_) => return,
        };
        for m in 0..M {
            let factor = left.values[(row + m) * down + k * along];
            for n in 0..N {
                sums[m][n] = factor.mul_add(line[n], sums[m][n]);
            }
        }
    }
    for m in 0..M {
        let line = &mut out[(row + m) * columns + column..][..N];
        match base {
            Base::Zero => line.copy_from_slice(&sums[m]),
            Base::Present => line.iter_mut().zip(&sums[m]).for_each(|(out, sum)| *out += *sum),
            Base::Rows(base) => {
                let base = base[row + m];
                line.iter_mut().zip(&sums[m]).for_each(|(out, sum)| *out = base + *sum);
            }
        }
    }
}

/// Explicit registers.
pub(crate) struct Block<'a, const M: usize, const N: usize> {
    pub(crate) left: Left<'a, f32>,
    pub(crate) row: usize,
    pub(crate) right: &'a [f32],
    pub(crate) at: (usize, usize),
    pub(crate) out: &'a mut [f32],
}
impl<const M: usize, const N: usize> pulp::WithSimd for Block<'_, M, N> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let Block { left, row, right, at: (column, columns), out } = self;
        let lanes = S::F32_LANES;
        let mut sums = [[simd.splat_f32s(0.0); N]; M];
        let (down, along) = left.strides;
        let rows: [&[f32]; M] = std::array::from_fn(|m| {
            &left.values[(row + m) * down..][..(left.inner - 1) * along + 1]
        });
        let width = N * lanes;
        for k in 0..left.inner {
            let line = &right[k * columns + column..][..width];
            let (line, _) = S::as_simd_f32s(line);
            let line: &[S::f32s; N] = line.try_into().unwrap();
            for m in 0..M {
                let factor = simd.splat_f32s(rows[m][k * along]);
                for n in 0..N {
                    sums[m][n] = simd.mul_add_f32s(factor, line[n], sums[m][n]);
                }
            }
        }
        for m in 0..M {
            let line = &mut out[(row + m) * columns + column..][..width];
            let (line, _) = S::as_mut_simd_f32s(line);
            for n in 0..N {
                line[n] = sums[m][n];
            }
        }
    }
}
#[inline(always)]
pub(crate) fn explicit<S: Simd, const M: usize, const N: usize>(
    simd: S,
    left: Left<'_, f32>,
    right: &[f32],
    columns: usize,
    out: &mut [f32],
) {
    let mut column = 0;
    while column + N * S::F32_LANES <= columns {
        let mut row = 0;
        while row + M <= left.rows {
            simd.vectorize(Block::<M, N> { left, row, right, at: (column, columns), out });
            row += M;
        }
        while row < left.rows {
            simd.vectorize(Block::<1, N> { left, row, right, at: (column, columns), out });
            row += 1;
        }
        column += N * S::F32_LANES;
    }
}

pub(crate) struct Auto<'a, T, const M: usize, const N: usize>(
    pub(crate) Left<'a, T>,
    pub(crate) usize,
    pub(crate) &'a [T],
    pub(crate) (usize, usize),
    pub(crate) &'a mut [T],
);
impl<T: Real, const M: usize, const N: usize> pulp::WithSimd for Auto<'_, T, M, N> {
    type Output = ();
    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Auto(left, row, right, (column, columns), out) = self;
        let mut sums = [[T::zero(); N]; M];
        let (down, along) = left.strides;
        let rows: [&[T]; M] = std::array::from_fn(|m| {
            &left.values[(row + m) * down..][..(left.inner - 1) * along + 1]
        });
        for k in 0..left.inner {
            let line: &[T; N] = right[k * columns + column..][..N].try_into().unwrap();
            for m in 0..M {
                let factor = rows[m][k * along];
                for n in 0..N {
                    sums[m][n] = factor.mul_add(line[n], sums[m][n]);
                }
            }
        }
        for m in 0..M {
            out[(row + m) * columns + column..][..N].copy_from_slice(&sums[m]);
        }
    }
}
#[inline(always)]
pub(crate) fn auto<S: Simd, T: Real, const M: usize, const N: usize>(
    simd: S,
    left: Left<'_, T>,
    right: &[T],
    columns: usize,
    out: &mut [T],
) {
    let mut column = 0;
    while column + N <= columns {
        let mut row = 0;
        while row + M <= left.rows {
            simd.vectorize(Auto::<T, M, N>(left, row, right, (column, columns), out));
            row += M;
        }
        while row < left.rows {
            simd.vectorize(Auto::<T, 1, N>(left, row, right, (column, columns), out));
            row += 1;
        }
        column += N;
    }
}
