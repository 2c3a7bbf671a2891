// Double-float numbers: sums of two `f32`, 48 bits in the range of `f32`. Arithmetic has relative errors of 2^-45, and
// elementary functions of some 1e-13. Constants without a second part are those of single precision; polynomials are those
// of double precision.

alias real = Pair;

struct quad {
    x: real,
    y: real,
    z: real,
    w: real,
}

// A number whose first part is this sum, product or quotient: itself where it is infinite or not a number.
fn finite_or(x: float, value: Pair) -> Pair {
    return choose(Pair(x, 0.0), value, abs(x) < FLOAT_LARGE);
}

fn add(a: real, b: real) -> real {
    return finite_or(a.high + b.high, pair_sum(a, b));
}

fn subtract(a: real, b: real) -> real {
    return add(a, negate(b));
}

fn multiply(a: real, b: real) -> real {
    return finite_or(a.high * b.high, pair_product(a, b));
}

// Quotients of a device may have errors of 2.5 units in the last place.
fn pair_quotient(a: Pair, b: Pair) -> Pair {
    let first = a.high / b.high;
    let rest = pair_sum(a, negate(pair_product(b, Pair(first, 0.0))));
    let second = rest.high / b.high;
    let last = pair_sum(rest, negate(pair_product(b, Pair(second, 0.0)))).high / b.high;
    let sum = ordered_sum(first, second);
    return ordered_sum(sum.high, sum.low + last);
}

fn divide(a: real, b: real) -> real {
    let first = a.high / b.high;
    return choose(finite_or(first, pair_quotient(a, b)), Pair(first, 0.0), !(abs(b.high) < FLOAT_LARGE));
}

fn negate(a: real) -> real {
    return Pair(-a.high, -a.low);
}

// x + a b
fn add_product(x: real, a: real, b: real) -> real {
    return add(x, multiply(a, b));
}

fn add_fused_product(x: real, a: real, b: real) -> real {
    return add(x, multiply(a, b));
}

fn is_less(a: real, b: real) -> bool {
    return a.high < b.high || (a.high == b.high && a.low < b.low);
}

fn is_less_or_equal(a: real, b: real) -> bool {
    return a.high < b.high || (a.high == b.high && a.low <= b.low);
}

fn is_equal(a: real, b: real) -> bool {
    return a.high == b.high && a.low == b.low;
}

// b where the condition holds, else a.
fn choose(a: real, b: real, condition: bool) -> real {
    return Pair(select(a.high, b.high, condition), select(a.low, b.low, condition));
}

fn high_part(x: real) -> float {
    return x.high;
}

fn real_of(x: float) -> real {
    return Pair(x, 0.0);
}

// A whole number.
fn real_of_word(x: u32) -> real {
    return ordered_sum(float(x & 0xffff0000u), float(x & 0xffffu));
}

fn abs_of(x: real) -> real {
    return choose(x, negate(x), is_negative(x.high));
}

fn floor_of(x: real) -> real {
    let high = floor(x.high);
    return choose(Pair(high, 0.0), ordered_sum(high, floor(x.low)), high == x.high);
}

fn sqrt_of(x: real) -> real {
    let root = sqrt(x.high);
    let rest = pair_sum(x, negate(pair_of_product(root, root)));
    let value = ordered_sum(root, rest.high / (2.0 * root));
    return choose(Pair(root, 0.0), value, root > 0.0 && root < FLOAT_LARGE);
}

// x times a power of two.
fn pair_scaled(x: Pair, power: float) -> Pair {
    return Pair(x.high * power, x.low * power);
}

// exp(r) - 1 = r + r^2 p(r), |r| <= ln(2)/2
fn small_exp_m1(r: Pair) -> Pair {
    return pair_sum(r, pair_product(pair_product(r, r), polynomial_EXP(r)));
}

// x in the range of the exponentials, whose second part is of no weight beyond.
fn pair_limited(x: Pair) -> Pair {
    let inside = limited(x.high);
    return Pair(inside, select(0.0, x.low, inside == x.high));
}

// Subnormal results are computed 2^64 times larger.
fn exp_of(x: real) -> real {
    let inside = pair_limited(x);
    let parts = pair_reduce(inside);
    let subnormal = inside.high < EXP_LOW;
    let power = power_of_two(parts.rounded_sum, select(-1, 63, subnormal));
    let value = pair_scaled(pair_sum(ONE, small_exp_m1(parts.r)), power);
    let scaled = pair_scaled(value, select(float(2.0), 0x1p-63, subnormal));
    return finite_or(scaled.high, scaled);
}

