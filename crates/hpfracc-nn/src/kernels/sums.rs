use super::vectorised;
use crate::Scalar;
use hpfracc_lanes::product::{Base, Left, Right, product};
use hpfracc_types::Real;
use pulp::{Arch, Simd, WithSimd};

/// Adds the sum of each row of `lanes` numbers to `out`.
pub(crate) fn row_sums<T: Scalar>(arch: Arch, rows: &[T], lanes: usize, out: &mut [T]) {
    arch.dispatch(RowSums { rows, lanes, out });
}

struct RowSums<'a, T> {
    rows: &'a [T],
    lanes: usize,
    out: &'a mut [T],
}

impl<T: Scalar> WithSimd for RowSums<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let width = T::count::<S>();
        for (row, out) in self.rows.chunks_exact(self.lanes).zip(self.out) {
            let parts = row.chunks_exact(width);
            let rest = parts.remainder().iter().fold(T::zero(), |sum, x| sum + *x);
            let mut sum = T::splat(simd, T::zero());
            for part in parts {
                sum = T::sum(simd, sum, T::load::<S>(part));
            }
            *out += rest + T::total(simd, sum);
        }
    }
}

/// Sum of a function of all numbers in a fixed order: N partial sums, as in registers, then their
/// sum.
#[inline(always)]
pub(crate) fn total<const N: usize, T: Copy, U: Real>(values: &[T], of: impl Fn(T) -> U) -> U {
    let mut sums = [U::zero(); N];
    let parts = values.chunks_exact(N);
    let rest = parts.remainder().iter().fold(U::zero(), |sum, x| sum + of(*x));
    for part in parts {
        sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += of(*x));
    }
    sums.iter().fold(rest, |sum, x| sum + *x)
}

vectorised! {
    /// `x *= factor`
    pub(crate) fn scale<'a, T>(x: &'a mut [T], factor: T) {
        x.iter_mut().for_each(|x| *x *= factor);
    }
}

/// `y = base + left x`, where x and y have rows of `columns` numbers.
#[inline]
pub(crate) fn multiply<T: Scalar>(
    arch: Arch,
    left: Left<'_, T>,
    (x, columns): (&[T], usize),
    base: Base<'_, T>,
    y: &mut [T],
) {
    product(arch, left, Right::new(x, columns), base, y, columns);
}
