//! Nonlinear least squares with few unknowns: the method of Levenberg and Marquardt.

use hpfracc_lanes::Lu;
use rayon::prelude::*;

/// Iterations at most.
const ITERATIONS: usize = 40;
/// Relative decrease of the sum of squares that ends the iteration.
const SMALLEST_DECREASE: f64 = 1e-8;
/// Part of its diagonal that is added to a normal matrix: more features than the data tell apart
/// are no reason to fail.
const RIDGE: f64 = 1e-10;
/// Steps of the differences, relative to unknowns above 1.
const DIFFERENCE: f64 = 1e-6;

/// Unknowns with their bounds, and the residuals as a function of them.
pub(super) struct LeastSquares<'a, F> {
    /// Lower and upper bound of each unknown.
    pub(super) bounds: &'a [(f64, f64)],
    /// Residuals; none where they cannot be computed.
    pub(super) residuals: F,
}

/// A minimum of the sum of squares.
pub(super) struct Minimum {
    pub(super) unknowns: Vec<f64>,
    pub(super) residuals: Vec<f64>,
    /// Derivatives of all residuals, one column after the other.
    pub(super) jacobian: Vec<Vec<f64>>,
}

impl<F: Fn(&[f64]) -> Option<Vec<f64>> + Sync> LeastSquares<'_, F> {
    /// Minimises from here; none if the residuals cannot be computed there.
    ///
    /// Source: Marquardt, J. SIAM 11 (1963) 431, DOI 10.1137/0111030.
    pub(super) fn minimise(&self, mut unknowns: Vec<f64>) -> Option<Minimum> {
        let mut residuals = (self.residuals)(&unknowns)?;
        let mut jacobian = self.jacobian(&unknowns, &residuals)?;
        let mut damping = 1e-3;
        for _ in 0..ITERATIONS {
            let before = squares(&residuals);
            let right: Vec<f64> = jacobian.iter().map(|column| -dot(column, &residuals)).collect();
            let tried = solve_damped(&normal_matrix(&jacobian), &right, damping).and_then(|step| {
                let moved = unknowns.iter().zip(&step).zip(self.bounds);
                let moved: Vec<f64> =
                    moved.map(|((x, dx), (low, high))| (x + dx).clamp(*low, *high)).collect();
                let residuals = (self.residuals)(&moved)?;
                (squares(&residuals) < before).then_some((moved, residuals))
            });
            let Some((moved, smaller)) = tried else {
                damping *= 8.0;
                if damping > 1e9 {
                    break;
                }
                continue;
            };
            (unknowns, residuals) = (moved, smaller);
            jacobian = self.jacobian(&unknowns, &residuals)?;
            damping = (damping * 0.2).max(1e-12);
            if before - squares(&residuals) <= SMALLEST_DECREASE * before {
                break;
            }
        }
        Some(Minimum { unknowns, residuals, jacobian })
    }

    /// Columns of forward differences; backward ones at an upper bound.
    fn jacobian(&self, unknowns: &[f64], residuals: &[f64]) -> Option<Vec<Vec<f64>>> {
        let column = |k: usize| {
            let mut moved = unknowns.to_vec();
            let step = DIFFERENCE * moved[k].abs().max(1.0);
            moved[k] += if moved[k] + step > self.bounds[k].1 { -step } else { step };
            let step = moved[k] - unknowns[k];
            let pairs = (self.residuals)(&moved)?.into_iter().zip(residuals);
            Some(pairs.map(|(moved, here)| (moved - here) / step).collect())
        };
        (0..unknowns.len()).into_par_iter().map(column).collect()
    }
}

impl Minimum {
    /// Row `k` of the inverse of the normal matrix; none if it is singular.
    pub(super) fn inverse_row(&self, k: usize) -> Option<Vec<f64>> {
        let mut unit = vec![0.0; self.unknowns.len()];
        unit[k] = 1.0;
        solve_damped(&normal_matrix(&self.jacobian), &unit, 0.0)
    }

    /// Decrease of an unknown for each unit of residual i, given its row of the inverse of the
    /// normal matrix.
    pub(super) fn influence(&self, row: &[f64], i: usize) -> f64 {
        self.jacobian.iter().zip(row).map(|(column, row)| column[i] * row).sum()
    }
}

/// Solves with a symmetric matrix, given by rows, whose diagonal is enlarged.
pub(super) fn solve_damped(matrix: &[f64], right: &[f64], damping: f64) -> Option<Vec<f64>> {
    let n = right.len();
    // Scaled to a unit diagonal, so that the ridge is the same part of every unknown.
    let scales: Vec<f64> = (0..n).map(|i| matrix[i * n + i].sqrt().max(1e-300)).collect();
    let mut lu = Lu::new(n);
    for (at, entry) in lu.entries().iter_mut().enumerate() {
        *entry = matrix[at] / (scales[at / n] * scales[at % n]);
        if at / n == at % n {
            *entry += damping + RIDGE;
        }
    }
    let mut x: Vec<f64> = right.iter().zip(&scales).map(|(x, scale)| x / scale).collect();
    if !lu.factor() {
        return None;
    }
    lu.solve(&mut x);
    x.iter_mut().zip(&scales).for_each(|(x, scale)| *x /= scale);
    x.iter().all(|x| x.is_finite()).then_some(x)
}

fn normal_matrix(jacobian: &[Vec<f64>]) -> Vec<f64> {
    jacobian.iter().flat_map(|a| jacobian.iter().map(|b| dot(a, b))).collect()
}

pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

pub(super) fn squares(a: &[f64]) -> f64 {
    dot(a, a)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The valley of Rosenbrock, whose minimum is 0 at (1, 1), and the inverse of its normal matrix.
    #[test]
    fn a_curved_valley() {
        let residuals = |x: &[f64]| Some(vec![1.0 - x[0], 10.0 * (x[1] - x[0] * x[0])]);
        let bounds = [(-5.0, 5.0); 2];
        let found = LeastSquares { bounds: &bounds, residuals }.minimise(vec![-1.2, 1.0]).unwrap();
        assert!(found.unknowns.iter().all(|x| (x - 1.0).abs() < 1e-6), "{:?}", found.unknowns);
        let row = found.inverse_row(1).unwrap();
        assert!((row[0] - 2.0).abs() < 1e-4 && (row[1] - 4.01).abs() < 1e-4, "{row:?}");
        let low = [(-5.0, 0.5), (-5.0, 5.0)];
        let found = LeastSquares { bounds: &low, residuals }.minimise(vec![-1.2, 1.0]).unwrap();
        assert_eq!(found.unknowns[0], 0.5);
    }
}
