use super::OptimiserError;
use crate::Scalar;
use pulp::{Arch, Simd, WithSimd};

/// The first number that is NaN or infinite, and where it is.
pub(super) fn first_not_finite<T: Scalar>(arch: Arch, values: &[T]) -> Option<(usize, f64)> {
    if arch.dispatch(AllFinite(values, |x| x)) {
        return None;
    }
    let mut numbers = values.iter().map(|x| x.widen()).enumerate();
    numbers.find(|(_, x)| !x.is_finite())
}

/// An error that names the first gradient that is NaN or infinite.
pub(super) fn check<T: Scalar>(arch: Arch, gradient: &[T]) -> Result<(), OptimiserError> {
    match first_not_finite(arch, gradient) {
        None => Ok(()),
        Some((index, value)) => Err(OptimiserError::NotFinite { index, value }),
    }
}

/// As [`check`], and an error that names the first gradient whose square is infinite. Means of squares are
/// divided by what weights add up to, so that there is to be room for a rounding.
pub(super) fn check_squares<T: Scalar>(arch: Arch, gradient: &[T]) -> Result<(), OptimiserError> {
    let twice_square = |x: T| (x + x) * x;
    if arch.dispatch(AllFinite(gradient, twice_square)) {
        return Ok(());
    }
    check(arch, gradient)?;
    let too_large = |(_, g): &(usize, &T)| !twice_square(**g).widen().is_finite();
    gradient.iter().enumerate().find(too_large).map_or(Ok(()), |(index, g)| {
        Err(OptimiserError::Square { index, value: g.widen(), scalar: T::NAME })
    })
}

/// Whether a function of every number is finite.
struct AllFinite<'a, T, F>(&'a [T], F);

impl<T: Scalar, F: Fn(T) -> T> WithSimd for AllFinite<'_, T, F> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        let Self(values, of) = self;
        // x 0 is 0 for every finite x, else NaN, and a NaN stays in its sum.
        let mut sums = [T::zero(); 32];
        let parts = values.chunks_exact(32);
        let rest = parts.remainder().iter().fold(T::zero(), |sum, x| sum + of(*x) * T::zero());
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += of(*x) * T::zero());
        }
        sums.iter().fold(rest, |sum, x| sum + *x) == T::zero()
    }
}
