fn relu(x: f32) -> f32 {
    return select(x, 0.0, x < 0.0);
}

// 1 / (1 + e^-x), for x < 0 as e^x / (1 + e^x).
fn sigmoid(x: f32) -> f32 {
    let e = exp_of(-abs(x));
    return select(1.0, e, x < 0.0) / (1.0 + e);
}

// ln(1 + e^x) = max(x, 0) + ln(1 + e^-|x|)
fn softplus(x: f32) -> f32 {
    return relu(x) + ln_1p_of(exp_of(-abs(x)));
}

// Farther out the distribution functions are 0 or 1, and infinity times 0 would be NaN. NaN stays NaN.
fn above(x: f32) -> f32 {
    return select(x, -1e4, x < -1e4);
}

fn near(x: f32) -> f32 {
    return select(above(x), 1e4, x > 1e4);
}

fn silu(x: f32) -> f32 {
    return above(x) * sigmoid(near(x));
}

fn normal_distribution(x: f32) -> f32 {
    return 0.5 + 0.5 * erf_of(0.70710678 * x);
}

fn gelu(x: f32) -> f32 {
    return above(x) * normal_distribution(near(x));
}

// Approximation of the distribution function, and the slope of x times it.
fn gelu_tanh_parts(x: f32) -> vec2<f32> {
    let square = x * x;
    let t = tanh_of(0.79788456 * (x + 0.044715 * square * x));
    let inner = 0.79788456 * (1.0 + 3.0 * 0.044715 * square);
    let distribution = 0.5 * (1.0 + t);
    return vec2<f32>(distribution, distribution + 0.5 * x * (1.0 - t * t) * inner);
}

fn gelu_tanh(x: f32) -> f32 {
    return above(x) * gelu_tanh_parts(near(x)).x;
}

// Slopes at x.

fn relu_slope(x: f32) -> f32 {
    return select(0.0, 1.0, x > 0.0);
}

fn tanh_slope(x: f32) -> f32 {
    let y = tanh_of(x);
    return 1.0 - y * y;
}

fn sigmoid_slope(x: f32) -> f32 {
    return sigmoid(x) * sigmoid(-x);
}

fn softplus_slope(x: f32) -> f32 {
    return sigmoid(x);
}

fn silu_slope(x: f32) -> f32 {
    let y = near(x);
    let s = sigmoid(y);
    return s + y * s * sigmoid(-y);
}

fn gelu_slope(x: f32) -> f32 {
    let y = near(x);
    return normal_distribution(y) + y * (0.39894228 * exp_of(-0.5 * y * y));
}

fn gelu_tanh_slope(x: f32) -> f32 {
    return gelu_tanh_parts(near(x)).y;
}
