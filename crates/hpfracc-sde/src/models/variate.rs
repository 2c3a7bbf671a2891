use crate::noise::Gaussian;

/// A scalar that models are computed in. Sealed, as [`Gaussian`] is.
///
/// Square root and exponential are written for many lanes at a time, and without a library of the system:
/// the same numbers everywhere.
pub trait Variate: Gaussian {
    /// The square root of max(x, 0).
    #[doc(hidden)]
    fn root(self) -> Self;

    /// e^x within two roundings.
    #[doc(hidden)]
    fn exponential(self) -> Self;

    /// max(x, 0), and NaN of NaN, which the maximum would hide.
    #[doc(hidden)]
    #[inline(always)]
    fn positive_part(self) -> Self {
        if self < Self::zero() { Self::zero() } else { self }
    }
}

macro_rules! variate {
    ($t:ty, $bits:ty, $exponent:literal, $bias:literal, $shift:literal, $ln2:expr, $ends:expr, $terms:literal) => {
        impl Variate for $t {
            #[inline(always)]
            fn root(self) -> Self {
                self.positive_part().sqrt()
            }

            #[inline(always)]
            fn exponential(self) -> Self {
                // Beyond the ends the result is 0 or infinite. NaN passes both comparisons.
                let (low, high) = $ends;
                let x = if self < low { low } else { self };
                let x = if x > high { high } else { x };
                // x = k ln 2 + r; the sum with a number whose last bit is worth 1 rounds k.
                let shifted = x * std::f64::consts::LOG2_E as $t + $shift;
                let k = shifted - $shift;
                let (first, rest) = $ln2;
                let r = x - k * first - k * rest;
                let sum = TERMS[14 - $terms..].iter().fold(0.0, |sum, c| sum * r + *c as $t);
                // 2^k in two factors, because k may be below the least exponent or above the greatest.
                let k = shifted.to_bits().wrapping_sub(<$t>::to_bits($shift)) as $bits;
                let half = k >> 1;
                let power = |k: $bits| <$t>::from_bits(((k + $bias) << $exponent) as _);
                sum * power(half) * power(k - half)
            }
        }
    };
}

// ln 2 in two parts, of which the first has few bits.
variate!(f32, i32, 23, 127, 12_582_912.0, (0.693_359_4, -2.121_944_4e-4), (-104.0, 89.0), 8);
variate!(
    f64,
    i64,
    52,
    1023,
    6_755_399_441_055_744.0,
    (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10),
    (-746.0, 710.0),
    14
);

/// 1/k! from k = 13 to 0.
const TERMS: [f64; 14] = {
    let (mut terms, mut factorial, mut k) = ([1.0; 14], 1.0, 1);
    while k < 14 {
        factorial *= k as f64;
        terms[13 - k] = 1.0 / factorial;
        k += 1;
    }
    terms
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponentials_are_exact_to_two_roundings() {
        for j in -70_000..=70_000 {
            let x = f64::from(j) * 0.01;
            let error = (x.exponential() - x.exp()).abs() / x.exp();
            assert!(error < 2.0 * f64::EPSILON, "{x}: {error:e}");
            let x = (f64::from(j) * 0.001) as f32;
            let exact = f64::from(x).exp();
            let error = (f64::from(x.exponential()) - exact).abs() / exact;
            assert!(error < 2.0 * f64::from(f32::EPSILON), "{x}: {error:e}");
        }
    }

    #[test]
    fn what_is_out_of_range_is_said() {
        assert_eq!((1e4f64.exponential(), (-1e4f64).exponential()), (f64::INFINITY, 0.0));
        assert_eq!((90f32.exponential(), (-1e30f32).exponential()), (f32::INFINITY, 0.0));
        assert!(f64::NAN.exponential().is_nan() && f32::NAN.exponential().is_nan());
        assert!(f64::NAN.root().is_nan() && f32::NAN.positive_part().is_nan());
        assert_eq!(((-4.0f64).root(), 9f32.root()), (0.0, 3.0));
    }
}
