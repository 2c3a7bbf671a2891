//! Autocovariances of ARFIMA models by splitting: those of the autoregression convolved with those
//! of the fractionally integrated moving average.

use super::reflection::partial_autocorrelations;
use hpfracc_lanes::causal::SeriesConvolution;
use hpfracc_special::{gamma, recip_gamma};

/// Autocovariances of an autoregression below this share of the variance are left out.
const NEGLIGIBLE: f64 = 1e-17;

/// Lags whose quotients are formed as products.
const FIRST_STEPS: f64 = 8.0;

/// Longest memory of an autoregression.
const LONGEST: usize = 65_536;

/// Autocovariances of the lags 0 .. n-1 for innovations of variance 1 and -1/2 < d < 1/2; `None` for
/// an autoregression that is not stationary or has too long a memory.
pub(super) fn autocovariance(d: f64, ar: &[f64], ma: &[f64], n: usize) -> Option<Vec<f64>> {
    if ar.is_empty() {
        return Some(moving_average(d, ma, n));
    }
    let memory = autoregression(ar)?;
    // y[k] = sum_h a[|h|] g[|k-h|], |h| <= last, as a causal convolution of lags from -last on.
    let last = memory.len() - 1;
    let inner = moving_average(d, ma, n + last);
    let mut weights = vec![0.0; n + 2 * last];
    let mut lags = vec![0.0; n + 2 * last];
    for h in 0..=2 * last {
        weights[h] = memory[h.abs_diff(last)];
    }
    for (k, lag) in lags.iter_mut().enumerate() {
        *lag = inner[k.abs_diff(last)];
    }
    let convolution = SeriesConvolution::new(&weights);
    convolution.convolve(&mut lags, &mut convolution.buffers());
    Some(lags.split_off(2 * last))
}

/// Autocovariances of (1-B)^-d ε of the lags 0 .. n-1.
///
/// `γ(0) = Γ(1-2d) / Γ(1-d)²`, `γ(k) = γ(k-1) (k-1+d) / (k-d)`.
fn fractional_noise(d: f64, n: usize) -> Vec<f64> {
    let mut value = gamma(1.0 - 2.0 * d) * recip_gamma(1.0 - d).powi(2);
    let mut out = Vec::with_capacity(n);
    for k in 0..n {
        if k > 0 {
            let k = k as f64;
            if k <= FIRST_STEPS {
                value *= (k - 1.0 + d) / (k - d);
            } else {
                // The rounding of a small part of the value.
                value -= value * ((1.0 - 2.0 * d) / (k - d));
            }
        }
        out.push(value);
    }
    out
}

/// Autocovariances of a moving average of fractional noise.
fn moving_average(d: f64, ma: &[f64], n: usize) -> Vec<f64> {
    let q = ma.len();
    let fractional = fractional_noise(d, n + q);
    let theta: Vec<f64> = std::iter::once(1.0).chain(ma.iter().copied()).collect();
    let products: Vec<f64> =
        (0..=q).map(|i| theta.iter().zip(&theta[i..]).map(|(a, b)| a * b).sum()).collect();
    let value = |k: usize| {
        let pairs = (1..=q).map(|i| products[i] * (fractional[k + i] + fractional[k.abs_diff(i)]));
        products[0] * fractional[k] + pairs.sum::<f64>()
    };
    (0..n).map(value).collect()
}

/// Autocovariances of an autoregression with innovations of variance 1, as far as they count.
fn autoregression(ar: &[f64]) -> Option<Vec<f64>> {
    let partial = partial_autocorrelations(ar)?;
    let mut variance: f64 = partial.iter().map(|r| 1.0 / ((1.0 - r) * (1.0 + r))).product();
    let mut gamma = vec![variance];
    // The first by the recursion of Durbin and Levinson, the others by the equation itself.
    let mut coefficients: Vec<f64> = Vec::new();
    for r in &partial {
        let predicted: f64 = coefficients.iter().zip(gamma.iter().rev()).map(|(c, g)| c * g).sum();
        gamma.push(predicted + r * variance);
        variance *= (1.0 - r) * (1.0 + r);
        let mirrored: Vec<f64> = coefficients.iter().rev().copied().collect();
        for (c, other) in coefficients.iter_mut().zip(mirrored) {
            *c -= r * other;
        }
        coefficients.push(*r);
    }
    let negligible = NEGLIGIBLE * gamma[0];
    while gamma.iter().rev().take(ar.len()).any(|g| g.abs() > negligible) {
        if gamma.len() > LONGEST {
            return None;
        }
        let next = ar.iter().zip(gamma.iter().rev()).map(|(c, g)| c * g).sum();
        gamma.push(next);
    }
    Some(gamma)
}
