//! Grünwald and Letnikov's weights with a decay, 0 < alpha < 2, on a unit step with x = lambda h.
//!
//! The derivative has the weights `v_j = w_j exp(-x j)`, `w_j = (-1)^j C(alpha, j)`, of generating function
//! `phi(z) = (1 - z exp(-x))^alpha`. As differences of the samples,
//!
//! ```text
//! 0 < alpha <= 1:  phi(z) = phi(1) + (1-z) V(z),                        V_k = -sum_{j>k} v_j
//! 1 < alpha <  2:  phi(z) = phi(1) - (1-z) phi'(1) + (1-z)^2 V(z),      V_k = sum_{j>k} (j-k-1) v_j
//! ```
//!
//! where V decays like v and is of one sign: of a smooth record only its differences are rounded, and at
//! x = 0 V is the weight of the plain scheme. The sums are taken from the far end, where the first of them is
//!
//! ```text
//! V_k = s(alpha) int_0^inf exp(-(p+x)(k+q)) / (1 - exp(-(p+x)))^q (e^p - 1)^alpha dp,   q = ceil(alpha)
//! ```
//!
//! with `s = |sin(pi alpha)|/pi`, from `w_j = -sin(pi alpha)/pi int_0^inf exp(-p j) (e^p-1)^alpha dp`, j > alpha.

use super::jumps::Sum;
use crate::definitions::grunwald_letnikov::differences;
use crate::weights::filled;
use hpfracc_special::{binomial_weights, binomial_weights_derivative};
use std::f64::consts::PI;

/// phi(1) - (1-z) phi'(1) + .. : what a constant and a ramp give.
pub(super) struct Binomials {
    /// V by lag.
    pub(super) lags: Vec<f64>,
    /// phi(1).
    pub(super) level: f64,
    /// -phi'(1), the weight of the difference; 0 for alpha <= 1.
    pub(super) slope: f64,
}

impl Binomials {
    pub(super) fn new(alpha: f64, x: f64, n: usize) -> Self {
        let q = differences(alpha);
        let rest = -(-x).exp_m1();
        let level = rest.powf(alpha);
        let slope = if q < 2 { 0.0 } else { alpha * (-x).exp() * rest.powf(alpha - 1.0) };
        let sine = (PI * alpha).sin() / PI;
        let w = filled(n, |w| binomial_weights(alpha, w));
        let lags = summed(w, q, x, |k, i| sine * tail(alpha, k, i, x).0);
        Self { lags, level, slope }
    }

    /// The derivative in alpha, x held.
    pub(super) fn order_derivative(alpha: f64, x: f64, n: usize) -> Self {
        let q = differences(alpha);
        let rest = -(-x).exp_m1();
        let level = rest.powf(alpha) * rest.ln();
        let factor = (-x).exp() * rest.powf(alpha - 1.0);
        let slope = if q < 2 { 0.0 } else { factor * (1.0 + alpha * rest.ln()) };
        let (sine, cosine) = (PI * alpha).sin_cos();
        let w = filled(n, |w| binomial_weights_derivative(alpha, w));
        let lags = summed(w, q, x, |k, i| {
            let (value, by_log) = tail(alpha, k, i, x);
            cosine * value + sine / PI * by_log
        });
        Self { lags, level, slope }
    }
}

/// V by lag: q sums from the far end, each times -1. `end(k, i)` is the i-th of them at lag k.
fn summed(w: Vec<f64>, q: usize, x: f64, end: impl Fn(usize, i32) -> f64) -> Vec<f64> {
    let n = w.len();
    let mut v: Vec<f64> =
        w.into_iter().zip(0..).map(|(w, j)| w * (-x * f64::from(j)).exp()).collect();
    for i in 1..=q {
        let mut sum = Sum { sum: end(n - 1, i as i32), rest: 0.0 };
        for v in v.iter_mut().rev() {
            let here = *v;
            *v = sum.value();
            sum.add(-here);
        }
    }
    v
}

/// `int exp(-(p+x)(k+i)) / (1 - exp(-(p+x)))^i (e^p-1)^alpha dp`, with the sign of the i-th sum, and the same
/// with the factor `ln(e^p-1)`: the trapezoidal rule in y, `p = exp(y - exp(-y))/(k+1)`.
fn tail(alpha: f64, k: usize, i: i32, x: f64) -> (f64, f64) {
    const STEP: f64 = 1.0 / 32.0;
    let lag = k as f64 + f64::from(i);
    let (mut sum, mut by_log) = (0.0, 0.0);
    for step in -192..160 {
        let y = f64::from(step) * STEP;
        let p = (y - (-y).exp()).exp() / (k as f64 + 1.0);
        if p == 0.0 {
            continue;
        }
        let ln = p.exp_m1().ln();
        let decay = -(-(p + x)).exp_m1();
        let exponent = alpha * ln - (p + x) * lag;
        let term = STEP * p * (1.0 + (-y).exp()) * exponent.exp() / decay.powi(i);
        if term.is_finite() && ln.is_finite() {
            sum += term;
            by_log += term * ln;
        }
    }
    let sign = if i == 1 { 1.0 } else { -1.0 };
    (sign * sum, sign * by_log)
}
