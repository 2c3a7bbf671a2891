use super::OptimiserError;
use crate::Scalar;
use pulp::{Arch, Simd, WithSimd};

/// The first number that is NaN or infinite, and where it is.
pub(super) fn first_not_finite<T: Scalar>(arch: Arch, values: &[T]) -> Option<(usize, f64)> {
    if arch.dispatch(AllFinite(values)) {
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

struct AllFinite<'a, T>(&'a [T]);

impl<T: Scalar> WithSimd for AllFinite<'_, T> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        // x - x is 0 for every finite x, else NaN, and a NaN stays in its sum.
        let mut sums = [T::zero(); 32];
        let parts = self.0.chunks_exact(32);
        let rest = parts.remainder().iter().fold(T::zero(), |sum, x| sum + (*x - *x));
        for part in parts {
            sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += *x - *x);
        }
        sums.iter().fold(rest, |sum, x| sum + *x) == T::zero()
    }
}
