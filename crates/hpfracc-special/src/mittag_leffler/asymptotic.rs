//! The algebraic part of the expansion for large arguments.

use num_complex::Complex64;

use crate::gamma::{gamma, recip_gamma_corrected};

/// Most terms of the expansion.
const MOST_TERMS: usize = 24;

/// A(z) = -Σ_{k=1..n} z^{-k} / Γ(β-αk), the part of E_{α,β} that is not exponential
/// (Podlubny, Fractional Differential Equations, 1999, theorems 1.3 and 1.4).
///
/// Its first terms also serve the contour, which then integrates only the remainder.
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
        let mut coefficients: Vec<f64> = (1..=MOST_TERMS)
            .map(|k| {
                let k = k as f64;
                let product = alpha * k;
                let rest = alpha.mul_add(k, -product);
                let argument = beta - product;
                // The error of the two roundings of β - αk; two-sum for the difference.
                let back = argument - beta;
                let lost = (beta - (argument - back)) + (-product - back);
                -recip_gamma_corrected(argument, lost - rest)
            })
            .take_while(|c| c.abs() < 1e250)
            .collect();
        // The envelope |1/Γ(β-αk)| <= Γ(1-β+αk)/π has no zeros, and determines where the sum stops.
        let envelope = |k: usize| gamma((1.0 - beta + alpha * k as f64).max(1.5));
        let first = |k: usize| coefficients.get(k).map_or(0.0, |c: &f64| c.abs());
        let reach = |n: usize| {
            // envelope(n+1) r^{-(n+1)} is 1e-18 of the first term, or of the second where the
            // first vanishes. Optimal truncation leaves exp(-r^{1/α}), so that the exponentials of
            // poles left out next to the negative axis of s are below this too.
            let bound = 1e18 * envelope(n + 1).min(1e280);
            let (one, two) = (bound / first(0), bound / first(1));
            one.powf(1.0 / n as f64).min(two.powf(1.0 / (n as f64 - 1.0))).max(1.0)
        };
        let (mut radius, mut terms) = (f64::INFINITY, 3);
        for n in 3..coefficients.len() {
            let r = reach(n);
            if r < radius {
                (radius, terms) = (r, n);
            }
        }
        // Where all coefficients underflow: the squares formed by the contour must not overflow.
        radius = radius.min(1e40);
        let enough = |r: f64| (3..=terms).find(|&n| reach(n) <= r).unwrap_or(terms);
        let shorter = [4.0, 100.0].map(|f| (f * radius, enough(f * radius)));
        coefficients.truncate(terms.max(10));
        Self { radius, coefficients, shorter }
    }

    /// No terms from |z| = `radius` on: the rest is exponentially larger.
    pub(super) fn nothing(radius: f64) -> Self {
        Self { radius, coefficients: Vec::new(), shorter: [(f64::INFINITY, 0); 2] }
    }

    /// How many terms are enough at |z| = `size`.
    pub(super) fn terms(&self, size: f64) -> usize {
        let [near, far] = self.shorter;
        let most = self.coefficients.len();
        (if size >= far.0 {
            far.1
        } else if size >= near.0 {
            near.1
        } else {
            most
        })
        .min(most)
    }

    /// The first `terms` terms of A(x), plus `rest` x^{-terms}.
    pub(super) fn eval(&self, x: f64, terms: usize, rest: f64) -> f64 {
        let y = 1.0 / x;
        self.coefficients[..terms].iter().rev().fold(rest, |s, &c| (s + c) * y)
    }

    /// As `eval`, for complex z.
    pub(super) fn eval_complex(&self, z: Complex64, terms: usize, rest: Complex64) -> Complex64 {
        let y = z.inv();
        self.coefficients[..terms].iter().rev().fold(rest, |s, &c| (s + c) * y)
    }
}
