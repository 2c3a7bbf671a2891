//! Logarithm and exponential of numbers in two parts, the second below the rounding of the first:
//! for powers with large exponents, whose errors a plain logarithm would magnify.
//!
//! As [`Elementary`](crate::Elementary), they have neither branches nor calls and give the same bits
//! on every machine.

use super::exponential::{limited, reduce, scaled};
use super::format::{Format, polynomial};
use super::polynomials::{POWER_64, Polynomials};

/// 2/3 to twice the precision.
const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);

/// ln(x) of positive x as the sum of two numbers, the second below the rounding of the first,
/// within 2^-66 of itself. Of 0 and infinity the first is infinite.
#[inline(always)]
pub fn ln(x: f64) -> (f64, f64) {
    let subnormal = x < f64::MIN_POSITIVE;
    let (f, e) = (if subnormal { x * f64::LIFT.0 } else { x }).fraction_and_exponent();
    let e = if subnormal { e - f64::LIFT.1 } else { e };
    // s = f / (2 + f)
    let sum = 2.0 + f;
    let s = f / sum;
    let rest = (-s).mul_add(sum, f);
    let s_low = (-s).mul_add(f - (sum - 2.0), rest) / sum;
    let square = s * s;
    let square_low = s.mul_add(s, -square) + 2.0 * s * s_low;
    // 2 atanh(s) = 2s + s^3 q with q = 2/3 + s^2 p(s^2)
    let tail = square * polynomial(square, &POWER_64);
    let q = TWO_THIRDS.0 + tail;
    let q_low = (TWO_THIRDS.0 - q) + tail + TWO_THIRDS.1;
    let cube = s * square;
    let cube_low = s.mul_add(square, -cube) + s.mul_add(square_low, s_low * square);
    let cubic = cube * q;
    let cubic_low = cube.mul_add(q, -cubic) + cube.mul_add(q_low, cube_low * q);
    // e ln 2, whose first part is exact, 2s and the cubic term.
    let (high, low) = ordered_sum(e * f64::LN_2.0, 2.0 * s);
    let (high, next) = ordered_sum(high, cubic);
    let low = low + next + (2.0f64.mul_add(s_low, cubic_low) + e * f64::LN_2.1);
    let (high, low) = ordered_sum(high, low);
    let high = if x == 0.0 { -f64::INFINITY } else { high };
    (if x == f64::INFINITY { x } else { high }, low)
}

/// exp(x + rest) as the sum of two numbers, within 2^-56 of itself, for a rest below the rounding
/// of x. Where the exponential is subnormal, zero or infinite, the second is 0.
#[inline(always)]
pub fn exp((x, rest): (f64, f64)) -> (f64, f64) {
    let inside = limited(x);
    let (rounded, n, high) = reduce(inside);
    // x + rest = -n ln 2 + r + r_low
    let r = n.mul_add(f64::LN_2.1, high);
    let r_low = n.mul_add(f64::LN_2.1, high - r) + if inside == x { rest } else { 0.0 };
    let (value, lost) = ordered_sum(1.0, r);
    let curved = (r * r).mul_add(polynomial(r, f64::EXP), (1.0 + r) * r_low);
    let (value, low) = ordered_sum(value, curved + lost);
    let normal = (inside >= f64::EXP_LOW.0) & (inside < 709.0);
    let low = if normal { scaled(inside, rounded, low) } else { 0.0 };
    (scaled(inside, rounded, value), low)
}

/// a + b exactly, for |a| >= |b| or a = 0.
#[inline(always)]
fn ordered_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}
