//! Real and complex values of fields as complex lines.

use crate::scalar::Scalar;
use num_complex::Complex64;

/// A real or complex number, two or one to a complex number of a transform.
pub(crate) trait Value: Scalar {
    /// Number of values that one complex number holds: two real, or one complex.
    const PER_COMPLEX: usize;

    /// A complex number of up to [`PER_COMPLEX`](Self::PER_COMPLEX) values.
    fn join(values: &[Self]) -> Complex64;

    /// The values of a complex number.
    fn split(z: Complex64, values: &mut [Self]);
}

impl Value for f64 {
    const PER_COMPLEX: usize = 2;

    #[inline]
    fn join(values: &[Self]) -> Complex64 {
        Complex64::new(values[0], values.get(1).copied().unwrap_or_default())
    }

    #[inline]
    fn split(z: Complex64, values: &mut [Self]) {
        values[0] = z.re;
        if let Some(second) = values.get_mut(1) {
            *second = z.im;
        }
    }
}

impl Value for Complex64 {
    const PER_COMPLEX: usize = 1;

    #[inline]
    fn join(values: &[Self]) -> Complex64 {
        values[0]
    }

    #[inline]
    fn split(z: Complex64, values: &mut [Self]) {
        values[0] = z;
    }
}
