//! Elementary functions without fused multiply-add: the same bits on every machine, and vector code
//! on every instruction set. Random numbers and stochastic models are computed with them.
//!
//! As [`Elementary`](crate::Elementary), they have neither branches nor calls. They cover what
//! their callers need: the ranges are stated, and outside them results are meaningless unless
//! stated.

use super::exponential::{limited, scaled};
use super::format::Format;
use super::polynomials::{LN_32, LN_64};

/// A scalar with unfused functions: `f32` or `f64`. Sealed.
pub trait Unfused: Format {
    /// `1/k!` from k = 0 on.
    #[doc(hidden)]
    const TAYLOR: &'static [Self];

    /// See [`ln_parts`].
    #[doc(hidden)]
    fn ln_parts(f: Self, e: Self) -> Self;
}

impl Unfused for f32 {
    const TAYLOR: &'static [Self] = &inverse_factorials::<8>().1;

    #[inline(always)]
    fn ln_parts(f: Self, e: Self) -> Self {
        let square = f * f;
        let ln = f - 0.5 * square + square * f * polynomial(f, &LN_32);
        ln + e * Self::LN_2.1 + e * Self::LN_2.0
    }
}

impl Unfused for f64 {
    const TAYLOR: &'static [Self] = &inverse_factorials::<14>().0;

    #[inline(always)]
    fn ln_parts(f: Self, e: Self) -> Self {
        let s = f / (2.0 + f);
        let square = s * s;
        let ln = 2.0 * s + s * square * polynomial(square, &LN_64);
        ln + e * Self::LN_2.1 + e * Self::LN_2.0
    }
}

/// `1/k!` for k < N, in both precisions.
const fn inverse_factorials<const N: usize>() -> ([f64; N], [f32; N]) {
    let (mut double, mut single, mut factorial, mut k) = ([1.0; N], [1.0; N], 1.0, 1);
    while k < N {
        factorial *= k as f64;
        double[k] = 1.0 / factorial;
        single[k] = double[k] as f32;
        k += 1;
    }
    (double, single)
}

/// `c_0 + x (c_1 + x (c_2 + ...))`
#[inline(always)]
fn polynomial<T: Format>(x: T, coefficients: &[T]) -> T {
    let Some((&last, others)) = coefficients.split_last() else { return T::zero() };
    others.iter().rev().fold(last, |sum, &c| sum * x + c)
}

/// exp(x) within two roundings, of all numbers.
#[inline(always)]
pub fn exp<T: Unfused>(x: T) -> T {
    let x = limited(x);
    let rounded = x * T::LOG2_E + T::ROUND;
    let n = rounded - T::ROUND;
    let r = x - n * T::LN_2.0 - n * T::LN_2.1;
    scaled(x, rounded, polynomial(r, T::TAYLOR))
}

/// `exp(x) - 1` within three roundings, of all numbers: -1 below -708, infinite above 709.
#[inline(always)]
pub fn exp_m1(x: f64) -> f64 {
    let limited = x.clamp(-708.0, 709.0);
    let rounded = limited * f64::LOG2_E + f64::ROUND;
    let n = rounded - f64::ROUND;
    let r = limited - n * f64::LN_2.0 - n * f64::LN_2.1;
    let power = f64::power_of_two(rounded, 0);
    let rest = r + r * r * polynomial(r, &f64::TAYLOR[2..]);
    let value = power * rest + (power - 1.0);
    if x > 709.0 { f64::INFINITY } else { value }
}

/// `(f, e)` with `x = (1 + f) 2^e` and `sqrt(1/2) <= 1 + f < sqrt(2)`, of positive normal x.
#[inline(always)]
pub fn fraction_and_exponent<T: Unfused>(x: T) -> (T, T) {
    x.fraction_and_exponent()
}

/// `ln((1 + f) 2^e)` within two roundings, for the parts that [`fraction_and_exponent`] gives.
#[inline(always)]
pub fn ln_parts<T: Unfused>(f: T, e: T) -> T {
    T::ln_parts(f, e)
}

/// The natural logarithm of positive normal x, within two roundings.
#[inline(always)]
pub fn ln<T: Unfused>(x: T) -> T {
    let (f, e) = x.fraction_and_exponent();
    T::ln_parts(f, e)
}

/// Sine and cosine of |a| <= pi/4, within two roundings.
#[inline(always)]
pub fn sin_cos<T: Unfused>(a: T) -> (T, T) {
    let square = a * a;
    (a + a * square * polynomial(square, T::SIN), cos_of_square(square))
}

/// `(sin(a)/a, cos(a))` of |a| <= pi/4, within two roundings.
#[inline(always)]
pub fn sinc_cos<T: Unfused>(a: T) -> (T, T) {
    let square = a * a;
    (T::one() + square * polynomial(square, T::SIN), cos_of_square(square))
}

#[inline(always)]
fn cos_of_square<T: Unfused>(square: T) -> T {
    T::one() - T::narrow(0.5) * square + square * square * polynomial(square, T::COS)
}
