// Elementary functions in double precision, where the built-in ones return wrong values without an
// error.

// exp(r) - 1, |r| <= ln(2) / 2: the Taylor polynomial is within 1e-18.
fn exp_minus_1(r: value) -> value {
    var p = value(1.0 / 87178291200.0);
    p = fma(p, r, value(1.0 / 6227020800.0));
    p = fma(p, r, value(1.0 / 479001600.0));
    p = fma(p, r, value(1.0 / 39916800.0));
    p = fma(p, r, value(1.0 / 3628800.0));
    p = fma(p, r, value(1.0 / 362880.0));
    p = fma(p, r, value(1.0 / 40320.0));
    p = fma(p, r, value(1.0 / 5040.0));
    p = fma(p, r, value(1.0 / 720.0));
    p = fma(p, r, value(1.0 / 120.0));
    p = fma(p, r, value(1.0 / 24.0));
    p = fma(p, r, value(1.0 / 6.0));
    p = fma(p, r, value(0.5));
    return fma(p * r, r, r);
}

// exp(-x) = (1 + small) power, x >= 0: with x = k ln 2 - r, |r| <= ln(2) / 2, power = 2^-k and
// small = exp(r) - 1. The high part of ln 2 has few digits, so that its multiples are exact.
struct Exponential {
    small: value,
    power: value,
}

// The smallest normal number is exp(-708.4).
const SMALLEST = 708.0lf;

fn exponential(x: value) -> Exponential {
    let inside = select(x, value(SMALLEST), x > value(SMALLEST));
    let k = floor(inside * 1.4426950408889634 + 0.5);
    let r = (k * 0.693147180369123816490 - inside) + k * 1.90821492927058770002e-10;
    return Exponential(exp_minus_1(r), ldexp(value(1.0), -vec4<i32>(k)));
}

fn exp_minus(x: value) -> value {
    let e = exponential(x);
    return select(fma(e.small, e.power, e.power), value(0.0), x > value(SMALLEST));
}

// -m / (2 + m), m = exp(-2|x|) - 1, with the sign of x.
fn tanh_of(x: value) -> value {
    let e = exponential(2.0 * abs(x));
    let m = e.small * e.power + (e.power - 1.0);
    let size = -m / (2.0 + m);
    return select(size, -size, x < value(0.0));
}

// ln(1 + e), 0 <= e <= 1, as 2 artanh(s), s = e / (2 + e) <= 1/3, accurate for small e. The series
// is within 2e-18.
fn log_1_plus(e: value) -> value {
    let s = e / (2.0 + e);
    let z = s * s;
    var p = value(1.0 / 33.0);
    p = fma(p, z, value(1.0 / 31.0));
    p = fma(p, z, value(1.0 / 29.0));
    p = fma(p, z, value(1.0 / 27.0));
    p = fma(p, z, value(1.0 / 25.0));
    p = fma(p, z, value(1.0 / 23.0));
    p = fma(p, z, value(1.0 / 21.0));
    p = fma(p, z, value(1.0 / 19.0));
    p = fma(p, z, value(1.0 / 17.0));
    p = fma(p, z, value(1.0 / 15.0));
    p = fma(p, z, value(1.0 / 13.0));
    p = fma(p, z, value(1.0 / 11.0));
    p = fma(p, z, value(1.0 / 9.0));
    p = fma(p, z, value(1.0 / 7.0));
    p = fma(p, z, value(1.0 / 5.0));
    p = fma(p, z, value(1.0 / 3.0));
    return 2.0 * fma(p * z, s, s);
}

// Phi(-x) = erfc(z) / 2, x >= 0, z = x / sqrt(2), by normal_tail.wgsl. The exponent x^2 / 2 is h^2
// / 2 + (x - h) (x + h) / 2, h the nearest f32, whose square is exact: a rounded x^2 / 2 would cost
// as many digits as it has before the point.
fn normal_tail(x: value) -> value {
    let t = 1.0 / fma(x, value(0.35355339059327373), value(1.0));
    let inside = select(x, value(40.0), x > value(40.0));
    let h = value(vec4<f32>(inside));
    let rest = exp_minus_1(-0.5 * (inside - h) * (inside + h));
    let e = exp_minus(0.5 * h * h);
    return 0.5 * t * tail_polynomial(2.0 * t - 1.0) * fma(e, rest, e);
}
