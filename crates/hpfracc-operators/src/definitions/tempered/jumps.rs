//! The L1 scheme with a tempered kernel, 0 < alpha < 1, on a unit step with x = lambda h.
//!
//! With `nu(t) = alpha/Gamma(1-alpha) exp(-x t) t^(-1-alpha)`, the measure of the jumps of a tempered stable
//! process, and its tail `q(t) = int_t^inf nu`,
//!
//! ```text
//! exp(-x t) D^alpha (exp(x t) f) = x^alpha f + int_0^t q(t-s) f'(s) ds + q(t) f(0)      Riemann-Liouville
//! ```
//!
//! by parts from `(f(t) - f(s)) nu(t-s)`. Here f is linear between samples and everything else exact: no
//! difference of `exp(x t) f` is formed, whose terms would differ by orders of magnitude, and at x = 0 it is
//! the L1 scheme. (Linear `exp(x t) f` instead would be wrong by x^2 f for a constant.)
//!
//! ```text
//! int_k^{k+1} q = q(k+1) + int_0^1 u nu(k+u) du,    q(k) = q(k+1) + int_0^1 nu(k+u) du
//! ```
//!
//! are sums of positive terms, taken from the far end. In the first cell the moment is an incomplete gamma
//! function.

use crate::schemes::cell_integrals::{CellIntegrals, gauss_legendre};
use crate::schemes::exponential_moments::exponential_moment;
use hpfracc_special::{digamma, recip_gamma};

/// By k = 0, 1, ..: the tail of a density, integrated over the cells, and at their left ends; at 0, where
/// that of the jumps is infinite, the integral over the first cell, as for a record that rises from zero
/// within one step.
pub(super) struct Tails {
    pub(super) cells: Vec<f64>,
    pub(super) nodes: Vec<f64>,
}

impl Tails {
    /// q.
    pub(super) fn of_jumps(alpha: f64, x: f64, n: usize) -> Self {
        let factor = alpha * recip_gamma(1.0 - alpha);
        let first = factor * exponential_moment(1.0 - alpha, x).0;
        Self::new(|t| factor * (-x * t).exp() * t.powf(-1.0 - alpha), first, x, n)
    }

    /// dq/d alpha, x held.
    pub(super) fn of_jumps_slope(alpha: f64, x: f64, n: usize) -> Self {
        let factor = alpha * recip_gamma(1.0 - alpha);
        let slope = 1.0 / alpha + digamma(1.0 - alpha);
        let density = |t: f64| factor * (slope - t.ln()) * (-x * t).exp() * t.powf(-1.0 - alpha);
        let (moment, moment_slope) = exponential_moment(1.0 - alpha, x);
        Self::new(density, factor * (slope * moment - moment_slope), x, n)
    }

    /// `x^alpha Q(1-alpha, x t)` at the nodes from 1 on: what is missing of a constant at t.
    pub(super) fn of_constant(alpha: f64, x: f64, n: usize) -> Vec<f64> {
        let factor = x * recip_gamma(1.0 - alpha);
        Self::new(|t| factor * (-x * t).exp() * t.powf(-alpha), 0.0, x, n).nodes
    }

    /// Its derivative in alpha, x held.
    pub(super) fn of_constant_slope(alpha: f64, x: f64, n: usize) -> Vec<f64> {
        let factor = x * recip_gamma(1.0 - alpha);
        let slope = digamma(1.0 - alpha);
        let density = |t: f64| factor * (slope - t.ln()) * (-x * t).exp() * t.powf(-alpha);
        Self::new(density, 0.0, x, n).nodes
    }

    /// Of a density whose moment over the first cell is `first`.
    fn new(density: impl Fn(f64) -> f64, first: f64, x: f64, n: usize) -> Self {
        let over = CellIntegrals::new(n, (0.0, first), x, |times, values| {
            values.iter_mut().zip(times).for_each(|(value, t)| *value = density(*t));
        });
        let (mut cells, mut nodes) = (vec![0.0; n], vec![0.0; n]);
        let mut tail = Sum { sum: beyond(&density, x, n as f64), rest: 0.0 };
        for k in (0..n).rev() {
            cells[k] = tail.value() + over.rising[k];
            tail.add(over.falling[k] + over.rising[k]);
            nodes[k] = tail.value();
        }
        nodes[0] = cells[0];
        Self { cells, nodes }
    }
}

/// The integral from t to infinity, x > 0, in panels over which neither the power nor the exponential
/// changes much.
fn beyond(density: impl Fn(f64) -> f64, x: f64, mut t: f64) -> f64 {
    let rule = gauss_legendre(16);
    let mut sum = 0.0;
    while x * t < 745.0 {
        let width = t.min(4.0 / x);
        let panel: f64 = rule.iter().map(|(u, w)| w * width * density(t + width * u)).sum();
        sum += panel;
        if panel.abs() <= 1e-18 * sum.abs() {
            break;
        }
        t += width;
    }
    sum
}

/// A sum that keeps what rounding leaves out (Neumaier, Z. Angew. Math. Mech. 54 (1974) 39, DOI
/// 10.1002/zamm.19740540106): a million terms lose no digits.
pub(super) struct Sum {
    pub(super) sum: f64,
    pub(super) rest: f64,
}

impl Sum {
    pub(super) fn add(&mut self, term: f64) {
        let sum = self.sum + term;
        self.rest += if self.sum.abs() >= term.abs() {
            (self.sum - sum) + term
        } else {
            (term - sum) + self.sum
        };
        self.sum = sum;
    }

    pub(super) fn value(&self) -> f64 {
        self.sum + self.rest
    }
}
