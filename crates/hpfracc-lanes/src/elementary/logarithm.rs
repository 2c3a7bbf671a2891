use super::format::{Format, polynomial};
use super::polynomials::{LN_32, LN_64, POWER_64};

/// The logarithm of a number in two parts, as [`Format::fraction_and_exponent`] gives them.
pub(super) trait Logarithm: Format {
    /// Polynomial of [`ln_parts`](Self::ln_parts).
    const LN: &'static [Self];

    /// Polynomial of the logarithms of powers; empty in a format whose powers are computed in the next one.
    const POWER: &'static [Self];

    /// `ln((1 + f) 2^e)`
    fn ln_parts(f: Self, e: Self) -> Self;
}

impl Logarithm for f32 {
    const LN: &'static [Self] = &LN_32;
    const POWER: &'static [Self] = &[];

    #[inline(always)]
    fn ln_parts(f: Self, e: Self) -> Self {
        let square = f * f;
        let cubic = (square * f).mul_add(polynomial(f, &LN_32), e * Self::LN_2.1);
        e.mul_add(Self::LN_2.0, square.mul_add(-0.5, cubic) + f)
    }
}

impl Logarithm for f64 {
    const LN: &'static [Self] = &LN_64;
    const POWER: &'static [Self] = &POWER_64;

    #[inline(always)]
    fn ln_parts(f: Self, e: Self) -> Self {
        // f - (f^2/2 - s (f^2/2 + s^2 p(s^2))) is 2s + s^3 p(s^2), with a smaller rounding error.
        let s = f / (2.0 + f);
        let square = s * s;
        let half_square = 0.5 * f * f;
        let rest = square.mul_add(polynomial(square, &LN_64), half_square);
        let small = s.mul_add(rest, e * Self::LN_2.1);
        e.mul_add(Self::LN_2.0, f - (half_square - small))
    }
}

#[inline(always)]
pub(super) fn ln<T: Logarithm>(x: T) -> T {
    let subnormal = x < T::MIN_POSITIVE;
    let (f, e) = (if subnormal { x * T::LIFT.0 } else { x }).fraction_and_exponent();
    let value = T::ln_parts(f, if subnormal { e - T::LIFT.1 } else { e });
    let value = if x == T::zero() { -T::INFINITY } else { value };
    // Negative numbers, NaN and infinity.
    let value = if x >= T::zero() { value } else { T::NAN };
    if x == T::INFINITY { x } else { value }
}

#[inline(always)]
pub(super) fn ln_1p<T: Logarithm>(x: T) -> T {
    let one = T::one();
    let u = one + x;
    // What u has lost of 1 + x, divided by u, is what ln(u) lacks.
    let lost = if x < one { x - (u - one) } else { one - (u - x) };
    let (f, e) = u.fraction_and_exponent();
    let near = e == T::zero();
    let value = T::ln_parts(if near { x } else { f }, e);
    let value = if near { value } else { value + lost / u };
    let value = if x == -one { -T::INFINITY } else { value };
    let value = if x >= -one { value } else { T::NAN };
    (if x == T::INFINITY { x } else { value }).with_sign_of(x)
}