fn exp_m1_of(x: real) -> real {
    let above = choose(x, Pair(EXP_LOW, 0.0), x.high < EXP_LOW);
    let parts = pair_reduce(pair_limited(above));
    let half = power_of_two(parts.rounded_sum, -1);
    let value = pair_sum(pair_scaled(small_exp_m1(parts.r), half), pair_of_sum(half, -0.5));
    return finite_or(2.0 * value.high, pair_scaled(value, 2.0));
}

// ln((1 + f) 2^e) = 2 s + s^3 p(s^2) + e ln 2 with s = f / (2 + f)
fn ln_of_parts(f: Pair, e: float) -> Pair {
    let s = pair_quotient(f, pair_sum(TWO, f));
    let square = pair_product(s, s);
    let cubic = pair_product(s, pair_product(square, polynomial_LN(square)));
    return pair_sum(pair_of_exponent(e), pair_sum(pair_scaled(s, 2.0), cubic));
}

fn ln_of(x: real) -> real {
    let subnormal = x.high < MIN_POSITIVE;
    let parts = fraction_and_exponent(select(x.high, x.high * LIFT, subnormal));
    let low = select(x.low / x.high * (1.0 + parts.f), x.low, parts.e == 0.0);
    let f = pair_of_sum(parts.f, select(low, 0.0, subnormal));
    let value = ln_of_parts(f, select(parts.e, parts.e - LIFT_EXPONENT, subnormal));
    var end = select(not_a_number(), -infinity(), x.high == 0.0);
    end = select(end, x.high, x.high == infinity());
    return choose(Pair(end, 0.0), value, x.high > 0.0 && x.high < FLOAT_LARGE);
}

fn ln_1p_of(x: real) -> real {
    let near = x.high > -0.29 && x.high < 0.41;
    return choose(ln_of(add(ONE, x)), ln_of_parts(choose(ZERO, x, near), 0.0), near);
}

// (exp(2x) - 1) / (exp(2x) + 1)
fn tanh_of(x: real) -> real {
    let above = choose(x, Pair(-TANH_HIGH, 0.0), x.high < -TANH_HIGH);
    let inside = choose(above, Pair(TANH_HIGH, 0.0), above.high > TANH_HIGH);
    let e = exp_m1_of(pair_scaled(inside, 2.0));
    return pair_quotient(e, pair_sum(e, TWO));
}

// exp(a)/2 of a >= 0, which is finite wherever the hyperbolic functions are.
fn half_exp(a: Pair) -> Pair {
    let far = a.high > COSH_HIGH;
    let parts = pair_reduce(choose(a, ZERO, far));
    let quarter = pair_scaled(pair_sum(ONE, small_exp_m1(parts.r)), power_of_two(parts.rounded_sum, -2));
    return choose(pair_scaled(quarter, 2.0), Pair(infinity(), 0.0), far);
}

fn sinh_of(x: real) -> real {
    let a = abs_of(x);
    let near = a.high < 0.35;
    let r = choose(ZERO, a, near);
    let square = pair_product(r, r);
    let small = pair_sum(r, pair_product(pair_product(r, square), polynomial_SINH(square)));
    let half = half_exp(a);
    let far = pair_sum(half, negate(pair_quotient(Pair(0.25, 0.0), half)));
    let value = choose(finite_or(half.high, far), small, near);
    return choose(value, negate(value), is_negative(x.high));
}

fn cosh_of(x: real) -> real {
    let half = half_exp(abs_of(x));
    return finite_or(half.high, pair_sum(half, pair_quotient(Pair(0.25, 0.0), half)));
}

// x = r + quadrant pi/2 modulo 2 pi, |r| <= pi/4.
struct Angle {
    r: Pair,
    quadrant: u32,
}

// Of one part of an angle.
fn angle_of(x: float) -> Angle {
    if !(abs(x) < ANGLE_BOUND) {
        let turns = far_turns(x);
        let r = pair_product(pair_of_sum(turns.first, turns.second), Pair(HALF_PI_HIGH, HALF_PI_MIDDLE));
        let scaled = pair_scaled(r, turns.scale);
        let signed = choose(scaled, negate(scaled), turns.negative != is_negative(x));
        return Angle(signed, select(turns.quadrant, 0u - turns.quadrant, is_negative(x)));
    }
    let rounded_sum = opaque(opaque(x * TWO_OVER_PI) + ROUND);
    let minus_n = ROUND - rounded_sum;
    var r = pair_sum(Pair(x, 0.0), pair_of_product(minus_n, HALF_PI_HIGH));
    r = pair_sum(r, pair_of_product(minus_n, HALF_PI_MIDDLE));
    return Angle(pair_sum(r, Pair(minus_n * HALF_PI_LOW, 0.0)), bitcast<u32>(rounded_sum));
}

