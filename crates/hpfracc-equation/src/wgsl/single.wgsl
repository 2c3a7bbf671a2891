// Elementary functions in single precision: hpfracc_lanes::Elementary, operation by operation. Constants and
// functions `polynomial_...` are generated from its tables; `fused` is a multiply-add of one rounding.

// A result that the compiler may not combine with what follows, as WGSL lets it. `unknown_zero` is a function of the
// shader that returns 0 for a reason which the compiler does not know. (It moves constants through a `select` of another
// constant.)
fn opaque(x: f32) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ unknown_zero());
}

// x + a b with two roundings.
fn add_product(x: f32, a: f32, b: f32) -> f32 {
    return rounded(x + rounded(a * b));
}

fn infinity() -> f32 {
    // A variable, because constant expressions must be finite.
    var bits = 0x7f800000u;
    return bitcast<f32>(bits);
}

fn not_a_number() -> f32 {
    var bits = 0x7fc00000u;
    return bitcast<f32>(bits);
}

// |x| with a sign.
fn with_sign_of(x: f32, sign: f32) -> f32 {
    return bitcast<f32>((bitcast<u32>(x) & 0x7fffffffu) | (bitcast<u32>(sign) & 0x80000000u));
}

fn negated_if(x: f32, condition: bool) -> f32 {
    return bitcast<f32>(bitcast<u32>(x) ^ select(0u, 0x80000000u, condition));
}

fn sign_of(x: f32) -> f32 {
    return select(select(x, -1.0, x < 0.0), 1.0, x > 0.0);
}

// 2^(n + shift) of ROUND + n.
fn power_of_two(rounded_sum: f32, shift: i32) -> f32 {
    return bitcast<f32>((bitcast<u32>(rounded_sum) + u32(127 + shift)) << 23u);
}

// x = n ln 2 + r: ROUND + n, -n, and the exact sum of x and the first part of -n ln 2.
struct Reduced {
    rounded_sum: f32,
    minus_n: f32,
    high: f32,
}

fn reduce(x: f32) -> Reduced {
    let rounded_sum = opaque(fused(x, LOG2_E, ROUND));
    let minus_n = ROUND - rounded_sum;
    return Reduced(rounded_sum, minus_n, fused(minus_n, LN_2_HIGH, x));
}

// exp(x) = 2^n (1 + rest).
struct Split {
    rounded_sum: f32,
    rest: f32,
}

fn split(x: f32) -> Split {
    let parts = reduce(x);
    let r = fused(parts.minus_n, LN_2_LOW, parts.high);
    return Split(parts.rounded_sum, fused(r * r, polynomial_EXP(r), r));
}

fn limited(x: f32) -> f32 {
    let above = select(x, EXP_ZERO, x < EXP_ZERO);
    return select(above, EXP_HIGH, above > EXP_HIGH);
}

// factor 2^n, which is exp(x); subnormal results are computed 2^64 times larger.
fn scaled(x: f32, rounded_sum: f32, factor: f32) -> f32 {
    let subnormal = x < EXP_LOW;
    let power = power_of_two(rounded_sum, select(-1, 63, subnormal));
    return power * factor * select(2.0, 0x1p-63f, subnormal);
}

fn exp_of(x: f32) -> f32 {
    let inside = limited(x);
    let parts = split(inside);
    return scaled(inside, parts.rounded_sum, 1.0 + parts.rest);
}

// exp(x) of x <= 0, 0 where it would be subnormal.
fn decay(x: f32) -> f32 {
    let parts = split(x);
    let value = power_of_two(parts.rounded_sum, 0) * (1.0 + parts.rest);
    return select(value, 0.0, x < EXP_LOW);
}

// (exp(x) - 1) / 2 where exp(x) is a normal number.
fn half_exp_m1(x: f32) -> f32 {
    let parts = split(x);
    let half = power_of_two(parts.rounded_sum, -1);
    return fused(half, parts.rest, half - 0.5);
}

fn exp_m1_of(x: f32) -> f32 {
    let low = select(x, EXP_LOW, x < EXP_LOW);
    return with_sign_of(2.0 * half_exp_m1(limited(low)), x);
}

// x = (1 + f) 2^e with sqrt(1/2) <= 1 + f < sqrt(2), of positive normal x.
struct Fraction {
    f: f32,
    e: f32,
}

