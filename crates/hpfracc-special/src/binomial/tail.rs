//! Grünwald–Letnikov weights of large index.
//!
//! ```text
//! w_k = C k^{-1-α} exp(Σ_{j≥1} e_j k^{-j}),   C = 1/Γ(-α),
//! e_j = (-1)^{j+1} (B_{j+1}(-α) - B_{j+1}(1)) / (j(j+1)),
//! ```
//!
//! with Bernoulli polynomials, the difference of two expansions of ln Γ (DLMF 5.11.8). C and its
//! derivative are taken from the last weight of the recurrence, so that the two join without a
//! step. In a block of indices around m this is one polynomial in t = (k-m)/m.

use super::OnePlus;
use crate::powers::{DEGREE, TAPER, block};

/// Terms in 1/k: (5/256)^10 is 8e-18.
const TERMS: usize = 10;

pub(super) struct Tail {
    /// 1 + α.
    exponent: f64,
    /// Its rounding error.
    exponent_rest: f64,
    /// Series of exp(Σ e_j k^{-j}) and of its derivative in α.
    value: [f64; TERMS],
    change: [f64; TERMS],
    /// The anchor of the powers, and C and dC/dα in units of it.
    anchor: f64,
    constant: f64,
    constant_change: f64,
}

impl Tail {
    /// From w_k and dw_k/dα at k = `last.0`.
    pub(super) fn new(alpha: f64, slope: &OnePlus, last: (f64, f64, f64)) -> Self {
        let (at_alpha, at_one) = (bernoulli(-alpha), bernoulli(1.0));
        let (mut e, mut de) = ([0.0; TERMS], [0.0; TERMS]);
        for j in 1..TERMS {
            let n = j as f64;
            let sign = if j % 2 == 1 { 1.0 } else { -1.0 };
            e[j] = sign * (at_alpha[j + 1] - at_one[j + 1]) / (n * (n + 1.0));
            // B'_{j+1} = (j+1) B_j, and the argument is -α.
            de[j] = -sign * at_alpha[j] / n;
        }
        let (mut value, mut change) = ([0.0; TERMS], [0.0; TERMS]);
        value[0] = 1.0;
        for k in 1..TERMS {
            value[k] = (1..=k).map(|j| j as f64 * e[j] * value[k - j]).sum::<f64>() / k as f64;
        }
        for k in 1..TERMS {
            change[k] = (1..=k).map(|j| de[j] * value[k - j]).sum();
        }
        let (anchor, w, dw) = last;
        let at = |c: &[f64]| c.iter().rev().fold(0.0, |s, &c| s / anchor + c);
        let (p, dp) = (at(&value), at(&change));
        let constant = w / p;
        // dw = D p + C dp, powers of the anchor being left out, as is its logarithm.
        let constant_change = (dw - constant * dp) / p;
        Self {
            exponent: slope.head,
            exponent_rest: slope.tail,
            value,
            change,
            anchor,
            constant,
            constant_change,
        }
    }

    /// Writes the weights from index `start` on and their derivatives.
    #[inline(always)]
    pub(super) fn fill<T>(
        &self,
        mut start: usize,
        mut out: &mut [T],
        derivative: bool,
        write: impl Fn(&mut T, f64, f64),
    ) {
        while !out.is_empty() {
            let half = start / (TAPER - 1);
            let len = (2 * half + 1).min(out.len());
            let (now, later) = out.split_at_mut(len);
            let centre = (start + half) as f64;
            let h = 1.0 / centre;
            let log = (centre / self.anchor).ln();
            let power = (centre / self.anchor).powf(-self.exponent);
            let power = power - power * self.exponent_rest * log;
            // Σ_j a_j k^{-j} (k/m)^{-1-α} with (k/m)^p = Σ_l C(p,l) t^l.
            let expand = |a: &dyn Fn(usize) -> f64| {
                let mut q = [0.0; DEGREE + 1];
                let mut scale = power;
                for j in 0..TERMS {
                    let mut c = scale * a(j);
                    let p = -self.exponent - j as f64;
                    for (l, q) in q.iter_mut().enumerate() {
                        *q += c;
                        c *= (p - l as f64) / (l + 1) as f64;
                    }
                    scale *= h;
                }
                q
            };
            let weights = expand(&|j| self.constant * self.value[j]);
            let mut changes = [0.0; DEGREE + 1];
            if derivative {
                let factor = self.constant_change - self.constant * log;
                changes = expand(&|j| factor * self.value[j] + self.constant * self.change[j]);
                // - ln(1+t) times the weights.
                for l in 1..=DEGREE {
                    for j in 1..=l {
                        let sign = if j % 2 == 1 { -1.0 } else { 1.0 };
                        changes[l] += sign / j as f64 * weights[l - j];
                    }
                }
            }
            block([&weights, &changes], half as f64 * h, h, now, &write);
            start += len;
            out = later;
        }
    }
}

/// B_0(x), ..., B_TERMS(x), from B_n(x+1) - B_n(x) = n x^{n-1}: Σ_{k<=n} C(n+1,k) B_k(x) =
/// (n+1) x^n.
fn bernoulli(x: f64) -> [f64; TERMS + 1] {
    let mut b = [0.0; TERMS + 1];
    for n in 0..=TERMS {
        let mut c = 1.0; // C(n+1, k)
        let mut sum = 0.0;
        for (k, b) in b[..n].iter().enumerate() {
            sum += c * b;
            c *= (n + 1 - k) as f64 / (k + 1) as f64;
        }
        b[n] = x.powi(n as i32) - sum / (n + 1) as f64;
    }
    b
}
