// Numbers of the device and their bits. `float` is the type of these numbers, `float_bits` that of their bits.

// A result that the compiler may not combine with what follows, as WGSL lets it. `unknown_zero` is a function of the
// shader that returns 0 for a reason which the compiler does not know. (It moves constants through a `select` of another
// constant.)
fn opaque(x: float) -> float {
    return bitcast<float>(bitcast<float_bits>(x) ^ float_bits(unknown_zero()));
}

fn infinity() -> float {
    // A variable, because constant expressions must be finite.
    var bits = FLOAT_INFINITY;
    return bitcast<float>(bits);
}

fn not_a_number() -> float {
    var bits = FLOAT_UNDEFINED;
    return bitcast<float>(bits);
}

fn is_not_a_number(x: float) -> bool {
    return (bitcast<float_bits>(x) & ~FLOAT_SIGN) > FLOAT_INFINITY;
}

fn is_negative(x: float) -> bool {
    return (bitcast<float_bits>(x) & FLOAT_SIGN) != 0;
}

// |x| with a sign.
fn with_sign_of(x: float, sign: float) -> float {
    return bitcast<float>((bitcast<float_bits>(x) & ~FLOAT_SIGN) | (bitcast<float_bits>(sign) & FLOAT_SIGN));
}

fn negated_if(x: float, condition: bool) -> float {
    return bitcast<float>(bitcast<float_bits>(x) ^ select(0, FLOAT_SIGN, condition));
}

// 2^(n + shift) of ROUND + n.
fn power_of_two(rounded_sum: float, shift: i32) -> float {
    return bitcast<float>((bitcast<float_bits>(rounded_sum) + float_bits(FLOAT_BIAS + shift)) << (FLOAT_DIGITS - 1u));
}

// x = (1 + f) 2^e with sqrt(1/2) <= 1 + f < sqrt(2), of positive normal x.
struct Fraction {
    f: float,
    e: float,
}

fn fraction_and_exponent(x: float) -> Fraction {
    let shifted = bitcast<float_bits>(x) - FLOAT_SQRT_HALF + FLOAT_ONE;
    let e = bitcast<float>((shifted >> (FLOAT_DIGITS - 1u)) | FLOAT_INTEGER) - FLOAT_SHIFTED_BIAS;
    return Fraction(bitcast<float>((shifted & FLOAT_MANTISSA) + FLOAT_SQRT_HALF) - 1.0, e);
}

fn limited(x: float) -> float {
    let above = select(x, EXP_ZERO, x < EXP_ZERO);
    return select(above, EXP_HIGH, above > EXP_HIGH);
}

// Digits of 2/pi from this one on.
fn digits_of_two_over_pi(first: u32) -> float_bits {
    var digits = TWO_OVER_PI_DIGITS;
    let place = first / FLOAT_WIDTH;
    let shift = first % FLOAT_WIDTH;
    let high = digits[place] << shift;
    return select(high, high | (digits[place + 1u] >> (FLOAT_WIDTH - shift)), shift != 0u);
}

// |x| = (first + second) scale pi/2 + quadrant pi/2 modulo 2 pi, with the sign of the first product.
struct Turns {
    first: float,
    second: float,
    scale: float,
    negative: bool,
    quadrant: u32,
}

// The reduction of Payne and Hanek of finite |x| >= 2^16: x = mantissa 2^exponent, of whose product with 2/pi digits before
// a position are multiples of 4.
fn far_turns(x: float) -> Turns {
    let bits = bitcast<float_bits>(x) & ~FLOAT_SIGN;
    let mantissa = (bits & FLOAT_MANTISSA) | (FLOAT_MANTISSA + 1);
    let begin = u32(bits >> (FLOAT_DIGITS - 1u)) - FLOAT_FAR;
    // The product modulo 2 to three words; its two leading bits are the integer part modulo 4.
    let high_digits = digits_of_two_over_pi(begin);
    let middle_digits = digits_of_two_over_pi(begin + FLOAT_WIDTH);
    let low_digits = digits_of_two_over_pi(begin + 2u * FLOAT_WIDTH);
    let middle_low = mantissa * middle_digits;
    let middle = middle_low + upper_product(mantissa, low_digits);
    let carry = float_bits(select(0u, 1u, middle < middle_low));
    let high = mantissa * high_digits + upper_product(mantissa, middle_digits) + carry;
    let low = mantissa * low_digits;
    // The fraction, from -1/2 to 1/2, as a sign and two words.
    var f_high = (high << 2u) | (middle >> (FLOAT_WIDTH - 2u));
    var f_low = (middle << 2u) | (low >> (FLOAT_WIDTH - 2u));
    let negative = (f_high & FLOAT_SIGN) != 0;
    let quadrant = u32(high >> (FLOAT_WIDTH - 2u)) + select(0u, 1u, negative);
    if negative {
        f_low = ~f_low + 1;
        f_high = ~f_high + float_bits(select(0u, 1u, f_low == 0));
    }
    // Leading digits of a number, and those that follow them.
    let zeros = min(leading_zeros(f_high), FLOAT_WIDTH - 1u);
    let spare = FLOAT_WIDTH - FLOAT_DIGITS;
    let leading = (f_high << zeros) | select(0, f_low >> (FLOAT_WIDTH - zeros), zeros != 0u);
    let following = ((leading << FLOAT_DIGITS) | ((f_low << zeros) >> spare)) >> spare;
    let first = float(leading >> spare) * FLOAT_UNIT;
    let second = float(following) * FLOAT_UNIT * FLOAT_UNIT;
    let scale = bitcast<float>(float_bits(FLOAT_BIAS - i32(zeros)) << (FLOAT_DIGITS - 1u));
    return Turns(first, second, scale, negative, quadrant);
}
