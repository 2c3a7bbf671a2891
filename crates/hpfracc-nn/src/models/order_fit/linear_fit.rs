//! The coefficients of a sieve at a fixed order, by linear least squares.

use super::least_squares::{dot, solve_damped};
use super::{OrderFit, Sieve};
use hpfracc_special::gamma;
use ndarray::{Array1, Array2, Array3};

/// Multiply-adds for a feature and an order, about, that bound the number of equations.
const PRODUCTS: usize = 4_000_000;
/// Equations of a window at most.
const EQUATIONS: usize = 256;

/// The Volterra equation with the data in place of the solution:
///
/// ```text
/// y_n - y_0 = 1/Gamma(alpha) int_0^t_n (t_n - s)^(alpha-1) f(y(s)) ds
/// ```
///
/// By the trapezoidal product rule, with the data interpolated between observations, it is linear
/// in the coefficients of f: no equation is solved, and no derivative of the data is taken.
///
/// Source: of the idea for order 1, Dattner and Klaassen, Electron. J. Statist. 9 (2015) 1939,
/// DOI 10.1214/15-EJS1053.
pub(super) struct LinearFit<'a> {
    fit: &'a OrderFit,
    sieve: &'a Sieve,
    /// Features, and 1, by window, step and feature.
    features: Array3<f64>,
    /// Indices of the observed nodes that give equations.
    rows: Vec<usize>,
}

impl<'a> LinearFit<'a> {
    /// For the data interpolated to all steps, by window, step and component.
    pub(super) fn new(fit: &'a OrderFit, sieve: &'a Sieve, paths: &Array3<f64>) -> Self {
        let (windows, steps, _) = paths.dim();
        let mut features = Array3::zeros((windows, steps, sieve.per_output()));
        for (mut of, path) in features.outer_iter_mut().zip(paths.outer_iter()) {
            for (n, (mut of, x)) in of.outer_iter_mut().zip(path.outer_iter()).enumerate() {
                of.assign(&Array1::from(sieve.at(fit.inputs(n, x))));
            }
        }
        let most = (PRODUCTS / (windows * steps)).clamp(8, EQUATIONS);
        let (nodes, every) = (fit.nodes.len(), fit.nodes.len().div_ceil(most));
        let rows = (0..nodes).step_by(every).filter(|row| fit.nodes[*row] > 0).collect();
        Self { fit, sieve, features, rows }
    }

    /// Sum of squares of each component at this order, relative to its variance, and its
    /// coefficients.
    pub(super) fn at(&self, alpha: f64) -> Vec<(f64, Vec<f64>)> {
        let (size, components) = (self.sieve.per_output(), self.fit.components());
        let weights = Trapezoid::new(alpha, self.fit.step(), self.features.dim().1);
        let mut normal = vec![vec![0.0; size * size]; components];
        let (mut right, mut squares) = (vec![vec![0.0; size]; components], vec![0.0; components]);
        let mut integrals = Array2::zeros((self.rows.len(), size));
        for (w, features) in self.features.outer_iter().enumerate() {
            for (row, mut integral) in self.rows.iter().zip(integrals.outer_iter_mut()) {
                let n = self.fit.nodes[*row];
                integral.fill(0.0);
                for (j, features) in features.outer_iter().take(n + 1).enumerate() {
                    integral.scaled_add(weights.at(n, j), &features);
                }
            }
            for (row, integral) in self.rows.iter().zip(integrals.outer_iter()) {
                for i in 0..components {
                    let y = self.fit.observed[[w, *row, i]] - self.fit.starts[[w, i]];
                    if y.is_nan() {
                        continue;
                    }
                    squares[i] += y * y;
                    for (a, at) in integral.iter().enumerate() {
                        right[i][a] += at * y;
                        let normal = &mut normal[i][a * size..][..size];
                        normal.iter_mut().zip(integral).for_each(|(sum, b)| *sum += at * b);
                    }
                }
            }
        }
        let solved = |i: usize| {
            let coefficients =
                solve_damped(&normal[i], &right[i], 0.0).unwrap_or_else(|| vec![0.0; size]);
            let left = squares[i] - dot(&coefficients, &right[i]);
            (left.max(0.0) / self.fit.scales[i].powi(2), coefficients)
        };
        (0..components).map(solved).collect()
    }
}

/// Weights of the trapezoidal product rule on equal steps.
struct Trapezoid {
    alpha: f64,
    factor: f64,
    /// `m^(alpha+1)`
    powers: Vec<f64>,
}

impl Trapezoid {
    fn new(alpha: f64, h: f64, nodes: usize) -> Self {
        let factor = h.powf(alpha) / gamma(alpha + 2.0);
        Self { alpha, factor, powers: (0..=nodes).map(|m| (m as f64).powf(alpha + 1.0)).collect() }
    }

    /// The weight of node j in the integral to node n, at least 1.
    fn at(&self, n: usize, j: usize) -> f64 {
        let (p, m) = (&self.powers, n - j);
        self.factor
            * match (j, m) {
                (_, 0) => 1.0,
                (0, _) => p[m - 1] - (m as f64 - 1.0 - self.alpha) * (m as f64).powf(self.alpha),
                _ => p[m + 1] - 2.0 * p[m] + p[m - 1],
            }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact for constants and for t.
    #[test]
    fn weights_of_the_trapezoid() {
        let (alpha, h, n) = (0.6, 0.1, 7);
        let weights = Trapezoid::new(alpha, h, n + 1);
        let t = h * n as f64;
        let sum: f64 = (0..=n).map(|j| weights.at(n, j)).sum();
        assert!((sum / (t.powf(alpha) / gamma(1.0 + alpha)) - 1.0).abs() < 1e-13);
        let first: f64 = (0..=n).map(|j| weights.at(n, j) * h * j as f64).sum();
        assert!((first / (t.powf(1.0 + alpha) / gamma(2.0 + alpha)) - 1.0).abs() < 1e-13);
    }
}
