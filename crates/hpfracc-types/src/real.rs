use num_traits::{FromPrimitive, NumAssign, Signed};
use std::fmt::{Debug, Display, LowerExp};

/// The scalar of samples and results: `f32` or `f64`. Sealed.
///
/// Weights are always computed in `f64` and rounded once, by [`Real::narrow`].
pub trait Real:
    sealed::Sealed
    + NumAssign
    + Signed
    + FromPrimitive
    + PartialOrd
    + Copy
    + Default
    + Debug
    + Display
    + LowerExp
    + Send
    + Sync
    + 'static
{
    /// `"f32"` or `"f64"`.
    const NAME: &'static str;

    /// Distance from 1 to the next larger number.
    const EPSILON: Self;

    /// NaN.
    const NAN: Self;

    /// The nearest value of this type; overflow gives an infinity.
    fn narrow(x: f64) -> Self;

    /// The same value in double precision, exactly.
    fn widen(self) -> f64;

    /// `self * a + b` with one rounding.
    ///
    /// Only where the code around it is compiled with fused multiply-add: elsewhere this is a
    /// library call, about 35 times slower than two roundings.
    fn mul_add(self, a: Self, b: Self) -> Self;
}

mod sealed {
    pub trait Sealed {}
    impl Sealed for f32 {}
    impl Sealed for f64 {}
}

impl Real for f64 {
    const NAME: &'static str = "f64";
    const EPSILON: Self = f64::EPSILON;
    const NAN: Self = f64::NAN;
    #[inline(always)]
    fn narrow(x: f64) -> Self {
        x
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        self
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        f64::mul_add(self, a, b)
    }
}

impl Real for f32 {
    const NAME: &'static str = "f32";
    const EPSILON: Self = f32::EPSILON;
    const NAN: Self = f32::NAN;
    #[inline(always)]
    fn narrow(x: f64) -> Self {
        x as f32
    }
    #[inline(always)]
    fn widen(self) -> f64 {
        f64::from(self)
    }
    #[inline(always)]
    fn mul_add(self, a: Self, b: Self) -> Self {
        f32::mul_add(self, a, b)
    }
}