fn fraction_and_exponent(x: f32) -> Fraction {
    let shifted = bitcast<u32>(x) - 0x3f3504f3u + (127u << 23u);
    let e = bitcast<f32>((shifted >> 23u) | 0x4b000000u) - 8388735.0;
    return Fraction(bitcast<f32>((shifted & 0x7fffffu) + 0x3f3504f3u) - 1.0, e);
}

// ln((1 + f) 2^e)
fn ln_parts(f: f32, e: f32) -> f32 {
    let square = f * f;
    let cubic = fused(square * f, polynomial_LN(f), e * LN_2_LOW);
    return fused(e, LN_2_HIGH, fused(square, -0.5, cubic) + f);
}

fn ln_of(x: f32) -> f32 {
    let subnormal = x < MIN_POSITIVE;
    let parts = fraction_and_exponent(select(x, x * LIFT, subnormal));
    var value = ln_parts(parts.f, select(parts.e, parts.e - LIFT_EXPONENT, subnormal));
    value = select(value, -infinity(), x == 0.0);
    value = select(not_a_number(), value, x >= 0.0);
    return select(value, x, x == infinity());
}

fn ln_1p_of(x: f32) -> f32 {
    let u = opaque(1.0 + x);
    let lost = select(1.0 - opaque(u - x), x - opaque(u - 1.0), x < 1.0);
    let parts = fraction_and_exponent(u);
    let near = parts.e == 0.0;
    var value = ln_parts(select(parts.f, x, near), parts.e);
    value = select(value + lost / u, value, near);
    value = select(value, -infinity(), x == -1.0);
    value = select(not_a_number(), value, x >= -1.0);
    return with_sign_of(select(value, x, x == infinity()), x);
}

fn tanh_of(x: f32) -> f32 {
    let below = select(x, TANH_HIGH, x > TANH_HIGH);
    let inside = select(below, -TANH_HIGH, below < -TANH_HIGH);
    let e = half_exp_m1(2.0 * inside);
    return with_sign_of(e / (e + 1.0), x);
}

// sinh(x) / 2 and cosh(x) / 2 of x >= 0.
struct Halves {
    sinh: f32,
    cosh: f32,
}

fn halves(x: f32) -> Halves {
    let parts = reduce(x);
    let low = rounded(parts.minus_n * LN_2_LOW);
    let r = parts.high + low;
    let quarter = power_of_two(parts.rounded_sum, -2);
    let minus_n = select(-100.0, parts.minus_n, parts.minus_n > -100.0);
    let inverse = power_of_two(ROUND + minus_n, -2);
    let sinh_n = quarter - inverse;
    let cosh_n = quarter + inverse;
    let square = r * r;
    let sinh_r = parts.high + fused(r * square, polynomial_SINH(square), low);
    // cosh(r) - 1
    let cosh_r = fused(square * square, polynomial_COSH(square), 0.5 * square);
    return Halves(
        sinh_n + fused(cosh_n, sinh_r, sinh_n * cosh_r),
        cosh_n + fused(sinh_n, sinh_r, cosh_n * cosh_r));
}

fn sinh_of(x: f32) -> f32 {
    let a = abs(x);
    let value = select(2.0 * halves(a).sinh, infinity(), a > COSH_HIGH);
    return with_sign_of(value, x);
}

fn cosh_of(x: f32) -> f32 {
    let a = abs(x);
    return select(2.0 * halves(a).cosh, infinity(), a > COSH_HIGH);
}

struct SinCos {
    sin: f32,
    cos: f32,
}

// Of |x| = r + quadrant pi/2 modulo 2 pi, |r| <= pi/4.
fn of_reduced(r: f32, quadrant: u32, x: f32) -> SinCos {
    let square = r * r;
    let sin_r = fused(r * square, polynomial_SIN(square), r);
    let rest = rounded(square * polynomial_COS(square));
    let cos_r = fused(square, rest - 0.5, 1.0);
    let odd = (quadrant & 1u) != 0u;
    let second_half = (quadrant & 2u) != 0u;
    let negative = (bitcast<u32>(x) >> 31u) != 0u;
    return SinCos(
        negated_if(select(sin_r, cos_r, odd), second_half != negative),
        negated_if(select(cos_r, sin_r, odd), odd != second_half));
}

fn bounded_sin_cos(x: f32) -> SinCos {
    let a = abs(x);
    let rounded_sum = opaque(fused(a, TWO_OVER_PI, ROUND));
    let minus_n = ROUND - rounded_sum;
    var r = fused(minus_n, HALF_PI_HIGH, a);
    r = fused(minus_n, HALF_PI_MIDDLE, r);
    r = fused(minus_n, HALF_PI_LOW, r);
    return of_reduced(r, bitcast<u32>(rounded_sum) & 3u, x);
}

