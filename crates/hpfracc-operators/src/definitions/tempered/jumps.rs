//! The L1 scheme with a tempered kernel, 0 < alpha < 1, on a unit step with x = lambda h.
//!
//! With `nu(t) = alpha/Gamma(1-alpha) exp(-x t) t^(-1-alpha)`, the measure of the jumps of a
//! tempered stable process, and its tail `q(t) = int_t^inf nu`,
//!
//! ```text
//! exp(-x t) D^alpha (exp(x t) f) = x^alpha f + int_0^t q(t-s) f'(s) ds + q(t) f(0)      Riemann-Liouville
//! ```
//!
//! by parts from `(f(t) - f(s)) nu(t-s)`. Here f is linear between samples and everything else
//! exact: no difference of `exp(x t) f` is formed, whose terms would differ by orders of magnitude,
//! and at x = 0 it is the L1 scheme. (Linear `exp(x t) f` instead would be wrong by x^2 f for a
//! constant.)
//!
//! ```text
//! int_k^{k+1} q = q(k+1) + int_0^1 u nu(k+u) du,    q(k) = q(k+1) + int_0^1 nu(k+u) du
//! ```
//!
//! are sums of positive terms, taken from the far end. In the first cell the moment is an
//! incomplete gamma function.

use crate::Number;
use crate::number::CompensatedSum;
use crate::schemes::cell_integrals::{CellIntegrals, gauss_legendre};
use crate::schemes::exponential_moments::exponential_moment;

/// By k = 0, 1, ..: the tail of a density, integrated over the cells, and at their left ends. At 0,
/// where the tail of the jumps is infinite, the integral over the first cell, as for a function
/// that rises from zero within one step.
pub(super) struct Tails<N> {
    pub(super) cells: Vec<N>,
    pub(super) nodes: Vec<N>,
}

impl<N: Number> Tails<N> {
    /// q.
    pub(super) fn of_jumps(alpha: N, x: f64, n: usize) -> Self {
        let factor = alpha * (-alpha + 1.0).recip_gamma();
        let first = factor * exponential_moment(-alpha + 1.0, x);
        Self::new(|t| factor * (-x * t).exp() * N::constant(t).powf(-alpha - 1.0), first, x, n)
    }

    /// `x^alpha Q(1-alpha, x t)` at the nodes from 1 on: the part of a constant that is missing at
    /// t.
    pub(super) fn of_constant(alpha: N, x: f64, n: usize) -> Vec<N> {
        let factor = (-alpha + 1.0).recip_gamma() * x;
        let density = |t: f64| factor * (-x * t).exp() * N::constant(t).powf(-alpha);
        Self::new(density, N::constant(0.0), x, n).nodes
    }

    /// Of a density whose moment over the first cell is `first`.
    fn new(density: impl Fn(f64) -> N, first: N, x: f64, n: usize) -> Self {
        let zero = N::constant(0.0);
        let over = CellIntegrals::new(n, (zero, first), x, |times, values| {
            values.iter_mut().zip(times).for_each(|(value, t)| *value = density(*t));
        });
        let (mut cells, mut nodes) = (vec![zero; n], vec![zero; n]);
        let mut tail = CompensatedSum::starting_at(beyond(&density, x, n as f64));
        for k in (0..n).rev() {
            cells[k] = tail.total::<N>() + over.rising[k];
            tail.add(over.falling[k] + over.rising[k]);
            nodes[k] = tail.total();
        }
        nodes[0] = cells[0];
        Self { cells, nodes }
    }
}

/// The integral from t to infinity, x > 0, in panels over which neither the power nor the
/// exponential changes much.
fn beyond<N: Number>(density: impl Fn(f64) -> N, x: f64, mut t: f64) -> N {
    let rule = gauss_legendre(16);
    let mut sum = N::constant(0.0);
    let negligible = |panel: f64, sum: f64| panel.abs() <= 1e-18 * sum.abs();
    while x * t < 745.0 {
        let width = t.min(4.0 / x);
        let terms = rule.iter().map(|(u, w)| density(t + width * u) * (w * width));
        let panel = terms.fold(N::constant(-0.0), |sum, term| sum + term);
        sum = sum + panel;
        if negligible(panel.value(), sum.value())
            && negligible(panel.derivative(), sum.derivative())
        {
            break;
        }
        t += width;
    }
    sum
}
