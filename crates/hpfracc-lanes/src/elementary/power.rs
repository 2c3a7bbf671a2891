use super::exponential::{exp, limited, scaled, split};
use super::format::{Format, polynomial};
use super::logarithm::ln;
use super::polynomials::POWER_64;

/// 2/3 to twice the precision.
const TWO_THIRDS: (f64, f64) = (0.666_666_666_666_666_6, 3.700_743_415_417_188e-17);

/// The power of a number that is not negative.
pub(super) trait Power: Format {
    /// `x^y` for x >= 0.
    fn power(x: Self, y: Self) -> Self;
}

impl Power for f32 {
    #[inline(always)]
    fn power(x: Self, y: Self) -> Self {
        exp(f64::from(y) * ln(f64::from(x))) as f32
    }
}

impl Power for f64 {
    #[inline(always)]
    fn power(x: Self, y: Self) -> Self {
        let (high, low) = ln_two(x);
        let product = y * high;
        let rest = y.mul_add(high, -product) + y * low;
        // exp(product + rest), where the rest is below the rounding of the product.
        let x = limited(product);
        let rest = if x == product { rest } else { 0.0 };
        let (rounded, small) = split(x);
        scaled(x, rounded, 1.0 + (1.0 + small).mul_add(rest, small))
    }
}

/// ln(x) of positive x as the sum of two numbers, the second below the rounding of the first,
/// within 2^-66 of itself. Of 0 and infinity the first is infinite.
#[inline(always)]
fn ln_two(x: f64) -> (f64, f64) {
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

/// a + b exactly, for |a| >= |b| or a = 0.
#[inline(always)]
fn ordered_sum(a: f64, b: f64) -> (f64, f64) {
    let sum = a + b;
    (sum, (a - sum) + b)
}

#[inline(always)]
pub(super) fn pow<T: Power>(x: T, y: T) -> T {
    let (zero, one) = (T::zero(), T::one());
    let a = x.magnitude();
    // Infinite powers of 1 are 1.
    let value = if a == one { one } else { T::power(a, y) };
    let half = T::narrow(0.5) * y;
    let integer = y.integer_part() == y;
    let odd = integer & (half.integer_part() != half);
    let value = value.negated_if(x.has_sign() & odd);
    let undefined = (x < zero) & (x > -T::INFINITY) & !integer;
    let value = if undefined { T::NAN } else { value };
    let value = if is_nan(x) | is_nan(y) { T::NAN } else { value };
    if (y == zero) | (x == one) { one } else { value }
}

#[inline(always)]
fn is_nan<T: Power>(x: T) -> bool {
    x.partial_cmp(&x).is_none()
}
