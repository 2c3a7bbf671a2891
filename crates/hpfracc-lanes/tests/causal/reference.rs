//! The formulas in loops, in double precision: the oracle of every causal sum.

/// `y[n] = sum_{k <= n} w[k] x[n-k]` for rows of `lanes` values.
///
/// Weights beyond the end of `weights` are zero.
pub(crate) fn convolve(weights: &[f64], x: &[f64], lanes: usize) -> Vec<f64> {
    let mut y = vec![0.0; x.len()];
    for (n, y) in y.chunks_exact_mut(lanes).enumerate() {
        for (k, weight) in weights.iter().enumerate().take(n + 1) {
            let row = &x[(n - k) * lanes..][..lanes];
            y.iter_mut().zip(row).for_each(|(y, x)| *y += weight * x);
        }
    }
    y
}

/// `xbar[n] = sum_k w[k] ybar[n+k]`, the transpose of [`convolve`].
pub(crate) fn correlate(weights: &[f64], ybar: &[f64], lanes: usize) -> Vec<f64> {
    let mut xbar = vec![0.0; ybar.len()];
    for (n, xbar) in xbar.chunks_exact_mut(lanes).enumerate() {
        for (weight, row) in weights.iter().zip(ybar[n * lanes..].chunks_exact(lanes)) {
            xbar.iter_mut().zip(row).for_each(|(xbar, y)| *xbar += weight * y);
        }
    }
    xbar
}

/// `s[n] = sum_{1 <= m <= n} w[m] f[n-m]`, the online sum before sample n; `weights[m - 1]` has the
/// lag m.
pub(crate) fn online(weights: &[f64], f: &[f64], lanes: usize) -> Vec<f64> {
    let by_lag: Vec<f64> = std::iter::once(0.0).chain(weights.iter().copied()).collect();
    convolve(&by_lag, f, lanes)
}
