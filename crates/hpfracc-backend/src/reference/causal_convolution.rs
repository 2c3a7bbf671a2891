//! `y[n] = sum_{k <= n} w[k] x[n-k]` and its transpose `x[j] = sum_{n >= j} w[n-j] y[n]`.

pub(super) fn apply(w: &[f64], x: &[f64], y: &mut [f64]) {
    for n in 0..y.len() {
        y[n] = (0..=n).map(|k| w[k] * x[n - k]).sum();
    }
}

pub(super) fn apply_transpose(w: &[f64], y: &[f64], x: &mut [f64]) {
    for j in 0..x.len() {
        x[j] = (j..y.len()).map(|n| w[n - j] * y[n]).sum();
    }
}
