use num_complex::Complex64;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Real or complex number.
pub(crate) trait Scalar:
    Copy
    + Default
    + PartialEq
    + Send
    + Sync
    + From<f64>
    + Into<Complex64>
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
    + Sum
    + 'static
{
    /// A shift as a number of this type; the real part for real numbers.
    fn of_shift(z: Complex64) -> Self;

    fn conj(self) -> Self;

    /// The square of the absolute value.
    fn norm_sqr(self) -> f64;

    /// The product with a real number.
    fn scale(self, factor: f64) -> Self;
}

impl Scalar for f64 {
    fn of_shift(z: Complex64) -> Self {
        z.re
    }

    fn conj(self) -> Self {
        self
    }

    fn norm_sqr(self) -> f64 {
        self * self
    }

    fn scale(self, factor: f64) -> Self {
        self * factor
    }
}

impl Scalar for Complex64 {
    fn of_shift(z: Complex64) -> Self {
        z
    }

    fn conj(self) -> Self {
        Complex64::conj(&self)
    }

    fn norm_sqr(self) -> f64 {
        Complex64::norm_sqr(&self)
    }

    fn scale(self, factor: f64) -> Self {
        self * factor
    }
}
