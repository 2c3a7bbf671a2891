//! The far weights, from the singularity at x = 1 alone.
//!
//! With s = 1 - x, `delta^alpha (1-x)^-k = s^beta q^alpha`, beta = alpha - k, and q^alpha is a power
//! series in s. Its other singularities lie outside |x| = 1.15 and die out geometrically, so that
//!
//! ```text
//! u_m = sum_j gamma_j w_m^(beta+j),    q^alpha = sum_j gamma_j s^j,    s^b = sum_m w_m^(b) x^m
//! w_m^(b+1) = w_m^(b) (b+1) / (b+1-m)
//! ```
//!
//! Term j is of size j! / m^j. The recurrence would gather an error of 1e-11 by the millionth weight;
//! this has none.

use crate::weights::filled;
use hpfracc_special::{binomial_weights, binomial_weights_derivative};

/// From here on [`TERMS`] terms are exact to rounding: 8! / 512^8 = 9e-18.
pub(super) const FROM: usize = 512;
const TERMS: usize = 8;

/// The expansion of q^alpha in 1 - x, and its derivative in alpha.
struct Expansion {
    gamma: [f64; TERMS],
    slope: [f64; TERMS],
}

impl Expansion {
    /// q = sum_{i<p} s^i / (i+1), raised to alpha by the recurrence for powers of series.
    fn new(p: usize, alpha: f64) -> Self {
        let (mut gamma, mut slope) = ([0.0; TERMS], [0.0; TERMS]);
        gamma[0] = 1.0;
        for n in 1..TERMS {
            for i in 1..=n.min(p - 1) {
                let q = i as f64 / ((i + 1) * n) as f64;
                let factor = q * (alpha + 1.0 - n as f64 / i as f64);
                gamma[n] += factor * gamma[n - i];
                slope[n] += factor * slope[n - i] + q * gamma[n - i];
            }
        }
        Self { gamma, slope }
    }
}

/// Overwrites `u[FROM..]` with the coefficients of `delta^alpha (1-x)^-k`.
pub(super) fn write(u: &mut [f64], p: usize, alpha: f64, k: usize) {
    let Expansion { gamma, .. } = Expansion::new(p, alpha);
    let beta = alpha - k as f64;
    let w = filled(u.len(), |w| binomial_weights(beta, w));
    for (m, (u, w)) in u.iter_mut().zip(&w).enumerate().skip(FROM) {
        let mut sum = gamma[TERMS - 1];
        for j in (1..TERMS).rev() {
            let b = beta + j as f64;
            sum = gamma[j - 1] + sum * b / (b - m as f64);
        }
        *u = w * sum;
    }
}

/// Overwrites `du[FROM..]` with their derivatives in alpha.
pub(super) fn write_derivative(du: &mut [f64], p: usize, alpha: f64, k: usize) {
    let Expansion { gamma, slope } = Expansion::new(p, alpha);
    let beta = alpha - k as f64;
    let w = filled(du.len(), |w| binomial_weights(beta, w));
    let dw = filled(du.len(), |dw| binomial_weights_derivative(beta, dw));
    for (m, du) in du.iter_mut().enumerate().skip(FROM) {
        let (mut sum, mut dsum) = (gamma[TERMS - 1], slope[TERMS - 1]);
        for j in (1..TERMS).rev() {
            let b = beta + j as f64;
            let ratio = b / (b - m as f64);
            let dratio = -(m as f64) / ((b - m as f64) * (b - m as f64));
            dsum = slope[j - 1] + dsum * ratio + sum * dratio;
            sum = gamma[j - 1] + sum * ratio;
        }
        *du = dw[m] * sum + w[m] * dsum;
    }
}
