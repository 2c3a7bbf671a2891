use crate::minimise::Minimum;
use crate::parameters::Layout;

/// Inverse of R for the unknowns that no bound holds.
#[derive(Debug, Clone)]
pub(super) struct Covariance {
    /// Unknowns that no bound holds.
    free: Vec<usize>,
    /// Upper triangle of the inverse, row by row; None if R is singular.
    inverse: Option<Vec<f64>>,
    /// For every parameter its derivatives with respect to the unknowns.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Covariance {
    pub(super) fn new(layout: &Layout, minimum: &Minimum) -> Self {
        let factor = &minimum.part.factor;
        let bounds = layout.bounds();
        let on_bound = |k: &usize| {
            let (x, (lower, upper)) = (minimum.unknowns[*k], bounds[*k]);
            x <= lower || x >= upper
        };
        let free: Vec<usize> = (0..minimum.unknowns.len()).filter(|k| !on_bound(k)).collect();
        let triangle = factor.select(&free);
        let n = free.len();
        let mut inverse = vec![0.0; n * n];
        for column in 0..n {
            for row in (0..=column).rev() {
                let later: f64 = (row + 1..=column)
                    .map(|k| triangle.entry(row, k) * inverse[k * n + column])
                    .sum();
                let unit = if row == column { 1.0 } else { 0.0 };
                inverse[row * n + column] = (unit - later) / triangle.entry(row, row);
            }
        }
        let finite = inverse.iter().all(|entry| entry.is_finite());
        let slopes = layout.values_and_slopes(&minimum.unknowns).1;
        Self { free, inverse: finite.then_some(inverse), slopes }
    }

    /// Unknowns that no bound holds.
    pub(super) fn free(&self) -> &[usize] {
        &self.free
    }

    /// `R^-T g` for a gradient g with respect to the unknowns: its squared length is the variance of the quantity, in
    /// units of that of a residual.
    pub(super) fn propagated(&self, gradient: &[(usize, f64)]) -> Option<Vec<f64>> {
        let inverse = self.inverse.as_ref()?;
        let n = self.free.len();
        let mut out = vec![0.0; n];
        for (unknown, slope) in gradient {
            let Some(row) = self.free.iter().position(|free| free == unknown) else { continue };
            for column in row..n {
                out[column] += slope * inverse[row * n + column];
            }
        }
        Some(out)
    }

    /// The same for a parameter.
    pub(super) fn of_parameter(&self, parameter: usize) -> Option<Vec<f64>> {
        self.propagated(&self.slopes[parameter])
    }

    /// Derivatives of a parameter with respect to the unknowns.
    pub(super) fn slopes(&self, parameter: usize) -> &[(usize, f64)] {
        &self.slopes[parameter]
    }
}
