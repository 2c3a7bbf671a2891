//! Real and complex values of fields.

use num_complex::Complex64;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// A real or complex number.
pub(crate) trait Value:
    Copy
    + Default
    + Send
    + Sync
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + 'static
{
    /// Number of values that one complex number holds: two real, or one complex.
    const PER_COMPLEX: usize;

    /// A complex number of up to [`PER_COMPLEX`](Self::PER_COMPLEX) values.
    fn join(values: &[Self]) -> Complex64;

    /// The values of a complex number.
    fn split(z: Complex64, values: &mut [Self]);

    /// The same number, if the imaginary part is 0.
    fn from_real(x: f64) -> Self;

    /// The product with a real number.
    fn scale(self, factor: f64) -> Self;

    /// The square of the absolute value.
    fn norm_sqr(self) -> f64;
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

    fn from_real(x: f64) -> Self {
        x
    }

    fn scale(self, factor: f64) -> Self {
        self * factor
    }

    fn norm_sqr(self) -> f64 {
        self * self
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

    fn from_real(x: f64) -> Self {
        x.into()
    }

    fn scale(self, factor: f64) -> Self {
        self * factor
    }

    fn norm_sqr(self) -> f64 {
        Complex64::norm_sqr(&self)
    }
}
