use super::exponential::{exp, limited, scaled, split};
use super::format::Format;
use super::logarithm::ln;
use super::two_parts;

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
        let (high, low) = two_parts::ln(x);
        let product = y * high;
        let rest = y.mul_add(high, -product) + y * low;
        // exp(product + rest), where the rest is below the rounding of the product.
        let x = limited(product);
        let rest = if x == product { rest } else { 0.0 };
        let (rounded, small) = split(x);
        scaled(x, rounded, 1.0 + (1.0 + small).mul_add(rest, small))
    }
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
