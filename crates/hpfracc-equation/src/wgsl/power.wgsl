// Powers with real exponents. The CPU computes exp(y ln x) in double precision; here numbers are sums of two f32, with
// errors of 2^-45, so that results round in the same way but in one of 1e5 cases.

struct Pair {
    high: f32,
    low: f32,
}

// a + b exactly.
fn pair_of_sum(a: f32, b: f32) -> Pair {
    let sum = opaque(a + b);
    let b_part = opaque(sum - a);
    let a_part = opaque(sum - b_part);
    return Pair(sum, opaque(a - a_part) + opaque(b - b_part));
}

// a b exactly.
fn pair_of_product(a: f32, b: f32) -> Pair {
    let product = opaque(a * b);
    return Pair(product, fused(a, b, -product));
}

fn pair_sum(a: Pair, b: Pair) -> Pair {
    let high = pair_of_sum(a.high, b.high);
    let low = pair_of_sum(a.low, b.low);
    let first = pair_of_sum(high.high, opaque(high.low + low.high));
    return pair_of_sum(first.high, opaque(first.low + low.low));
}

fn pair_product(a: Pair, b: Pair) -> Pair {
    let product = pair_of_product(a.high, b.high);
    return pair_of_sum(product.high, product.low + fused(a.high, b.low, a.low * b.high));
}

// ln(x) of positive x: e ln 2 + 2 s + s^3 (2/3 + 2/5 s^2 + ...) with s = f / (2 + f).
fn pair_ln(x: f32) -> Pair {
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
    let low = pair_of_product(e, LN_2_LOW);
    let of_exponent = pair_of_sum(e * LN_2_HIGH, low.high);
    return pair_sum(pair_sum(of_exponent, Pair(low.low, e * LN_2_LOWEST)), logarithm);
}

// exp(x), rounded once where it is a normal number.
fn exp_of_pair(x: Pair) -> f32 {
    let inside = limited(x.high);
    let rounded_sum = opaque(fused(inside, LOG2_E, ROUND));
    let minus_n = ROUND - rounded_sum;
    let low = pair_of_product(minus_n, LN_2_LOW);
    let high = pair_of_sum(fused(minus_n, LN_2_HIGH, inside), low.high);
    let rest = fused(minus_n, LN_2_LOWEST, low.low) + select(0.0, x.low, inside == x.high);
    let r = pair_sum(high, Pair(rest, 0.0));
    // 1 + r (1 + r (1/2 + r (1/6 + ...)))
    var sum = Pair(r.high * polynomial_TAYLOR(r.high), 0.0);
    sum = pair_product(r, pair_sum(Pair(INVERSE_720_HIGH, INVERSE_720_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_120_HIGH, INVERSE_120_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_24_HIGH, INVERSE_24_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(INVERSE_6_HIGH, INVERSE_6_LOW), sum));
    sum = pair_product(r, pair_sum(Pair(0.5, 0.0), sum));
    sum = pair_product(r, pair_sum(Pair(1.0, 0.0), sum));
    let value = pair_sum(Pair(1.0, 0.0), sum);
    return scaled(inside, rounded_sum, value.high + value.low);
}

// x^y of x >= 0.
fn power_of(x: f32, y: f32) -> f32 {
    let ln_x = pair_ln(x);
    let product = pair_of_product(y, ln_x.high);
    let exponent = pair_of_sum(product.high, fused(y, ln_x.low, product.low));
    // Where the exponent is large or infinite its second part is of no weight.
    let far = !(abs(product.high) < 200.0);
    let value = exp_of_pair(Pair(select(exponent.high, product.high, far), select(exponent.low, 0.0, far)));
    let extreme = x == 0.0 || x == infinity();
    return select(value, select(0.0, infinity(), (x == 0.0) == (y < 0.0)), extreme);
}

fn is_not_a_number(x: f32) -> bool {
    return (bitcast<u32>(x) & 0x7fffffffu) > 0x7f800000u;
}

fn pow_of(x: f32, y: f32) -> f32 {
    let a = abs(x);
    var value = select(power_of(a, y), 1.0, a == 1.0);
    let half = 0.5 * y;
    let integer = trunc(y) == y;
    let odd = integer && trunc(half) != half;
    value = negated_if(value, (bitcast<u32>(x) >> 31u) != 0u && odd);
    let undefined = x < 0.0 && x > -infinity() && !integer;
    value = select(value, not_a_number(), undefined || is_not_a_number(x) || is_not_a_number(y));
    return select(value, 1.0, y == 0.0 || x == 1.0);
}
