use super::polynomials::Polynomials;
use hpfracc_types::Real;

/// Constants, polynomials and operations on bits that the functions need of a floating-point
/// format.
///
/// Coefficients are in ascending powers; their meaning stands in `polynomials.rs`.
pub trait Format: Real + Polynomials {
    /// Added to a number and subtracted again, it rounds the number to an integer, which the lowest
    /// bits of the sum hold: 3/2 of the power of two whose last bit is worth 1.
    const ROUND: Self;
    /// 1/ln 2
    const LOG2_E: Self;
    /// ln 2 in two parts, the first of few bits.
    const LN_2: (Self, Self);
    /// 2/pi
    const TWO_OVER_PI: Self;
    /// pi/2 in three parts of full length, the first rounded to nearest, and so on.
    const HALF_PI: [Self; 3];
    /// Smallest normal number.
    const MIN_POSITIVE: Self;
    /// A power of two that makes every subnormal number normal, and its exponent.
    const LIFT: (Self, Self);
    /// Infinity.
    const INFINITY: Self;
    /// exp(x) is at least twice the smallest normal number above the first number, and rounds to 0
    /// at the second.
    const EXP_LOW: (Self, Self);
    /// A number whose exponential is infinite, but without a larger power of two than any finite
    /// one.
    const EXP_HIGH: Self;
    /// Largest x with a finite cosh(x).
    const COSH_HIGH: Self;
    /// tanh(x) is 1 to rounding from here on.
    const TANH_HIGH: Self;
    /// Angles below are reduced without a branch.
    const ANGLE_BOUND: Self;

    /// |x|
    fn magnitude(self) -> Self;

    /// |x| with a sign.
    fn with_sign_of(self, sign: Self) -> Self;

    /// -x where the condition holds.
    fn negated_if(self, condition: bool) -> Self;

    /// Whether the sign bit is set.
    fn has_sign(self) -> bool;

    /// x rounded towards 0.
    fn integer_part(self) -> Self;

    /// The largest integer that is not above x.
    fn rounded_down(self) -> Self;

    /// The square root, correctly rounded.
    fn root(self) -> Self;

    /// `2^(n + shift)` of [`ROUND`](Self::ROUND)` + n`, where that is a normal number.
    fn power_of_two(rounded: Self, shift: i32) -> Self;

    /// The two lowest bits of n of [`ROUND`](Self::ROUND)` + n`: whether each is set.
    fn lowest_bits(rounded: Self) -> (bool, bool);

    /// `(f, e)` with `x = (1 + f) 2^e` and `sqrt(1/2) <= 1 + f < sqrt(2)`, for positive normal x.
    fn fraction_and_exponent(self) -> (Self, Self);
}

/// `c_0 + x (c_1 + x (c_2 + ...))`
#[inline(always)]
pub(super) fn polynomial<T: Real>(x: T, coefficients: &[T]) -> T {
    let Some((&last, others)) = coefficients.split_last() else { return T::zero() };
    others.iter().rev().fold(last, |sum, &c| sum.mul_add(x, c))
}

macro_rules! bits {
    ($bits:ty, $mantissa:literal, $bias:literal, $sqrt_half:literal) => {
        #[inline(always)]
        fn magnitude(self) -> Self {
            self.abs()
        }

        #[inline(always)]
        fn with_sign_of(self, sign: Self) -> Self {
            self.copysign(sign)
        }

        #[inline(always)]
        fn negated_if(self, condition: bool) -> Self {
            Self::from_bits(self.to_bits() ^ (<$bits>::from(condition) << (<$bits>::BITS - 1)))
        }

        #[inline(always)]
        fn has_sign(self) -> bool {
            self.is_sign_negative()
        }

        #[inline(always)]
        fn integer_part(self) -> Self {
            self.trunc()
        }

        #[inline(always)]
        fn rounded_down(self) -> Self {
            self.floor()
        }

        #[inline(always)]
        fn root(self) -> Self {
            self.sqrt()
        }

        #[inline(always)]
        fn power_of_two(rounded: Self, shift: i32) -> Self {
            let biased = rounded.to_bits().wrapping_add(($bias + shift) as $bits);
            Self::from_bits(biased << $mantissa)
        }

        #[inline(always)]
        fn lowest_bits(rounded: Self) -> (bool, bool) {
            let n = rounded.to_bits();
            (n & 1 != 0, n & 2 != 0)
        }

        #[inline(always)]
        fn fraction_and_exponent(self) -> (Self, Self) {
            // Exponents stay positive with the bias, so that no arithmetic shift is needed, which
            // AVX2 lacks for 64 bits. With the bits of 2^mantissa an integer becomes a number.
            let two_to_mantissa = 1.0 / Self::EPSILON;
            let shifted = self.to_bits().wrapping_sub($sqrt_half).wrapping_add($bias << $mantissa);
            let biased = (shifted >> $mantissa) | two_to_mantissa.to_bits();
            let e = Self::from_bits(biased) - (two_to_mantissa + $bias as Self);
            let mantissa = shifted & ((1 << $mantissa) - 1);
            (Self::from_bits(mantissa + $sqrt_half) - 1.0, e)
        }
    };
}

impl Format for f32 {
    const ROUND: Self = 12_582_912.0;
    const LOG2_E: Self = std::f32::consts::LOG2_E;
    const LN_2: (Self, Self) = (0.693_359_4, -2.121_944_4e-4);
    const TWO_OVER_PI: Self = std::f32::consts::FRAC_2_PI;
    const HALF_PI: [Self; 3] = [1.570_796_4, -4.371_139e-8, -1.715_124_5e-15];
    const MIN_POSITIVE: Self = f32::MIN_POSITIVE;
    const LIFT: (Self, Self) = (16_777_216.0, 24.0);
    const INFINITY: Self = f32::INFINITY;
    const EXP_LOW: (Self, Self) = (-86.0, -104.0);
    const EXP_HIGH: Self = 89.0;
    const COSH_HIGH: Self = 89.415_985;
    const TANH_HIGH: Self = 9.5;
    const ANGLE_BOUND: Self = 1e5;

    bits!(u32, 23, 127, 0x3f35_04f3);
}

impl Format for f64 {
    const ROUND: Self = 6_755_399_441_055_744.0;
    const LOG2_E: Self = std::f64::consts::LOG2_E;
    const LN_2: (Self, Self) = (0.693_147_180_369_123_8, 1.908_214_929_270_587_7e-10);
    const TWO_OVER_PI: Self = std::f64::consts::FRAC_2_PI;
    const HALF_PI: [Self; 3] =
        [std::f64::consts::FRAC_PI_2, 6.123_233_995_736_766e-17, -1.497_384_904_859_169_8e-33];
    const MIN_POSITIVE: Self = f64::MIN_POSITIVE;
    const LIFT: (Self, Self) = (18_014_398_509_481_984.0, 54.0);
    const INFINITY: Self = f64::INFINITY;
    const EXP_LOW: (Self, Self) = (-707.0, -746.0);
    const EXP_HIGH: Self = 710.0;
    const COSH_HIGH: Self = 710.475_860_073_943_9;
    const TANH_HIGH: Self = 19.5;
    const ANGLE_BOUND: Self = 1e9;

    bits!(u64, 52, 1023, 0x3fe6_a09e_667f_3bcd);
}
