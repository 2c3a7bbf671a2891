use super::OptimiserError;
use crate::Scalar;
use crate::kernels::{all_finite, first_not_finite};

/// Error for the first gradient that is NaN or infinite.
pub(super) fn check<T: Scalar>(gradient: &[T]) -> Result<(), OptimiserError> {
    match first_not_finite(gradient) {
        None => Ok(()),
        Some((index, value)) => Err(OptimiserError::NotFinite { index, value }),
    }
}

/// As [`check`], and error for the first gradient whose square overflows, with a margin of 2: mean
/// squares are divided by the sum of their weights, which rounds.
pub(super) fn check_squares<T: Scalar>(gradient: &[T]) -> Result<(), OptimiserError> {
    let twice_square = |x: T| (x + x) * x;
    if all_finite(gradient, twice_square) {
        return Ok(());
    }
    check(gradient)?;
    let too_large = |(_, g): &(usize, &T)| !twice_square(**g).widen().is_finite();
    gradient.iter().enumerate().find(too_large).map_or(Ok(()), |(index, g)| {
        Err(OptimiserError::Square { index, value: g.widen(), scalar: T::NAME })
    })
}
