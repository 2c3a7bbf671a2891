// Single precision: the format of `float`, and what depends on it.

alias float = f32;

alias float_bits = u32;

const FLOAT_WIDTH = 32u;

const FLOAT_DIGITS = 24u;

const FLOAT_SIGN = 0x80000000u;

const FLOAT_MANTISSA = 0x7fffffu;

const FLOAT_INFINITY = 0x7f800000u;

const FLOAT_UNDEFINED = 0x7fc00000u;

const FLOAT_BIAS = 127;

const FLOAT_ONE = 0x3f800000u;

const FLOAT_SQRT_HALF = 0x3f3504f3u;

// 2^23 and its sum with the bias.
const FLOAT_INTEGER = 0x4b000000u;

const FLOAT_SHIFTED_BIAS = 8388735.0;

const FLOAT_LARGE = 3.4e38f;

// Leading 12 bits of 24, of a number and a number to add before.
const FLOAT_HEAD = 0xfffff000u;

const FLOAT_HEAD_ROUNDED = 0u;

// The place of the digits of 2/pi before the second one of weight 2 for exponent 0: bias and 23 digits, and 2 more, after 32
// zeros.
const FLOAT_FAR = 120u;

const FLOAT_UNIT = 0x1p-24f;

// 32 zeros, then 2/pi in binary.
const TWO_OVER_PI_DIGITS = array<u32, 10>(
    0u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u, 0xfe5163abu, 0xdebbc561u,
    0xb7246e3au);

fn leading_zeros(x: float_bits) -> u32 {
    return countLeadingZeros(x);
}

// The upper half of a product.
fn upper_product(a: float_bits, b: float_bits) -> float_bits {
    return mul_high(a, b);
}

// ln((1 + f) 2^e)
fn ln_parts(f: float, e: float) -> float {
    let square = f * f;
    let cubic = fused(square * f, polynomial_LN(f), e * LN_2_LOW);
    return fused(e, LN_2_HIGH, fused(square, -0.5, cubic) + f);
}

// The same without fused operations.
fn unfused_ln(f: float, e: float) -> float {
    let square = rounded(f * f);
    let ln = add_product(f - 0.5 * square, rounded(square * f), unfused_LN(f));
    return add_product(add_product(ln, e, LN_2_LOW), e, LN_2_HIGH);
}

// ln(x) of positive x: e ln 2 + 2 s + s^3 (2/3 + 2/5 s^2 + ...) with s = f / (2 + f).
fn pair_ln(x: float) -> Pair {
    let subnormal = x < MIN_POSITIVE;
    let parts = fraction_and_exponent(select(x, x * LIFT, subnormal));
    let e = select(parts.e, parts.e - LIFT_EXPONENT, subnormal);
    let divisor = pair_of_sum(2.0, parts.f);
    let quotient = parts.f / divisor.high;
    let rest = fused(-quotient, divisor.high, parts.f);
    let s = pair_of_sum(quotient, fused(-quotient, divisor.low, rest) / divisor.high);
    let square = pair_product(s, s);
    var sum = Pair(square.high * polynomial_ARTANH(square.high), 0.0);
    sum = pair_product(square, pair_sum(Pair(TWO_SEVENTHS_HIGH, TWO_SEVENTHS_LOW), sum));
    sum = pair_product(square, pair_sum(Pair(TWO_FIFTHS_HIGH, TWO_FIFTHS_LOW), sum));
    sum = pair_product(square, pair_sum(Pair(TWO_THIRDS_HIGH, TWO_THIRDS_LOW), sum));
    let logarithm = pair_sum(Pair(2.0 * s.high, 2.0 * s.low), pair_product(s, sum));
    return pair_sum(pair_of_exponent(e), logarithm);
}

// exp(x), rounded once where it is a normal number.
fn exp_of_pair(x: Pair) -> float {
    let inside = limited(x.high);
    let parts = pair_reduce(Pair(inside, select(0.0, x.low, inside == x.high)));
    let r = parts.r;
    // 1 + r (1 + r (1/2 + r (1/6 + ...)))
    var sum = Pair(r.high * polynomial_TAYLOR(r.high), 0.0);
    sum = pair_product(r, pair_sum(Pair(INVERSE_720_HIGH, INVERSE_720_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_120_HIGH, INVERSE_120_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_24_HIGH, INVERSE_24_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_6_HIGH, INVERSE_6_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(0.5, 0.0), sum));
    sum = pair_product(r, pair_sum(Pair(1.0, 0.0), sum));
    let value = pair_sum(Pair(1.0, 0.0), sum);
    return scaled(inside, parts.rounded_sum, value.high + value.low);
}

// x^y of x >= 0. The CPU computes exp(y ln x) in double precision; here numbers are sums of two f32, with errors of
// 2^-45, so that results round in the same way but in one of 1e5 cases.
fn power_of(x: float, y: float) -> float {
    let ln_x = pair_ln(x);
    let product = pair_of_product(y, ln_x.high);
    let exponent = pair_of_sum(product.high, fused(y, ln_x.low, product.low));
    // Where the exponent is large or infinite its second part is of no weight.
    let far = !(abs(product.high) < 200.0);
    let value = exp_of_pair(Pair(select(exponent.high, product.high, far), select(exponent.low, 0.0, far)));
    let extreme = x == 0.0 || x == infinity();
    return select(value, select(0.0, infinity(), (x == 0.0) == (y < 0.0)), extreme);
}

// A number of a table of words.
fn number_of_words(first: u32, last: u32) -> real {
    return bitcast<f32>(first);
}

const NUMBER_WORDS = 1u;
