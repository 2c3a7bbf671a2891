// Numbers that a device has: their arithmetic by name, and elementary functions, hpfracc_lanes::Elementary operation by
// operation. Constants and functions `polynomial_...` are generated from its tables; `fused` is a multiply-add of one
// rounding, and `rounded` a result that is rounded as it is written, if operations are guarded.

alias real = float;

alias quad = vec4<real>;

fn add(a: real, b: real) -> real {
    return rounded(a + b);
}

fn subtract(a: real, b: real) -> real {
    return rounded(a - b);
}

fn multiply(a: real, b: real) -> real {
    return rounded(a * b);
}

fn divide(a: real, b: real) -> real {
    return rounded(a / b);
}

fn negate(a: real) -> real {
    return -a;
}

// x + a b with two roundings.
fn add_product(x: real, a: real, b: real) -> real {
    return rounded(x + rounded(a * b));
}

// x + a b with one rounding.
fn add_fused_product(x: real, a: real, b: real) -> real {
    return fused(a, b, x);
}

fn is_less(a: real, b: real) -> bool {
    return a < b;
}

fn is_less_or_equal(a: real, b: real) -> bool {
    return a <= b;
}

fn is_equal(a: real, b: real) -> bool {
    return a == b;
}

// b where the condition holds, else a.
fn choose(a: real, b: real, condition: bool) -> real {
    return select(a, b, condition);
}

fn high_part(x: real) -> float {
    return x;
}

fn real_of(x: float) -> real {
    return x;
}

// A whole number.
fn real_of_word(x: u32) -> real {
    return float(x);
}

fn abs_of(x: real) -> real {
    return abs(x);
}

fn floor_of(x: real) -> real {
    return floor(x);
}

fn sqrt_of(x: real) -> real {
    return sqrt(x);
}

// x = n ln 2 + r: ROUND + n, -n, and the exact sum of x and the first part of -n ln 2.
struct Reduced {
    rounded_sum: float,
    minus_n: float,
    high: float,
}

fn reduce(x: float) -> Reduced {
    let rounded_sum = opaque(fused(x, LOG2_E, ROUND));
    let minus_n = ROUND - rounded_sum;
    return Reduced(rounded_sum, minus_n, fused(minus_n, LN_2_HIGH, x));
}

// exp(x) = 2^n (1 + rest).
struct Split {
    rounded_sum: float,
    rest: float,
}

fn split(x: float) -> Split {
    let parts = reduce(x);
    let r = fused(parts.minus_n, LN_2_LOW, parts.high);
    return Split(parts.rounded_sum, fused(r * r, polynomial_EXP(r), r));
}

// factor 2^n, which is exp(x); subnormal results are computed 2^64 times larger.
fn scaled(x: float, rounded_sum: float, factor: float) -> float {
    let subnormal = x < EXP_LOW;
    let power = power_of_two(rounded_sum, select(-1, 63, subnormal));
    return power * factor * select(float(2.0), 0x1p-63, subnormal);
}

fn exp_of(x: float) -> float {
    let inside = limited(x);
    let parts = split(inside);
    return scaled(inside, parts.rounded_sum, 1.0 + parts.rest);
}

// exp(x) of x <= 0, 0 where it would be subnormal.
fn decay(x: float) -> float {
    let parts = split(x);
    let value = power_of_two(parts.rounded_sum, 0) * (1.0 + parts.rest);
    return select(value, 0.0, x < EXP_LOW);
}

// (exp(x) - 1) / 2 where exp(x) is a normal number.
fn half_exp_m1(x: float) -> float {
    let parts = split(x);
    let half = power_of_two(parts.rounded_sum, -1);
    return fused(half, parts.rest, half - 0.5);
}

fn exp_m1_of(x: float) -> float {
    let low = select(x, EXP_LOW, x < EXP_LOW);
    return with_sign_of(2.0 * half_exp_m1(limited(low)), x);
}

fn ln_of(x: float) -> float {
    let subnormal = x < MIN_POSITIVE;
    let parts = fraction_and_exponent(select(x, x * LIFT, subnormal));
    var value = ln_parts(parts.f, select(parts.e, parts.e - LIFT_EXPONENT, subnormal));
    value = select(value, -infinity(), x == 0.0);
    value = select(not_a_number(), value, x >= 0.0);
    return select(value, x, x == infinity());
}