fn angle_of_pair(x: Pair) -> Angle {
    let first = angle_of(x.high);
    let second = angle_of(x.low);
    let sum = pair_sum(first.r, second.r);
    // The sum of both may be a little more than pi/4.
    let turns = select(0.0, select(1.0, -1.0, sum.high < 0.0), abs(sum.high) > 0.8);
    let quarter = pair_scaled(Pair(HALF_PI_HIGH, HALF_PI_MIDDLE), -turns);
    return Angle(pair_sum(sum, quarter), first.quadrant + second.quadrant + bitcast<u32>(i32(turns)));
}

struct SinCos {
    sin: Pair,
    cos: Pair,
}

// Of |r| <= 0.8.
fn small_sin_cos(r: Pair) -> SinCos {
    let square = pair_product(r, r);
    let sin_r = pair_sum(r, pair_product(pair_product(r, square), polynomial_SIN(square)));
    let cos_r = pair_product(pair_product(square, square), polynomial_COS(square));
    return SinCos(sin_r, pair_sum(ONE, pair_sum(pair_scaled(square, -0.5), cos_r)));
}

fn turned(of_r: SinCos, quadrant: u32) -> SinCos {
    let odd = (quadrant & 1u) != 0u;
    let second_half = (quadrant & 2u) != 0u;
    let sin_x = choose(of_r.sin, of_r.cos, odd);
    let cos_x = choose(of_r.cos, of_r.sin, odd);
    return SinCos(choose(sin_x, negate(sin_x), second_half), choose(cos_x, negate(cos_x), odd != second_half));
}

fn sin_cos_of(x: real) -> SinCos {
    if !(abs(x.high) < FLOAT_LARGE) {
        return SinCos(Pair(not_a_number(), 0.0), Pair(not_a_number(), 0.0));
    }
    let angle = angle_of_pair(x);
    return turned(small_sin_cos(angle.r), angle.quadrant);
}

fn sin_of(x: real) -> real {
    return sin_cos_of(x).sin;
}

fn cos_of(x: real) -> real {
    return sin_cos_of(x).cos;
}

fn atan_of(x: real) -> real {
    let a = abs_of(x);
    let far = a.high > 1.0;
    let infinite = !(a.high < FLOAT_LARGE);
    let inverse = choose(negate(pair_quotient(ONE, choose(ONE, a, far))), ZERO, infinite);
    let t = choose(a, inverse, far);
    let square = pair_product(t, t);
    let small = pair_sum(t, pair_product(pair_product(t, square), polynomial_ATAN(square)));
    let value = choose(small, pair_sum(Pair(HALF_PI_HIGH, HALF_PI_MIDDLE), small), far);
    let signed = choose(value, negate(value), is_negative(x.high));
    return choose(signed, x, is_not_a_number(x.high));
}

fn erf_of(x: real) -> real {
    let a = choose(abs_of(x), Pair(6.0, 0.0), abs(x.high) > 6.0);
    let square = pair_product(a, a);
    let near = pair_sum(a, pair_product(a, polynomial_ERF(square)));
    let t = pair_quotient(ONE, pair_sum(ONE, pair_product(ERF_SLOPE_PAIR, a)));
    let bell = pair_product(exp_of(negate(square)), ERF_DENSITY_PAIR);
    let tail = pair_product(pair_product(bell, t), polynomial_MILLS(pair_sum(t, negate(HALF))));
    let value = choose(pair_sum(ONE, negate(tail)), near, a.high < 0.85);
    return choose(value, negate(value), is_negative(x.high));
}

// x^y of x >= 0: the relative error is that of y ln x times itself.
fn power_of(x: real, y: real) -> real {
    let value = exp_of(multiply(y, ln_of(x)));
    let extreme = x.high == 0.0 || x.high == infinity();
    let end = select(0.0, infinity(), (x.high == 0.0) == (y.high < 0.0));
    return choose(value, Pair(end, 0.0), extreme);
}

// Two standard normals of two words, by Box and Muller.
fn normal_pair(x: u32, y: u32) -> NormalPair {
    let u = pair_scaled(pair_sum(real_of_word(x), HALF), 0x1p-32);
    let radius = sqrt_of(pair_scaled(ln_of(u), -2.0));
    let quarter = (y + 0x20000000u) >> 30u;
    let rest = pair_sum(real_of_word(y - (quarter << 30u) + 0x20000000u), Pair(-536870912.0, 0.5));
    let of_rest = small_sin_cos(pair_product(rest, QUARTER_OF_A_CIRCLE));
    let of_angle = turned(of_rest, quarter);
    return NormalPair(pair_product(radius, of_angle.cos), pair_product(radius, of_angle.sin));
}

// A number of a table of words.
fn number_of_words(first: u32, last: u32) -> real {
    return Pair(bitcast<f32>(first), bitcast<f32>(last));
}

const NUMBER_WORDS = 2u;
