use crate::factor::Factor;
use crate::minimise::Minimum;
use crate::parameters::Layout;
use crate::pass::Sandwich;
use nalgebra::DMatrix;

/// Root of the covariance of the unknowns that no bound holds.
#[derive(Debug, Clone)]
pub(super) struct Covariance {
    /// Unknowns that no bound holds.
    free: Vec<usize>,
    /// Matrix S with the covariance `S S^T`, row by row; None if that does not exist.
    root: Option<Vec<f64>>,
    /// For every parameter its derivatives with respect to the unknowns.
    slopes: Vec<Vec<(usize, f64)>>,
}

impl Covariance {
    /// `(R^T R)^-1`, in units of the variance of a residual, or `A^-1 B A^-1` of a sandwich, times the number of residuals
    /// over the degrees of freedom.
    pub(super) fn new(
        layout: &Layout,
        minimum: &Minimum,
        sandwich: Option<&Sandwich>,
        data: u64,
    ) -> Self {
        let bounds = layout.bounds();
        let on_bound = |k: &usize| {
            let (x, (lower, upper)) = (minimum.unknowns[*k], bounds[*k]);
            x <= lower || x >= upper
        };
        let free: Vec<usize> = (0..minimum.unknowns.len()).filter(|k| !on_bound(k)).collect();
        let root = match sandwich {
            None => Some(inverse(&minimum.part.factor.select(&free))),
            Some(sandwich) => {
                let freedom = data.saturating_sub(free.len() as u64) as f64;
                let scale = (data as f64 / freedom).sqrt();
                sandwich_root(sandwich, &free)
                    .map(|root| root.iter().map(|entry| scale * entry).collect())
            }
        };
        let root = root.filter(|root: &Vec<f64>| root.iter().all(|entry| entry.is_finite()));
        let slopes = layout.values_and_slopes(&minimum.unknowns).1;
        Self { free, root, slopes }
    }

    /// Unknowns that no bound holds.
    pub(super) fn free(&self) -> &[usize] {
        &self.free
    }

    /// `S^T g` for a gradient g with respect to the unknowns: its squared length is the variance of the quantity, in the unit
    /// of the covariance.
    pub(super) fn propagated(&self, gradient: &[(usize, f64)]) -> Option<Vec<f64>> {
        let root = self.root.as_ref()?;
        let n = self.free.len();
        let mut out = vec![0.0; n];
        for (unknown, slope) in gradient {
            let Some(row) = self.free.iter().position(|free| free == unknown) else { continue };
            let row = &root[row * n..][..n];
            out.iter_mut().zip(row).for_each(|(out, entry)| *out += slope * entry);
        }
        Some(out)
    }

    /// The same for a quantity that has an error: it depends on an unknown, and on none that a bound holds, as the
    /// distribution of that one is not symmetric.
    pub(super) fn symmetric(&self, gradient: &[(usize, f64)]) -> Option<Vec<f64>> {
        let is_free =
            |(unknown, slope): &(usize, f64)| *slope == 0.0 || self.free.contains(unknown);
        let moves = gradient.iter().any(|(_, slope)| *slope != 0.0);
        self.propagated(gradient).filter(|_| moves && gradient.iter().all(is_free))
    }

    /// The same for a parameter.
    pub(super) fn of_parameter(&self, parameter: usize) -> Option<Vec<f64>> {
        self.symmetric(&self.slopes[parameter])
    }

    /// Derivatives of a parameter with respect to the unknowns.
    pub(super) fn slopes(&self, parameter: usize) -> &[(usize, f64)] {
        &self.slopes[parameter]
    }
}

/// Inverse of an upper triangle, row by row.
pub(super) fn inverse(triangle: &Factor) -> Vec<f64> {
    let n = triangle.columns();
    let mut inverse = vec![0.0; n * n];
    for column in 0..n {
        for row in (0..=column).rev() {
            let later: f64 =
                (row + 1..=column).map(|k| triangle.entry(row, k) * inverse[k * n + column]).sum();
            let unit = if row == column { 1.0 } else { 0.0 };
            inverse[row * n + column] = (unit - later) / triangle.entry(row, row);
        }
    }
    inverse
}

/// `A^-1 R_B^T`, for `A = R^T R - N^T N` of the factors of positive and negative rows: with `M = N R^-1` the inverse is
/// `R^-1 (1 - M^T M)^-1 R^-T`, and no square is formed where no row is negative. None unless A is positive definite.
fn sandwich_root(sandwich: &Sandwich, free: &[usize]) -> Option<Vec<f64>> {
    let n = free.len();
    let matrix = |factor: &Factor| {
        let factor = factor.select(free);
        DMatrix::from_fn(n, n, |row, column| factor.entry(row, column))
    };
    let inverse = DMatrix::from_row_slice(n, n, &inverse(&sandwich.positive.select(free)));
    let negative = matrix(&sandwich.negative) * &inverse;
    let rest = DMatrix::identity(n, n) - negative.transpose() * &negative;
    let inner = inverse.transpose() * matrix(&sandwich.outer).transpose();
    let root = inverse * rest.cholesky()?.solve(&inner);
    Some(root.transpose().as_slice().to_vec())
}
