//! Poles of rational approximations by the AAA algorithm (adaptive Antoulas-Anderson).

use super::logarithmic_grid::logarithmic_grid;
use nalgebra::DMatrix;

/// Most poles.
const MOST: usize = 60;

/// Real negative poles of the approximations of `l^-g`, one more support point at each call.
pub(crate) struct Poles {
    samples: Vec<f64>,
    values: Vec<f64>,
    is_support: Vec<bool>,
    support: Vec<usize>,
    /// Values of the last approximation.
    approximation: Vec<f64>,
}

impl Poles {
    /// Approximations on sorted positive samples.
    pub(crate) fn of_inverse_power(g: f64, samples: Vec<f64>) -> Self {
        let values: Vec<f64> = samples.iter().map(|l| l.powf(-g)).collect();
        let (is_support, support) = (vec![false; samples.len()], Vec::new());
        let approximation = vec![values[0]; samples.len()];
        Self { samples, values, is_support, support, approximation }
    }

    /// Sample with the largest relative error.
    fn worst(&self) -> usize {
        let error = |i: usize| (self.approximation[i] / self.values[i] - 1.0).abs();
        let free = (0..self.samples.len()).filter(|&i| !self.is_support[i]);
        free.max_by(|&i, &j| error(i).total_cmp(&error(j))).unwrap_or(0)
    }

    /// Barycentric weights of the support: the right singular vector of the smallest singular value
    /// of the Loewner matrix with relative rows.
    fn weights(&self) -> Option<Vec<f64>> {
        let rows: Vec<usize> = (0..self.samples.len()).filter(|&i| !self.is_support[i]).collect();
        let (x, f) = (&self.samples, &self.values);
        let mut loewner = DMatrix::from_fn(rows.len(), self.support.len(), |i, j| {
            let (i, j) = (rows[i], self.support[j]);
            (f[i] - f[j]) / (x[i] - x[j]) / f[i]
        });
        // Samples span many orders of magnitude, and so do the columns.
        let norms: Vec<f64> = loewner.column_iter().map(|column| column.norm()).collect();
        for (mut column, norm) in loewner.column_iter_mut().zip(&norms) {
            column /= *norm;
        }
        let svd = loewner.svd(false, true);
        let rows = svd.v_t?;
        let (smallest, _) = svd.singular_values.argmin();
        Some(rows.row(smallest).iter().zip(norms).map(|(w, norm)| w / norm).collect())
    }

    fn update(&mut self, weights: &[f64]) {
        for i in 0..self.samples.len() {
            if self.is_support[i] {
                self.approximation[i] = self.values[i];
                continue;
            }
            let (mut above, mut below) = (0.0, 0.0);
            for (w, &j) in weights.iter().zip(&self.support) {
                let term = w / (self.samples[i] - self.samples[j]);
                above += term * self.values[j];
                below += term;
            }
            self.approximation[i] = above / below;
        }
    }

    /// Numbers p > 0 with a pole at -p: sign changes of the denominator on a fine logarithmic grid,
    /// refined by bisection.
    fn real_negative(&self, weights: &[f64]) -> Vec<f64> {
        let denominator = |p: f64| -> f64 {
            let terms = weights.iter().zip(&self.support);
            terms.map(|(w, &j)| w / (p + self.samples[j])).sum()
        };
        let ends = [self.samples[0] * 1e-12, self.samples[self.samples.len() - 1] * 1e6];
        let grid = logarithmic_grid(ends, 16.0);
        let values: Vec<f64> = grid.iter().map(|&p| denominator(p)).collect();
        let changes = (1..grid.len()).filter(|&k| (values[k - 1] > 0.0) != (values[k] > 0.0));
        let bisected = |k: usize| {
            let (mut low, mut high) = (grid[k - 1], grid[k]);
            for _ in 0..50 {
                let middle = (low * high).sqrt();
                if (denominator(middle) > 0.0) == (values[k] > 0.0) {
                    high = middle;
                } else {
                    low = middle;
                }
            }
            (low * high).sqrt()
        };
        changes.map(bisected).collect()
    }
}

impl Iterator for Poles {
    type Item = Vec<f64>;

    fn next(&mut self) -> Option<Vec<f64>> {
        if self.support.len() > MOST || self.support.len() + 2 > self.samples.len() / 2 {
            return None;
        }
        let worst = self.worst();
        self.is_support[worst] = true;
        self.support.push(worst);
        let weights = self.weights()?;
        self.update(&weights);
        Some(self.real_negative(&weights))
    }
}
