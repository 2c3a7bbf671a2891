//! Logarithm, exponential, sine, cosine and angle of numbers in two parts, the second below the
//! rounding of the first: for powers with large exponents, whose errors plain ones would magnify.
//!
//! As [`Elementary`](crate::Elementary), they have neither branches nor calls and give the same bits
//! on every machine.

use super::exponential::{limited, reduce, scaled};
use super::format::{Format, polynomial};
use super::polynomials::{COS_LONG, EXP_LONG, POWER_64, SIN_LONG};
use super::trigonometric::atan;

/// 2/3 to twice the precision.
const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);
/// -1/6 to twice the precision.
const MINUS_SIXTH: (f64, f64) = (-0.166_666_666_666_666_66, -9.251_858_538_542_97e-18);
/// π to twice the precision.
const PI: (f64, f64) = (std::f64::consts::PI, 1.224_646_799_147_353_2e-16);

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

/// exp(x + rest) as the sum of two numbers, within 2^-61 of itself, for a rest below the rounding
/// of x. Where the exponential is subnormal, zero or infinite, the second is 0.
#[inline(always)]
pub fn exp((x, rest): (f64, f64)) -> (f64, f64) {
    let inside = limited(x);
    let (rounded, n, high) = reduce(inside);
    // x + rest = -n ln 2 + r + r_low
    let r = n.mul_add(f64::LN_2.1, high);
    let r_low = n.mul_add(f64::LN_2.1, high - r) + if inside == x { rest } else { 0.0 };
    // exp r - 1 = r + r^2/2 + r^3/6 + r^4 p(r)
    let square = r * r;
    let square_low = r.mul_add(r, -square);
    let cube = r * square;
    let cube_low = r.mul_add(square, -cube) + r * square_low;
    let cubic = -(cube * MINUS_SIXTH.0);
    let cubic_low =
        -cube.mul_add(MINUS_SIXTH.0, cubic) - cube.mul_add(MINUS_SIXTH.1, cube_low * MINUS_SIXTH.0);
    let higher = (square * square).mul_add(polynomial(r, &EXP_LONG), cubic_low);
    let (value, first) = ordered_sum(1.0, r);
    let (value, second) = ordered_sum(value, 0.5 * square);
    let (value, third) = ordered_sum(value, cubic);
    let low = (first + second) + (third + 0.5 * square_low) + higher;
    let (value, low) = ordered_sum(value, r_low.mul_add(value + low, low));
    let normal = (inside >= f64::EXP_LOW.0) & (inside < 709.0);
    let low = if normal { scaled(inside, rounded, low) } else { 0.0 };
    (scaled(inside, rounded, value), low)
}

/// Sine and cosine of x + rest, |x| below 100, each as the sum of two numbers within 2^-57 of the
/// larger of them, for a rest below the rounding of x.
#[inline(always)]
pub fn sin_cos((x, rest): (f64, f64)) -> ((f64, f64), (f64, f64)) {
    let a = x.magnitude();
    let rounded = a.mul_add(f64::TWO_OVER_PI, f64::ROUND);
    let n = f64::ROUND - rounded;
    // |x| + rest = -n π/2 + r + r_low; the first difference is exact.
    let high = n.mul_add(f64::HALF_PI[0], a);
    let rest = rest.negated_if(x.has_sign());
    let (r, lost) = exact_sum(high, n * f64::HALF_PI[1]);
    let lost = lost + n.mul_add(f64::HALF_PI[1], -(n * f64::HALF_PI[1]));
    let (r, r_low) = ordered_sum(r, n.mul_add(f64::HALF_PI[2], lost + rest));
    let square = r * r;
    let square_low = r.mul_add(r, -square);
    // sin r = r - r^3/6 + r^5 p(r^2)
    let cube = r * square;
    let cube_low = r.mul_add(square, -cube) + r * square_low;
    let cubic = cube * MINUS_SIXTH.0;
    let cubic_low =
        cube.mul_add(MINUS_SIXTH.0, -cubic) + cube.mul_add(MINUS_SIXTH.1, cube_low * MINUS_SIXTH.0);
    let higher = (cube * square).mul_add(polynomial(square, &SIN_LONG), cubic_low);
    let (sin, lost) = ordered_sum(r, cubic);
    let sin_low = lost + higher;
    // cos r = 1 - r^2/2 + r^4 p(r^2)
    let higher = (square * square).mul_add(polynomial(square, &COS_LONG), -0.5 * square_low);
    let (cos, lost) = ordered_sum(1.0, -0.5 * square);
    let cos_low = lost + higher;
    let (sin, cos) = (
        ordered_sum(sin, r_low.mul_add(cos + cos_low, sin_low)),
        ordered_sum(cos, (-r_low).mul_add(sin + sin_low, cos_low)),
    );
    let (odd, second_half) = f64::lowest_bits(rounded);
    let (sin, cos) = if odd { (cos, sin) } else { (sin, cos) };
    let signed = |(high, low): (f64, f64), negative: bool| {
        (high.negated_if(negative), low.negated_if(negative))
    };
    (signed(sin, second_half != x.has_sign()), signed(cos, odd != second_half))
}

/// Angle of x + iy, between -π and π, as the sum of two numbers, within 2^-56 of the larger of it and
/// a hundredth. The square of the modulus is to be a normal number.
#[inline(always)]
pub fn angle(y: f64, x: f64) -> (f64, f64) {
    let (a, b) = (x.magnitude(), y.magnitude());
    let steep = b > a;
    let quotient = if steep { a } else { b } / if steep { b } else { a };
    let acute = atan(quotient);
    let acute = if steep { 0.5 * PI.0 - acute } else { acute };
    let first = (if x.has_sign() { PI.0 - acute } else { acute }).with_sign_of(y);
    // The sine of what is missing, r sin(angle - first) = y cos(first) - x sin(first).
    let (sin, cos) = sin_cos((first, 0.0));
    let (up, down) = (y * cos.0, x * sin.0);
    let up_low = y.mul_add(cos.0, -up) + y * cos.1;
    let down_low = x.mul_add(sin.0, -down) + x * sin.1;
    let across = (up - down) + (up_low - down_low);
    ordered_sum(first, across / x.mul_add(cos.0, y * sin.0))
}

/// a + b exactly.
#[inline(always)]
fn exact_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    let part = sum - a;
    (sum, (a - (sum - part)) + (b - part))
}

/// a + b exactly, for |a| >= |b| or a = 0.
#[inline(always)]
fn ordered_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}
