//! The order of an equation with noise: the method of prediction errors.

use super::least_squares::{dot, solve_damped};
use super::{OrderFit, Sieve};
use hpfracc_special::gamma;
use ndarray::{Array1, Array3, Axis};

/// Errors of the predictions of each observation from those before it.
///
/// With rectangles over the steps from one observation to the next,
///
/// ```text
/// y_n - y_0 = sum_{j<n} b_{n-1-j} (f(y_j) + e_j),    b_m = h^alpha/Gamma(alpha+1) ((m+1)^alpha - m^alpha)
/// ```
///
/// with noises e_j that do not depend on the past. They follow from the data, and `b_0 e_{n-1}` is
/// the error of the prediction of y_n, whose squares are summed: for normal noise of constant size
/// the conditional likelihood. Errors are linear in the coefficients of f.
///
/// Source: Ljung, System Identification, 2nd ed. (1999), section 7.2.
pub(super) struct PredictionErrors<'a> {
    fit: &'a OrderFit,
    /// Features, and 1, by window, observation from the start on, and feature.
    features: Array3<f64>,
    /// Step from one observation to the next.
    h: f64,
}

impl<'a> PredictionErrors<'a> {
    /// None if a value is missing or the observed nodes are not equidistant from the start on.
    pub(super) fn new(fit: &'a OrderFit, sieve: &Sieve) -> Option<Self> {
        let every = *fit.nodes.first()?;
        let equidistant = fit.nodes.iter().enumerate().all(|(k, node)| *node == (k + 1) * every);
        if every == 0 || !equidistant || fit.observed.iter().any(|y| y.is_nan()) {
            return None;
        }
        let (windows, nodes, _) = fit.observed.dim();
        let mut features = Array3::zeros((windows, nodes, sieve.per_output()));
        for (w, mut features) in features.outer_iter_mut().enumerate() {
            let observed = fit.observed.index_axis(Axis(0), w);
            for (n, mut features) in features.outer_iter_mut().enumerate() {
                let x = if n == 0 { fit.starts.row(w) } else { observed.row(n - 1) };
                features.assign(&Array1::from(sieve.at(fit.inputs(n * every, x))));
            }
        }
        Some(Self { fit, features, h: fit.step() * every as f64 })
    }

    /// `b_0 (f(y_j) + e_j)` of a component, by window and observation, over its deviation, and b_0.
    fn sums(&self, alpha: f64, i: usize) -> (Vec<f64>, f64) {
        let (windows, nodes, _) = self.fit.observed.dim();
        let power = |m: usize| (m as f64).powf(alpha);
        // b_m / b_0
        let ratios: Vec<f64> = (0..nodes).map(|m| power(m + 1) - power(m)).collect();
        let mut sums = Vec::with_capacity(windows * nodes);
        for w in 0..windows {
            let first = sums.len();
            for n in 0..nodes {
                let past = sums[first..].iter().rev().zip(&ratios[1..]).map(|(q, b)| q * b);
                let past: f64 = past.sum();
                let rise = self.fit.observed[[w, n, i]] - self.fit.starts[[w, i]];
                sums.push(rise / self.fit.scales[i] - past);
            }
        }
        (sums, self.h.powf(alpha) / gamma(alpha + 1.0))
    }

    /// The sum of squares of each component at this order, and its coefficients.
    pub(super) fn linear_fit(&self, alpha: f64) -> Vec<(f64, Vec<f64>)> {
        let size = self.features.dim().2;
        let rows = || self.features.rows().into_iter().map(|row| row.to_vec());
        let of = |i: usize| {
            let (sums, b) = self.sums(alpha, i);
            let b = b / self.fit.scales[i];
            let (mut normal, mut right) = (vec![0.0; size * size], vec![0.0; size]);
            for (row, sum) in rows().zip(&sums) {
                for (k, x) in row.iter().enumerate() {
                    right[k] += b * x * sum;
                    let normal = &mut normal[k * size..][..size];
                    normal.iter_mut().zip(&row).for_each(|(to, y)| *to += b * b * x * y);
                }
            }
            let coefficients = solve_damped(&normal, &right, 0.0).unwrap_or(vec![0.0; size]);
            ((dot(&sums, &sums) - dot(&coefficients, &right)).max(0.0), coefficients)
        };
        (0..self.fit.components()).map(of).collect()
    }

    /// All errors over the deviations of their components, by window, observation and component.
    pub(super) fn at(&self, unknowns: &[f64]) -> Option<Vec<f64>> {
        let (orders, coefficients) = unknowns.split_at(self.fit.count());
        let components = self.fit.components();
        let mut errors = vec![0.0; self.fit.observed.len()];
        let by_component = coefficients.chunks_exact(self.features.dim().2);
        for (i, coefficients) in by_component.enumerate() {
            let (sums, b) = self.sums(orders[i.min(orders.len() - 1)], i);
            let b = b / self.fit.scales[i];
            for (k, (row, sum)) in self.features.rows().into_iter().zip(sums).enumerate() {
                let f: f64 = row.iter().zip(coefficients).map(|(x, c)| x * c).sum();
                errors[k * components + i] = sum - b * f;
            }
        }
        errors.iter().all(|error| error.is_finite()).then_some(errors)
    }
}
