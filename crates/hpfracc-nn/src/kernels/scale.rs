use crate::Scalar;
use pulp::{Simd, WithSimd};

/// `x *= factor`
pub(crate) struct Scale<'a, T>(pub(crate) &'a mut [T], pub(crate) T);

impl<T: Scalar> WithSimd for Scale<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.0.iter_mut().for_each(|x| *x *= self.1);
    }
}