fn ln_1p_of(x: float) -> float {
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

fn tanh_of(x: float) -> float {
    let below = select(x, TANH_HIGH, x > TANH_HIGH);
    let inside = select(below, -TANH_HIGH, below < -TANH_HIGH);
    let e = half_exp_m1(2.0 * inside);
    return with_sign_of(e / (e + 1.0), x);
}

// sinh(x) / 2 and cosh(x) / 2 of x >= 0.
struct Halves {
    sinh: float,
    cosh: float,
}

fn halves(x: float) -> Halves {
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

fn sinh_of(x: float) -> float {
    let a = abs(x);
    let value = select(2.0 * halves(a).sinh, infinity(), a > COSH_HIGH);
    return with_sign_of(value, x);
}

fn cosh_of(x: float) -> float {
    let a = abs(x);
    return select(2.0 * halves(a).cosh, infinity(), a > COSH_HIGH);
}

struct SinCos {
    sin: float,
    cos: float,
}

// Of |x| = r + quadrant pi/2 modulo 2 pi, |r| <= pi/4.
fn of_reduced(r: float, quadrant: u32, x: float) -> SinCos {
    let square = r * r;
    let sin_r = fused(r * square, polynomial_SIN(square), r);
    let rest = rounded(square * polynomial_COS(square));
    let cos_r = fused(square, rest - 0.5, 1.0);
    let odd = (quadrant & 1u) != 0u;
    let second_half = (quadrant & 2u) != 0u;
    let negative = is_negative(x);
    return SinCos(
        negated_if(select(sin_r, cos_r, odd), second_half != negative),
        negated_if(select(cos_r, sin_r, odd), odd != second_half));
}

fn bounded_sin_cos(x: float) -> SinCos {
    let a = abs(x);
    let rounded_sum = opaque(fused(a, TWO_OVER_PI, ROUND));
    let minus_n = ROUND - rounded_sum;
    var r = fused(minus_n, HALF_PI_HIGH, a);
    r = fused(minus_n, HALF_PI_MIDDLE, r);
    r = fused(minus_n, HALF_PI_LOW, r);
    return of_reduced(r, u32(bitcast<float_bits>(rounded_sum) & 3), x);
}

// Beyond the bound.
fn far_sin_cos(x: float) -> SinCos {
    if (bitcast<float_bits>(x) & FLOAT_INFINITY) == FLOAT_INFINITY {
        return SinCos(not_a_number(), not_a_number());
    }
    let turns = far_turns(x);
    let rest = fused(turns.first, HALF_PI_MIDDLE, turns.second * HALF_PI_HIGH);
    let r = fused(turns.first, HALF_PI_HIGH, rest) * turns.scale;
    return of_reduced(negated_if(r, turns.negative), turns.quadrant, x);
}

fn sin_cos_of(x: float) -> SinCos {
    if abs(x) < ANGLE_BOUND {
        return bounded_sin_cos(x);
    }
    return far_sin_cos(x);
}

fn sin_of(x: float) -> float {
    return sin_cos_of(x).sin;
}

fn cos_of(x: float) -> float {
    return sin_cos_of(x).cos;
}

fn atan_of(x: float) -> float {
    let a = abs(x);
    let far = a > 1.0;
    let t = select(a, -(1.0 / a), far);
    let square = t * t;
    let small = fused(t * square, polynomial_ATAN(square), select(0.0, HALF_PI_MIDDLE, far));
    return with_sign_of(select(0.0, HALF_PI_HIGH, far) + (t + small), x);
}

fn erf_of(x: float) -> float {
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

// Two standard normals of two words, by Box and Muller: hpfracc_lanes::random::Gaussian. Nothing is fused, where operations
// are guarded.
fn normal_pair(x: u32, y: u32) -> NormalPair {
    let u = rounded(float(x) + 0.5) * 0x1p-32;
    let parts = fraction_and_exponent(u);
    // Near u = 1 the word itself has the digits that u has lost.
    let f = select(parts.f, rounded(float(~x) + 0.5) * -0x1p-32, parts.e == 0.0);
    let radius = sqrt(-2.0 * unfused_ln(f, parts.e));
    let quarter = (y + 0x20000000u) >> 30u;
    let rest = bitcast<i32>(y - (quarter << 30u));
    let a = rounded(rounded(float(rest) + 0.5) * QUARTER_OF_A_CIRCLE);
    let square = rounded(a * a);
    let sin_a = add_product(a, rounded(a * square), unfused_SIN(square));
    let cos_a = add_product(1.0 - 0.5 * square, rounded(square * square), unfused_COS(square));
    let even = (quarter & 1u) == 0u;
    let s = select(cos_a, sin_a, even);
    let c = select(sin_a, cos_a, even);
    return NormalPair(
        rounded(radius * negated_if(c, ((quarter + 1u) & 2u) != 0u)),
        rounded(radius * negated_if(s, (quarter & 2u) != 0u)));
}
