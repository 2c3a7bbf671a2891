// What a layer makes of a product in single precision: ACTIVATION(sum + bias), four outputs at
// once.
//
// Follows the alias `value` and precedes dense.wgsl, whose `finish` it defines. All formulas hang
// on one exponential of our own: the accuracy of the built-in functions differs between devices,
// and tanh may overflow. Nothing here overflows before its result does, and NaN stays NaN.

@group(0) @binding(4) var<storage, read> bias: array<real>;

fn finish(sum: value, n: u32) -> value {
    let last = sizes.outputs - 1u;
    let b = value(
        bias[n], bias[min(n + 1u, last)], bias[min(n + 2u, last)], bias[min(n + 3u, last)]);
    return ACTIVATION(sum + b);
}

// exp(-x), x >= 0: with x = k ln 2 - r, |r| <= ln(2) / 2, this is 2^-k exp(r). The leading part of
// ln 2 has so few digits that its multiples are exact. The Taylor polynomial is within 5e-9.
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

fn identity(x: value) -> value {
    return x;
}

fn relu(x: value) -> value {
    return select(x, value(0.0), x < value(0.0));
}

// Odd polynomial (interpolation at Chebyshev points of (tanh(x)/x - 1) / x^2 for x < 0.625, within
// 2e-8), beyond it (1 - e^-2|x|) / (1 + e^-2|x|).
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

// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x).
fn sigmoid(x: value) -> value {
    let e = exp_minus(abs(x));
    return select(value(1.0), e, x < value(0.0)) / (1.0 + e);
}

// ln(1 + e^x) = max(x, 0) + ln(1 + e), e = e^-|x|, by 2 artanh(s), s = e / (2 + e) <= 1/3: no
// digits are lost where e is small. The series is within 3e-9.
fn softplus(x: value) -> value {
    let e = exp_minus(abs(x));
    let s = e / (2.0 + e);
    let z = s * s;
    var p = value(1.0 / 15.0);
    p = fma(p, z, value(1.0 / 13.0));
    p = fma(p, z, value(1.0 / 11.0));
    p = fma(p, z, value(1.0 / 9.0));
    p = fma(p, z, value(1.0 / 7.0));
    p = fma(p, z, value(1.0 / 5.0));
    p = fma(p, z, value(1.0 / 3.0));
    return select(x, value(0.0), x < value(0.0)) + 2.0 * fma(p * z, s, s);
}

fn silu(x: value) -> value {
    return x * sigmoid(x);
}

// x Phi(x), with the normal distribution's Phi(-|x|) = erfc(z) / 2, z = |x| / sqrt(2). With t = 1 /
// (1 + z/2), erfc(z) = e^(-z^2) t P(t): interpolation at Chebyshev points, within 3e-8 of the whole
// for every z, so that nothing cancels on either side.
fn gelu(x: value) -> value {
    let t = 1.0 / fma(abs(x), value(0.353553391), value(1.0));
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
    let tail = 0.5 * t * p * exp_minus(0.5 * x * x);
    return x * select(1.0 - tail, tail, x < value(0.0));
}
