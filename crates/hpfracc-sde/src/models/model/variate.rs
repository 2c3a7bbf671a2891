use crate::noise::Gaussian;
use hpfracc_lanes::Elementary;
use hpfracc_lanes::unfused::{Unfused, exp};

/// A scalar that models are computed in. Sealed, as [`Gaussian`] is.
///
/// Square root and exponential are written for many lanes at a time, and without a library of the
/// system: the same numbers everywhere.
pub trait Variate: Gaussian + Unfused + Elementary {
    /// The square root of max(x, 0).
    #[doc(hidden)]
    #[inline(always)]
    fn positive_root(self) -> Self {
        Elementary::sqrt(self.positive_part())
    }

    /// e^x within two roundings.
    #[doc(hidden)]
    #[inline(always)]
    fn exponential(self) -> Self {
        exp(self)
    }

    /// max(x, 0), and NaN of NaN, which the maximum would hide.
    #[doc(hidden)]
    #[inline(always)]
    fn positive_part(self) -> Self {
        if self < Self::zero() { Self::zero() } else { self }
    }
}

impl<T: Gaussian + Unfused + Elementary> Variate for T {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_out_of_range_is_said() {
        assert_eq!((1e4f64.exponential(), (-1e4f64).exponential()), (f64::INFINITY, 0.0));
        assert_eq!((90f32.exponential(), (-1e30f32).exponential()), (f32::INFINITY, 0.0));
        assert!(f64::NAN.exponential().is_nan() && f32::NAN.exponential().is_nan());
        assert!(f64::NAN.positive_root().is_nan() && f32::NAN.positive_part().is_nan());
        assert_eq!(((-4.0f64).positive_root(), 9f32.positive_root()), (0.0, 3.0));
    }
}
