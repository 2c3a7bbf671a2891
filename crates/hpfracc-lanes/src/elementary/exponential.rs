use super::format::{Format, polynomial};

/// `exp(x) = 2^n (1 + rest)` with |rest| < 0.42, and n as [`Format::ROUND`]` + n`.
#[inline(always)]
pub(super) fn split<T: Format>(x: T) -> (T, T) {
    let (rounded, n, high) = reduce(x);
    let r = n.mul_add(T::LN_2.1, high);
    (rounded, (r * r).mul_add(polynomial(r, T::EXP), r))
}

/// `x = n ln 2 + r` with |r| <= ln(2)/2: [`Format::ROUND`]` + n`, -n, and the exact sum of x and
/// the first part of -n ln 2.
#[inline(always)]
pub(super) fn reduce<T: Format>(x: T) -> (T, T, T) {
    let rounded = x.mul_add(T::LOG2_E, T::ROUND);
    let n = T::ROUND - rounded;
    (rounded, n, n.mul_add(T::LN_2.0, x))
}

/// x between numbers whose exponentials are 0 and infinite.
#[inline(always)]
pub(super) fn limited<T: Format>(x: T) -> T {
    let x = if x < T::EXP_LOW.1 { T::EXP_LOW.1 } else { x };
    if x > T::EXP_HIGH { T::EXP_HIGH } else { x }
}

#[inline(always)]
pub(super) fn exp<T: Format>(x: T) -> T {
    let x = limited(x);
    let (rounded, rest) = split(x);
    scaled(x, rounded, T::one() + rest)
}

/// `factor 2^n`, which is exp(x). The power is taken in two parts because there is none for n =
/// 1024. Subnormal results are computed 2^64 times larger, so that they are rounded once.
#[inline(always)]
pub(super) fn scaled<T: Format>(x: T, rounded: T, factor: T) -> T {
    let subnormal = x < T::EXP_LOW.0;
    let power = T::power_of_two(rounded, if subnormal { 63 } else { -1 });
    power * factor * T::narrow(if subnormal { 2f64.powi(-63) } else { 2.0 })
}

/// exp(x) of x <= 0, without subnormal numbers: 0 below twice the smallest normal number.
#[inline(always)]
pub(super) fn decay<T: Format>(x: T) -> T {
    let (rounded, rest) = split(x);
    let value = T::power_of_two(rounded, 0) * (T::one() + rest);
    if x < T::EXP_LOW.0 { T::zero() } else { value }
}

/// `(exp(x) - 1) / 2` where exp(x) is a normal number.
#[inline(always)]
pub(super) fn half_exp_m1<T: Format>(x: T) -> T {
    let (rounded, rest) = split(x);
    let half = T::power_of_two(rounded, -1);
    half.mul_add(rest, half - T::narrow(0.5))
}

#[inline(always)]
pub(super) fn exp_m1<T: Format>(x: T) -> T {
    let low = if x < T::EXP_LOW.0 { T::EXP_LOW.0 } else { x };
    (T::narrow(2.0) * half_exp_m1(limited(low))).with_sign_of(x)
}

#[inline(always)]
pub(super) fn logistic<T: Format>(x: T) -> T {
    let (one, two) = (T::one(), T::narrow(2.0));
    // Where exp(-x) is infinite the result is 0, and 1 long before it would be subnormal.
    let low = if -x < T::EXP_LOW.0 { T::EXP_LOW.0 } else { -x };
    let (rounded, rest) = split(limited(low));
    one / (one + two * (T::power_of_two(rounded, -1) * (one + rest)))
}

#[inline(always)]
pub(super) fn softplus<T: Format>(x: T) -> T {
    let positive = if x > T::zero() { x } else { T::zero() };
    // ln(1 + u) = u - (u^2/2 - s (u^2/2 + s^2 p(s^2))) with 0 <= u <= 1 and s = u / (2 + u)
    let u = decay(-x.magnitude());
    let s = u / (T::narrow(2.0) + u);
    let (square, half_square) = (s * s, T::narrow(0.5) * u * u);
    let rest = square.mul_add(polynomial(square, T::SOFTPLUS), half_square);
    positive + (u - (-s).mul_add(rest, half_square))
}
