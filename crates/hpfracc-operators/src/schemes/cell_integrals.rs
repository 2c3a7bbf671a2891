//! Integrals of a smooth kernel over the cells of a grid of step 1, for product rules.
//!
//! Away from t = 0 the kernels are analytic, and a Gauss-Legendre rule with few points is accurate
//! to rounding: on the cell (k, k+1) an m-point rule leaves about (4k+2)^(-2m), the singularity
//! being at a distance of k. All integrands have one sign where the kernel has, so that nothing
//! cancels, unlike in differences of antiderivatives.

use crate::{Number, Toeplitz};
use std::f64::consts::PI;

/// `int_0^1 (1-u) k(j+u) du` and `int_0^1 u k(j+u) du` by cell j.
pub(crate) struct CellIntegrals<N> {
    pub(crate) falling: Vec<N>,
    pub(crate) rising: Vec<N>,
}

/// First cells with their numbers of points.
const POINTS: [(usize, usize); 6] = [(1, 14), (2, 10), (4, 8), (8, 6), (32, 4), (1024, 3)];

/// Number of points required by a factor exp(-rate u).
const POINTS_BY_RATE: [(f64, usize); 5] = [(0.02, 3), (0.1, 4), (0.4, 6), (1.0, 8), (4.0, 12)];

/// Cells evaluated at a time.
const BLOCK: usize = 4096;

impl<N: Number> CellIntegrals<N> {
    /// Over the cells from 1 to n-1; the first is singular, and its integrals are passed as
    /// `first`.
    ///
    /// `kernel` writes its values at many times. `rate` is its exponential decay rate, 0 if there
    /// is none.
    pub(crate) fn new(
        n: usize,
        first: (N, N),
        rate: f64,
        kernel: impl Fn(&[f64], &mut [N]),
    ) -> Self {
        let (mut falling, mut rising) = (vec![N::constant(0.0); n], vec![N::constant(0.0); n]);
        (falling[0], rising[0]) = first;
        let by_rate = POINTS_BY_RATE.iter().find(|(most, _)| rate <= *most).map_or(16, |r| r.1);
        let (mut times, mut values) = (Vec::new(), Vec::new());
        for (i, &(from, points)) in POINTS.iter().enumerate() {
            let to = POINTS.get(i + 1).map_or(n, |next| next.0.min(n));
            let rule = gauss_legendre(points.max(by_rate));
            let mut start = from;
            while start < to {
                let cells = start..to.min(start + BLOCK);
                times.clear();
                for j in cells.clone() {
                    times.extend(rule.iter().map(|(u, _)| j as f64 + u));
                }
                values.resize(times.len(), N::constant(0.0));
                kernel(&times, &mut values);
                for (values, j) in values.chunks_exact(rule.len()).zip(cells.clone()) {
                    for (value, (u, w)) in values.iter().zip(&rule) {
                        falling[j] = falling[j] + *value * (w * (1.0 - u));
                        rising[j] = rising[j] + *value * (w * u);
                    }
                }
                start = cells.end;
            }
        }
        Self { falling, rising }
    }

    /// The integrals over the cells.
    pub(crate) fn whole(&self) -> Vec<N> {
        self.falling.iter().zip(&self.rising).map(|(a, b)| *a + *b).collect()
    }

    /// The product trapezoid, with a start correction for f_0: its cell has no left neighbour.
    pub(crate) fn trapezoid(&self) -> Toeplitz<N> {
        let zero = N::constant(0.0);
        let before = std::iter::once(&zero).chain(&self.rising);
        let causal = self.falling.iter().zip(before).map(|(a, b)| *a + *b).collect();
        let start = self.falling.iter().map(|a| -*a).collect();
        Toeplitz::causal(causal).with_start(start, vec![1.0])
    }
}

/// Gauss-Legendre nodes and weights on (0, 1).
pub(crate) fn gauss_legendre(m: usize) -> Vec<(f64, f64)> {
    let node = |i: usize| {
        let mut x = (PI * (i as f64 + 0.75) / (m as f64 + 0.5)).cos();
        let mut slope = 1.0;
        // Newton's iteration from here doubles the digits of each node at once.
        for _ in 0..6 {
            let (mut p, mut before) = (1.0, 0.0);
            for k in 1..=m {
                let k = k as f64;
                (p, before) = (((2.0 * k - 1.0) * x * p - (k - 1.0) * before) / k, p);
            }
            slope = m as f64 * (before - x * p) / (1.0 - x * x);
            x -= p / slope;
        }
        (0.5 * (1.0 - x), 1.0 / ((1.0 - x * x) * slope * slope))
    };
    (0..m).map(node).collect()
}

#[cfg(test)]
mod tests {
    use super::{CellIntegrals, gauss_legendre};

    #[test]
    fn gauss_rules_are_exact_to_their_degree() {
        for m in [1, 2, 3, 8, 16, 20] {
            for degree in [0, m, 2 * m - 1] {
                let rule = gauss_legendre(m);
                let sum: f64 = rule.iter().map(|(u, w)| w * u.powi(degree as i32)).sum();
                let exact = 1.0 / (degree + 1) as f64;
                assert!((sum - exact).abs() < 1e-15, "{m} {degree}: {sum}");
            }
        }
    }

    /// t^(-3/2) exp(-t/2): the strongest singularity and a decay within the cell.
    #[test]
    fn few_points_are_enough() {
        let kernel = |t: f64| t.powf(-1.5) * (-0.5 * t).exp();
        let found = CellIntegrals::new(40, (0.0, 0.0), 0.5, |t, values| {
            values.iter_mut().zip(t).for_each(|(v, t)| *v = kernel(*t));
        });
        for j in 1..40 {
            let parts = 64;
            let fine = gauss_legendre(16);
            let sum = |weight: fn(f64) -> f64| -> f64 {
                let part = |i: usize| {
                    let at = |u: f64| (i as f64 + u) / parts as f64;
                    let term = |(u, w): &(f64, f64)| w * weight(at(*u)) * kernel(j as f64 + at(*u));
                    fine.iter().map(term).sum::<f64>()
                };
                (0..parts).map(part).sum::<f64>() / parts as f64
            };
            let (falling, rising) = (sum(|u| 1.0 - u), sum(|u| u));
            assert!((found.falling[j] / falling - 1.0).abs() < 2e-15, "{j}");
            assert!((found.rising[j] / rising - 1.0).abs() < 2e-15, "{j}");
        }
    }
}
