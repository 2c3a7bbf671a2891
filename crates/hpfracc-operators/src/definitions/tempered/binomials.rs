//! Grünwald and Letnikov's weights with a decay, 0 < alpha < 2, on a unit step with x = lambda h.
//!
//! The derivative has the weights `v_j = w_j exp(-x j)`, `w_j = (-1)^j C(alpha, j)`, of generating
//! function `phi(z) = (1 - z exp(-x))^alpha`. As differences of the samples,
//!
//! ```text
//! 0 < alpha <= 1:  phi(z) = phi(1) + (1-z) V(z),                        V_k = -sum_{j>k} v_j
//! 1 < alpha <  2:  phi(z) = phi(1) - (1-z) phi'(1) + (1-z)^2 V(z),      V_k = sum_{j>k} (j-k-1) v_j
//! ```
//!
//! where V decays like v and is of one sign: for a smooth signal only its differences are rounded,
//! and at x = 0 V is the weight of the plain scheme. The sums start at the far end, with
//!
//! ```text
//! V_k = s(alpha) int_0^inf exp(-(p+x)(k+q)) / (1 - exp(-(p+x)))^q (e^p - 1)^alpha dp,   q = ceil(alpha)
//! ```
//!
//! with `s = |sin(pi alpha)|/pi`, from
//! `w_j = -sin(pi alpha)/pi int_0^inf exp(-p j) (e^p-1)^alpha dp`, j > alpha.

use crate::Number;
use crate::number::CompensatedSum;
use crate::schemes::lubich::differences;
use crate::schemes::sequences::binomial_weights;
use std::f64::consts::PI;

/// phi(1) - (1-z) phi'(1) + ..: the responses to a constant and to a ramp.
pub(super) struct Binomials<N> {
    /// V by lag.
    pub(super) lags: Vec<N>,
    /// phi(1).
    pub(super) level: N,
    /// -phi'(1), the weight of the difference; 0 for alpha <= 1.
    pub(super) slope: N,
}

impl<N: Number> Binomials<N> {
    pub(super) fn new(alpha: N, x: f64, n: usize) -> Self {
        let q = differences(alpha.value());
        let rest = N::constant(-(-x).exp_m1());
        let level = rest.powf(alpha);
        let slope = match q {
            0 | 1 => N::constant(0.0),
            _ => alpha * (-x).exp() * rest.powf(alpha - 1.0),
        };
        let sine = (alpha * PI).sin() / PI;
        let lags =
            summed(binomial_weights(alpha, n, |w| w), q, x, |k, i| sine * tail(alpha, k, i, x));
        Self { lags, level, slope }
    }
}

/// V by lag: q sums from the far end, each times -1. `end(k, i)` is the i-th of them at lag k.
fn summed<N: Number>(w: Vec<N>, q: usize, x: f64, end: impl Fn(usize, i32) -> N) -> Vec<N> {
    let n = w.len();
    let mut v: Vec<N> =
        w.into_iter().zip(0..).map(|(w, j)| w * (-x * f64::from(j)).exp()).collect();
    for i in 1..=q {
        let mut sum = CompensatedSum::starting_at(end(n - 1, i as i32));
        for v in v.iter_mut().rev() {
            let here = *v;
            *v = sum.total();
            sum.add(-here);
        }
    }
    v
}

/// `int exp(-(p+x)(k+i)) / (1 - exp(-(p+x)))^i (e^p-1)^alpha dp`, with the sign of the i-th sum, by
/// the trapezoidal rule in y, `p = exp(y - exp(-y))/(k+1)`. Its derivative in alpha has the factor
/// `ln(e^p-1)`.
fn tail<N: Number>(alpha: N, k: usize, i: i32, x: f64) -> N {
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
        let exponent = alpha.value() * ln - (p + x) * lag;
        let term = STEP * p * (1.0 + (-y).exp()) * exponent.exp() / decay.powi(i);
        if term.is_finite() && ln.is_finite() {
            sum += term;
            by_log += term * ln;
        }
    }
    let sign = if i == 1 { 1.0 } else { -1.0 };
    N::new(sign * sum, sign * by_log * alpha.derivative())
}
