// Elementary functions in single precision. The accuracy of built-in functions differs between
// devices, and the built-in tanh may overflow.

// exp(-x), x >= 0: with x = k ln 2 - r, |r| <= ln(2) / 2, this is 2^-k exp(r). The high part of
// ln 2 has few digits, so that its multiples are exact. The Taylor polynomial is within 5e-9.
fn exp_minus(x: value) -> value {
    let inside = select(x, value(87.0), x > value(87.0));
    let k = round(inside * 1.44269504);
    let r = (k * 0.693359375 - inside) + k * -2.12194440e-4;
    var p = value(1.0 / 5040.0);
    p = fma(p, r, value(1.0 / 720.0));
    p = fma(p, r, value(1.0 / 120.0));
    p = fma(p, r, value(1.0 / 24.0));
    p = fma(p, r, value(1.0 / 6.0));
    p = fma(p, r, value(0.5));
    p = fma(p * r, r, r) + 1.0;
    let power = bitcast<value>((vec4<i32>(127) - vec4<i32>(k)) << vec4<u32>(23u));
    return select(p * power, value(0.0), x > value(87.0));
}

// For |x| < 0.625 an odd polynomial (interpolation at Chebyshev points of (tanh(x)/x - 1) / x^2,
// within 2e-8), otherwise (1 - e^-2|x|) / (1 + e^-2|x|).
fn tanh_of(x: value) -> value {
    let z = x * x;
    var p = value(-0.00609671417);
    p = fma(p, z, value(0.020997179));
    p = fma(p, z, value(-0.0538509096));
    p = fma(p, z, value(0.133327697));
    p = fma(p, z, value(-0.333333289));
    let e = exp_minus(2.0 * abs(x));
    let large = sign(x) * ((1.0 - e) / (1.0 + e));
    return select(large, fma(p * z, x, x), abs(x) < value(0.625));
}

// ln(1 + e), 0 <= e <= 1, as 2 artanh(s), s = e / (2 + e) <= 1/3, accurate for small e. The series
// is within 3e-9.
fn log_1_plus(e: value) -> value {
    let s = e / (2.0 + e);
    let z = s * s;
    var p = value(1.0 / 15.0);
    p = fma(p, z, value(1.0 / 13.0));
    p = fma(p, z, value(1.0 / 11.0));
    p = fma(p, z, value(1.0 / 9.0));
    p = fma(p, z, value(1.0 / 7.0));
    p = fma(p, z, value(1.0 / 5.0));
    p = fma(p, z, value(1.0 / 3.0));
    return 2.0 * fma(p * z, s, s);
}

// Phi(-x) = erfc(z) / 2, x >= 0, z = x / sqrt(2). With t = 1 / (1 + z/2), erfc(z) = e^(-z^2) t
// P(t): interpolation at Chebyshev points, relative error within 3e-8 for every z.
fn normal_tail(x: value) -> value {
    let t = 1.0 / fma(x, value(0.353553391), value(1.0));
    var p = value(0.0453513366);
    p = fma(p, t, value(-0.245580036));
    p = fma(p, t, value(0.51689954));
    p = fma(p, t, value(-0.482474761));
    p = fma(p, t, value(0.15188518));
    p = fma(p, t, value(-0.0679582753));
    p = fma(p, t, value(0.0958271994));
    p = fma(p, t, value(0.174948596));
    p = fma(p, t, value(0.246913561));
    p = fma(p, t, value(0.282092867));
    p = fma(p, t, value(0.2820948));
    return 0.5 * t * p * exp_minus(0.5 * x * x);
}
