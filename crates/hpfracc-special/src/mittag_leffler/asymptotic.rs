//! The algebraic part of the expansion for large arguments.

use num_complex::Complex64;

use crate::gamma::{gamma, recip_gamma_corrected};

/// Most terms of the expansion.
const MOST_TERMS: usize = 24;

/// A(z) = -Σ_{k=1..n} z^{-k} / Γ(β-αk), the part of E_{α,β} that is not exponential
/// (DLMF 8.19(vi), Podlubny 1999, theorems 1.3 and 1.4).
///
/// Its first terms also serve the contour, which then integrates only what they leave.
#[derive(Debug, Clone)]
pub(super) struct Asymptotic {
    /// From this |z| on the whole sum is as good as the arithmetic.
    pub(super) radius: f64,
    /// -1/Γ(β-αk) for k = 1, 2, ... .
    pub(super) coefficients: Vec<f64>,
    /// Enough of them at four times and at a hundred times the radius.
    shorter: [(f64, usize); 2],
}

impl Asymptotic {
    pub(super) fn new(alpha: f64, beta: f64) -> Self {
        let coefficients: Vec<f64> = (1..=MOST_TERMS)
            .map(|k| {
                let k = k as f64;
                let product = alpha * k;
                let rest = alpha.mul_add(k, -product);
                let argument = beta - product;
                // What the two roundings leave out of β - αk; two-sum for the difference.
                let back = argument - beta;
                let lost = (beta - (argument - back)) + (-product - back);
                -recip_gamma_corrected(argument, lost - rest)
            })
            .collect();
        // The envelope |1/Γ(β-αk)| <= Γ(1-β+αk)/π has no zeros, so it tells where the sum stops.
        let envelope = |k: usize| gamma((1.0 - beta + alpha * k as f64).max(1.5));
        // The exponentials left out next to the negative axis of s are below exp(-45).
        let least = 45f64.powf(alpha).max(1.0);
        let reach = |n: usize| {
            // envelope(n+1) r^{-(n+1)} <= 1e-18 r^{-2} (the first coefficient may vanish).
            let e = envelope(n + 1).min(1e280);
            (1e18 * e).powf(1.0 / (n as f64 - 1.0)).max(least)
        };
        let (mut radius, mut terms) = (f64::INFINITY, 3);
        for n in 3..MOST_TERMS {
            let r = reach(n);
            if r < radius {
                (radius, terms) = (r, n);
            }
        }
        let enough = |r: f64| (3..=terms).find(|&n| reach(n) <= r).unwrap_or(terms);
        let shorter = [4.0, 100.0].map(|f| (f * radius, enough(f * radius)));
        let mut coefficients = coefficients;
        coefficients.truncate(terms.max(10));
        Self { radius, coefficients, shorter }
    }

    /// How many terms are enough at |z| = `size`.
    pub(super) fn terms(&self, size: f64) -> usize {
        let [near, far] = self.shorter;
        let most = self.coefficients.len();
        (if size >= far.0 { far.1 } else if size >= near.0 { near.1 } else { most }).min(most)
    }

    /// The first `terms` terms of A(x).
    pub(super) fn eval(&self, x: f64, terms: usize) -> f64 {
        let y = 1.0 / x;
        self.coefficients[..terms].iter().rev().fold(0.0, |s, &c| (s + c) * y)
    }

    /// The first `terms` terms of A(z).
    pub(super) fn eval_complex(&self, z: Complex64, terms: usize) -> Complex64 {
        let y = z.inv();
        self.coefficients[..terms].iter().rev().fold(Complex64::ZERO, |s, &c| (s + c) * y)
    }
}
