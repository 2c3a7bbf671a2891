use super::{total, vectorised};
use crate::Scalar;

/// Index and value of the first number that is NaN or infinite.
pub(crate) fn first_not_finite<T: Scalar>(values: &[T]) -> Option<(usize, f64)> {
    if all_finite(values, |x| x) {
        return None;
    }
    let mut numbers = values.iter().map(|x| x.widen()).enumerate();
    numbers.find(|(_, x)| !x.is_finite())
}

vectorised! {
    /// True if a function of every number is finite.
    pub(crate) fn all_finite<'a, T, F: Fn(T) -> T>(values: &'a [T], of: F) -> bool {
        // x 0 is 0 for every finite x, else NaN, and a NaN stays in its sum.
        total::<32, _, _>(values, |x| of(x) * T::zero()) == T::zero()
    }
}
