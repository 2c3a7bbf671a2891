// The epilogue of a layer: ACTIVATION(sum + bias) for four outputs.
//
// Follows elementary_f32.wgsl or elementary_f64.wgsl and precedes product.wgsl, which calls
// `finish`. Intermediate values do not overflow unless the result does, and NaN stays NaN.

@group(0) @binding(4) var<storage, read> bias: array<real>;

fn finish(sum: value, n: u32) -> value {
    let last = sizes.outputs - 1u;
    let b = value(
        bias[n], bias[min(n + 1u, last)], bias[min(n + 2u, last)], bias[min(n + 3u, last)]);
    return ACTIVATION(sum + b);
}

fn identity(x: value) -> value {
    return x;
}

fn relu(x: value) -> value {
    return select(x, value(0.0), x < value(0.0));
}

// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x).
fn sigmoid(x: value) -> value {
    let e = exp_minus(abs(x));
    return select(value(1.0), e, x < value(0.0)) / (1.0 + e);
}

// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|)
fn softplus(x: value) -> value {
    return relu(x) + log_1_plus(exp_minus(abs(x)));
}

fn silu(x: value) -> value {
    return x * sigmoid(x);
}

// x Phi(x), from Phi(-|x|), without cancellation on either side.
fn gelu(x: value) -> value {
    let tail = normal_tail(abs(x));
    return x * select(1.0 - tail, tail, x < value(0.0));
}
