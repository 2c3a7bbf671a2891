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

// Farther out the distribution functions are 0 or 1, and infinity times 0 would be NaN.
fn near(x: value) -> value {
    return clamp(x, value(-1e4), value(1e4));
}

fn silu(x: value) -> value {
    return max(x, value(-1e4)) * sigmoid(near(x));
}

// Phi(x), without cancellation on either side.
fn normal_distribution(x: value) -> value {
    let tail = normal_tail(abs(x));
    return select(1.0 - tail, tail, x < value(0.0));
}

fn gelu(x: value) -> value {
    return max(x, value(-1e4)) * normal_distribution(near(x));
}

fn gelu_tanh_parts(x: value) -> array<value, 2> {
    let square = x * x;
    let t = tanh_of(0.797884561 * (x + 0.044715 * square * x));
    let inner = 0.797884561 * (1.0 + 3.0 * 0.044715 * square);
    let distribution = 0.5 * (1.0 + t);
    return array<value, 2>(distribution, distribution + 0.5 * x * (1.0 - t * t) * inner);
}

fn gelu_tanh(x: value) -> value {
    let parts = gelu_tanh_parts(near(x));
    return max(x, value(-1e4)) * parts[0];
}

// Slopes at x.

fn identity_slope(x: value) -> value {
    return value(1.0);
}

fn relu_slope(x: value) -> value {
    return select(value(0.0), value(1.0), x > value(0.0));
}

fn tanh_slope(x: value) -> value {
    let y = tanh_of(x);
    return 1.0 - y * y;
}

fn sigmoid_slope(x: value) -> value {
    let y = sigmoid(x);
    return y * sigmoid(-x);
}

fn softplus_slope(x: value) -> value {
    return sigmoid(x);
}

fn silu_slope(x: value) -> value {
    let y = near(x);
    let s = sigmoid(y);
    return s + y * s * sigmoid(-y);
}

fn gelu_slope(x: value) -> value {
    let y = near(x);
    return normal_distribution(y) + y * (0.398942280 * exp_minus(0.5 * y * y));
}

fn gelu_tanh_slope(x: value) -> value {
    let parts = gelu_tanh_parts(near(x));
    return parts[1];
}
