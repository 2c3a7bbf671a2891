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
use crate::powers::blocks::{self, DEGREE, Polynomial, in_powers_of};

/// Terms in 1/k: (5/64)^15 is 3e-17.
const TERMS: usize = 15;

pub(super) struct Tail {
    /// 1 + α.
    exponent: f64,
    /// Its rounding error.
    exponent_rest: f64,
    /// Coefficients of t^l m^-j in (m/k)^(1+α) Σ_j a_j k^-j, where a_j is the series of
    /// exp(Σ e_j k^-j) or the derivative of that product in α.
    values: [Polynomial; TERMS],
    changes: [Polynomial; TERMS],
    /// The anchor of the powers, and C and dC/dα in units of it.
    anchor: f64,
    constant: f64,
    constant_change: f64,
}

impl Tail {
    /// From w_k and dw_k/dα at k = `last.0`; the derivatives only if they are needed.
    pub(super) fn new(
        alpha: f64,
        slope: &OnePlus,
        last: (f64, f64, f64),
        derivative: bool,
    ) -> Self {
        let at_alpha = bernoulli(-alpha);
        let value = series(&at_alpha);
        let values = expand(&value, slope.head);
        let (anchor, w, dw) = last;
        let at = |c: &[f64]| c.iter().rev().fold(0.0, |s, &c| s / anchor + c);
        let constant = w / at(&value);
        let (mut changes, mut constant_change) = ([[0.0; DEGREE + 1]; TERMS], 0.0);
        if derivative {
            let change = series_change(&at_alpha, &value);
            // dw = D p + C dp, powers of the anchor being left out, as is its logarithm.
            constant_change = (dw - constant * at(&change)) / at(&value);
            changes = expand(&change, slope.head);
            // - ln(1+t) times the values.
            for (changes, values) in changes.iter_mut().zip(&values) {
                for l in 1..=DEGREE {
                    for i in 1..=l {
                        let sign = if i % 2 == 1 { -1.0 } else { 1.0 };
                        changes[l] += sign / i as f64 * values[l - i];
                    }
                }
            }
        }
        Self {
            exponent: slope.head,
            exponent_rest: slope.tail,
            values,
            changes,
            anchor,
            constant,
            constant_change,
        }
    }

    /// Writes the weights from index `start` on and their derivatives.
    #[inline(always)]
    pub(super) fn fill<T>(
        &self,
        start: usize,
        out: &mut [T],
        derivative: bool,
        write: impl Fn(&mut T, f64, f64),
    ) {
        let polynomials = |centre: f64, h: f64| {
            let log = (centre / self.anchor).ln();
            let power = (centre / self.anchor).powf(-self.exponent);
            let power = power - power * self.exponent_rest * log;
            let mut q = in_powers_of(h, &self.values);
            let mut dq = [0.0; DEGREE + 1];
            if derivative {
                let changes = in_powers_of(h, &self.changes);
                let factor = self.constant_change - self.constant * log;
                for l in 0..=DEGREE {
                    dq[l] = power * (factor * q[l] + self.constant * changes[l]);
                }
            }
            let scale = power * self.constant;
            q.iter_mut().for_each(|q| *q *= scale);
            [q, dq]
        };
        blocks::fill(start, out, polynomials, write);
    }
}

/// The coefficients of t^l m^-j in (m/k)^e Σ_j `series[j]` k^-j: (k/m)^p = Σ_l C(p,l) t^l.
fn expand(series: &[f64; TERMS], e: f64) -> [Polynomial; TERMS] {
    let mut rows = [[0.0; DEGREE + 1]; TERMS];
    // C(p,l) of all rows side by side.
    let mut terms = *series;
    for l in 0..=DEGREE {
        for (j, (row, term)) in rows.iter_mut().zip(&mut terms).enumerate() {
            row[l] = *term;
            *term *= (-e - j as f64 - l as f64) * (1.0 / (l + 1) as f64);
        }
    }
    rows
}

/// The series of exp(Σ e_j k^-j) in 1/k, from B_j(-α).
fn series(at_alpha: &[f64; TERMS + 1]) -> [f64; TERMS] {
    let mut moments = [0.0; TERMS]; // j e_j
    for j in 1..TERMS {
        let sign = if j % 2 == 1 { 1.0 } else { -1.0 };
        moments[j] = sign * (at_alpha[j + 1] - AT_ONE[j + 1]) / (j + 1) as f64;
    }
    let mut value = [0.0; TERMS];
    value[0] = 1.0;
    for k in 1..TERMS {
        value[k] = (1..=k).map(|j| moments[j] * value[k - j]).sum::<f64>() / k as f64;
    }
    value
}

/// The derivative of [`series`] in α: B'_{j+1} = (j+1) B_j, and the argument is -α.
fn series_change(at_alpha: &[f64; TERMS + 1], value: &[f64; TERMS]) -> [f64; TERMS] {
    let mut change = [0.0; TERMS];
    for k in 1..TERMS {
        let sign = |j: usize| if j % 2 == 1 { -1.0 } else { 1.0 };
        change[k] = (1..=k).map(|j| sign(j) * at_alpha[j] / j as f64 * value[k - j]).sum();
    }
    change
}

/// B_n(1).
const AT_ONE: [f64; TERMS + 1] = bernoulli(1.0);

/// B_0(x), ..., B_TERMS(x), from B_n(x+1) - B_n(x) = n x^{n-1}: Σ_{k<=n} C(n+1,k) B_k(x) =
/// (n+1) x^n.
const fn bernoulli(x: f64) -> [f64; TERMS + 1] {
    let mut b = [0.0; TERMS + 1];
    let (mut n, mut power) = (0, 1.0);
    while n <= TERMS {
        let (mut k, mut c, mut sum) = (0, 1.0, 0.0); // C(n+1, k)
        while k < n {
            sum += c * b[k];
            k += 1;
            c *= (n + 2 - k) as f64 / k as f64;
        }
        b[n] = power - sum / (n + 1) as f64;
        power *= x;
        n += 1;
    }
    b
}
