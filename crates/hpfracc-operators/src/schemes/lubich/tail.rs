//! The far weights, from the singularity at x = 1 alone.
//!
//! With s = 1 - x, `delta^alpha (1-x)^-k = s^beta q^alpha`, beta = alpha - k, and q^alpha is a
//! power series in s. Its other singularities lie outside |x| = 1.15 and die out geometrically, so
//! that
//!
//! ```text
//! u_m = sum_j gamma_j w_m^(beta+j),    q^alpha = sum_j gamma_j s^j,    s^b = sum_m w_m^(b) x^m
//! w_m^(b+1) = w_m^(b) (b+1) / (b+1-m)
//! ```
//!
//! Term j is of size j! / m^j. The recurrence would accumulate an error of 1e-11 by the millionth
//! weight; the expansion accumulates none.

use crate::Number;
use crate::schemes::sequences::binomial_weights;

/// From this index on [`TERMS`] terms are exact to rounding: 8! / 512^8 = 9e-18.
pub(super) const FROM: usize = 512;
const TERMS: usize = 8;

/// The expansion of q^alpha in s = 1 - x: q = sum_{i<p} s^i / (i+1), raised to alpha by the
/// recurrence for powers of series.
fn expansion<N: Number>(p: usize, alpha: N) -> [N; TERMS] {
    let mut gamma = [N::constant(0.0); TERMS];
    gamma[0] = N::constant(1.0);
    for n in 1..TERMS {
        for i in 1..=n.min(p - 1) {
            let q = i as f64 / ((i + 1) * n) as f64;
            let factor = (alpha + 1.0 - n as f64 / i as f64) * q;
            gamma[n] = gamma[n] + factor * gamma[n - i];
        }
    }
    gamma
}

/// Overwrites `u[FROM..]` with the coefficients of `delta^alpha (1-x)^-k`.
pub(super) fn write<N: Number>(u: &mut [N], p: usize, alpha: N, k: usize) {
    let gamma = expansion(p, alpha);
    let beta = alpha - k as f64;
    let w = binomial_weights(beta, u.len(), |w| w);
    for (m, (u, w)) in u.iter_mut().zip(&w).enumerate().skip(FROM) {
        let mut sum = gamma[TERMS - 1];
        for j in (1..TERMS).rev() {
            let b = beta + j as f64;
            sum = gamma[j - 1] + sum * b / (b - m as f64);
        }
        *u = *w * sum;
    }
}
