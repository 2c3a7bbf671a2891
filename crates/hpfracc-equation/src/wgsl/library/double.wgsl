// Double precision: the format of `float`, and what depends on it. Literals of 64 bits end with `lu` and `lf`.

alias float = f64;

alias float_bits = u64;

const FLOAT_WIDTH = 64u;

const FLOAT_DIGITS = 53u;

const FLOAT_SIGN = 0x8000000000000000lu;

const FLOAT_MANTISSA = 0xffffffffffffflu;

const FLOAT_INFINITY = 0x7ff0000000000000lu;

const FLOAT_UNDEFINED = 0x7ff8000000000000lu;

const FLOAT_BIAS = 1023;

const FLOAT_ONE = 0x3ff0000000000000lu;

const FLOAT_SQRT_HALF = 0x3fe6a09e667f3bcdlu;

// 2^52 and its sum with the bias.
const FLOAT_INTEGER = 0x4330000000000000lu;

const FLOAT_SHIFTED_BIAS = 4503599627371519.0lf;

const FLOAT_LARGE = 1.7e308lf;

// Leading 26 bits of 53, rounded so that the others have 26 bits and a sign.
const FLOAT_HEAD = 0xfffffffff8000000lu;

const FLOAT_HEAD_ROUNDED = 0x4000000lu;

// The place of the digits of 2/pi before the second one of weight 2 for exponent 0: bias and 52 digits, and 2 more, after 64
// zeros.
const FLOAT_FAR = 1013u;

const FLOAT_UNIT = 0x1p-53lf;

// 64 zeros, then 2/pi in binary.
const TWO_OVER_PI_DIGITS = array<u64, 20>(
    0lu, 0xa2f9836e4e441529lu, 0xfc2757d1f534ddc0lu, 0xdb6295993c439041lu, 0xfe5163abdebbc561lu, 0xb7246e3a424dd2e0lu,
    0x06492eea09d1921clu, 0xfe1deb1cb129a73elu, 0xe88235f52ebb4484lu, 0xe99c7026b45f7e41lu, 0x3991d639835339f4lu,
    0x9c845f8bbdf9283blu, 0x1ff897ffde05980flu, 0xef2f118b5a0a6d1flu, 0x6d367ecf27cb09b7lu, 0x4f463f669e5fea2dlu,
    0x7527bac7ebe5f17blu, 0x3d0739f78a5292ealu, 0x6bfb5fb11f8d5d08lu, 0x56033046fc7b6bablu);

fn leading_zeros(x: float_bits) -> u32 {
    let high = u32(x >> 32u);
    return select(32u + countLeadingZeros(u32(x)), countLeadingZeros(high), high != 0u);
}

// The upper half of a product, from products of halves.
fn upper_product(a: float_bits, b: float_bits) -> float_bits {
    let a_low = a & 0xfffffffflu;
    let a_high = a >> 32u;
    let b_low = b & 0xfffffffflu;
    let b_high = b >> 32u;
    let middle = a_high * b_low + ((a_low * b_low) >> 32u);
    let other = a_low * b_high + (middle & 0xfffffffflu);
    return a_high * b_high + (middle >> 32u) + (other >> 32u);
}

// ln((1 + f) 2^e)
fn ln_parts(f: float, e: float) -> float {
    let s = f / (2.0 + f);
    let square = s * s;
    let half_square = rounded(0.5 * f * f);
    let rest = fused(square, polynomial_LN(square), half_square);
    let small = fused(s, rest, e * LN_2_LOW);
    return fused(e, LN_2_HIGH, f - (half_square - small));
}

// The same without fused operations.
fn unfused_ln(f: float, e: float) -> float {
    let s = f / (2.0 + f);
    let square = rounded(s * s);
    let ln = add_product(2.0 * s, rounded(s * square), unfused_LN(square));
    return add_product(add_product(ln, e, LN_2_LOW), e, LN_2_HIGH);
}

// ln(x) of positive x as a sum of two numbers: hpfracc_lanes::two_parts::ln.
fn pair_ln(x: float) -> Pair {
    let subnormal = x < MIN_POSITIVE;
    let parts = fraction_and_exponent(select(x, x * LIFT, subnormal));
    let f = parts.f;
    let e = select(parts.e, parts.e - LIFT_EXPONENT, subnormal);
    // s = f / (2 + f)
    let divisor = opaque(2.0 + f);
    let s = f / divisor;
    let rest = fused(-s, divisor, f);
    let s_low = fused(-s, f - (divisor - 2.0), rest) / divisor;
    let square = opaque(s * s);
    let square_low = fused(s, s, -square) + opaque(2.0 * s * s_low);
    // 2 s + s^3 q with q = 2/3 + s^2 p(s^2)
    let tail = opaque(square * polynomial_POWER(square));
    let q = opaque(TWO_THIRDS_HIGH + tail);
    let q_low = (opaque(TWO_THIRDS_HIGH - q) + tail) + TWO_THIRDS_LOW;
    let cube = opaque(s * square);
    let cube_low = fused(s, square, -cube) + fused(s, square_low, s_low * square);
    let cubic = opaque(cube * q);
    let cubic_low = fused(cube, q, -cubic) + fused(cube, q_low, cube_low * q);
    let first = ordered_sum(e * LN_2_HIGH, 2.0 * s);
    let second = ordered_sum(first.high, cubic);
    let low = (first.low + second.low) + (fused(2.0, s_low, cubic_low) + opaque(e * LN_2_LOW));
    let sum = ordered_sum(second.high, low);
    let high = select(sum.high, -infinity(), x == 0.0);
    return Pair(select(high, x, x == infinity()), sum.low);
}

// x^y of x >= 0.
fn power_of(x: float, y: float) -> float {
    let ln_x = pair_ln(x);
    let product = opaque(y * ln_x.high);
    let rest = fused(y, ln_x.high, -product) + opaque(y * ln_x.low);
    // exp(product + rest), where the rest is below the rounding of the product.
    let inside = limited(product);
    let low = select(0.0, rest, inside == product);
    let parts = split(inside);
    return scaled(inside, parts.rounded_sum, 1.0 + fused(1.0 + parts.rest, low, parts.rest));
}

// A number of a table of words.
fn number_of_words(first: u32, last: u32) -> real {
    return bitcast<f64>(u64(first) | (u64(last) << 32u));
}

const NUMBER_WORDS = 2u;
