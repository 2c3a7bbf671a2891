use num_complex::Complex64;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Real or complex number, `f64` and `Complex64`, of [`Gmres`](crate::Gmres) and
/// [`reductions`](crate::reductions).
pub trait Scalar:
    sealed::Sealed
    + Copy
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
    /// Complex conjugate.
    fn conj(self) -> Self;

    /// Square of the absolute value.
    fn norm_sqr(self) -> f64;

    /// Product with a real number.
    fn scale(self, factor: f64) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f64 {}
    impl Sealed for num_complex::Complex64 {}
}

impl Scalar for f64 {
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