// 32 zeros, then 2/pi in binary.
const TWO_OVER_PI_DIGITS = array<u32, 10>(
    0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
    0xb7246e3au);

// Digits of 2/pi from this one on.
fn digits_of_two_over_pi(first: u32) -> u32 {
    var digits = TWO_OVER_PI_DIGITS;
    let word = first / 32u;
    let shift = first % 32u;
    let high = digits[word] << shift;
    return select(high, high | (digits[word + 1u] >> (32u - shift)), shift != 0u);
}

// The reduction of Payne and Hanek, |x| >= 2^16: x = mantissa 2^exponent, of whose product with 2/pi digits before
// a position are multiples of 4.
fn far_sin_cos(x: f32) -> SinCos {
    let bits = bitcast<u32>(x) & 0x7fffffffu;
    if bits >= 0x7f800000u {
        return SinCos(not_a_number(), not_a_number());
    }
    let mantissa = (bits & 0x7fffffu) | 0x800000u;
    // 32 zeros and the digits before the second one of weight 2: bits >> 23 - 150 - 2 + 32.
    let first = (bits >> 23u) - 120u;
    // The product modulo 2^96; its two leading bits are the integer part modulo 4.
    let low_high = mul_high(mantissa, digits_of_two_over_pi(first + 64u));
    let middle_digits = digits_of_two_over_pi(first + 32u);
    let middle_low = mantissa * middle_digits;
    let middle = middle_low + low_high;
    let carry = select(0u, 1u, middle < middle_low);
    let high = mantissa * digits_of_two_over_pi(first) + mul_high(mantissa, middle_digits) + carry;
    let low = mantissa * digits_of_two_over_pi(first + 64u);
    // The fraction, from -1/2 to 1/2, as a sign and 64 bits.
    var f_high = (high << 2u) | (middle >> 30u);
    var f_low = (middle << 2u) | (low >> 30u);
    let negative = (f_high >> 31u) != 0u;
    let quadrant = (high >> 30u) + select(0u, 1u, negative);
    if negative {
        f_low = ~f_low + 1u;
        f_high = ~f_high + select(0u, 1u, f_low == 0u);
    }
    // Leading digits, and those that follow them.
    let zeros = min(countLeadingZeros(f_high), 31u);
    let leading = (f_high << zeros) | select(0u, f_low >> (32u - zeros), zeros != 0u);
    let following = f_low << zeros;
    let first_part = f32(leading >> 8u) * 0x1p-24f;
    let second_part = f32(((leading & 0xffu) << 16u) | (following >> 16u)) * 0x1p-48f;
    let product = first_part * HALF_PI_HIGH;
    let lost = fused(first_part, HALF_PI_HIGH, -product);
    let rest = fused(first_part, HALF_PI_MIDDLE, second_part * HALF_PI_HIGH);
    let scale = bitcast<f32>((127u - zeros) << 23u);
    return of_reduced(negated_if((product + (lost + rest)) * scale, negative), quadrant, x);
}

fn sin_cos_of(x: f32) -> SinCos {
    if abs(x) < ANGLE_BOUND {
        return bounded_sin_cos(x);
    }
    return far_sin_cos(x);
}

fn sin_of(x: f32) -> f32 {
    return sin_cos_of(x).sin;
}

fn cos_of(x: f32) -> f32 {
    return sin_cos_of(x).cos;
}

fn atan_of(x: f32) -> f32 {
    let a = abs(x);
    let far = a > 1.0;
    let t = select(a, -(1.0 / a), far);
    let square = t * t;
    let small = fused(t * square, polynomial_ATAN(square), select(0.0, HALF_PI_MIDDLE, far));
    return with_sign_of(select(0.0, HALF_PI_HIGH, far) + (t + small), x);
}

fn erf_of(x: f32) -> f32 {
    let a = select(abs(x), 6.0, abs(x) > 6.0);
    let square = a * a;
    let near = fused(a, polynomial_ERF(square), a);
    let lost = fused(a, a, -square);
    let t = 1.0 / fused(ERF_SLOPE, a, 1.0);
    let exponential = decay(-square);
    let bell = fused(exponential, -lost, exponential) * ERF_DENSITY;
    let far = 1.0 - rounded(bell * t * polynomial_MILLS(t - 0.5));
    return with_sign_of(select(far, near, a < 0.85), x);
}
