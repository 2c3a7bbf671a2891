use super::{SampleError, Support};
use serde::{Deserialize, Serialize};

/// The shape of the posterior around the start, in which it is nearly a standard normal.
///
/// Matrices are n by n, row by row; the other triangle is not read.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Whitening<'a> {
    /// The unbounded variables as they are.
    Identity,
    /// A lower triangular factor L of the covariance L L^T of the parameters.
    Covariance(&'a [f64]),
    /// An upper triangular factor R of the inverse covariance R^T R, such as that of the QR
    /// decomposition of the Jacobian of weighted residuals.
    Precision(&'a [f64]),
}

/// Coordinates u of the sampler: unbounded variables x = x0 + L u of the parameters theta(x).
///
/// With the factor of a fit, u is nearly standard normal. The factor describes the parameters
/// theta; that of the unbounded variables follows by the slopes d theta/dx at the start.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Coordinates {
    supports: Vec<Support>,
    /// Unbounded variables of the start.
    centre: Vec<f64>,
    /// L, row by row.
    factor: Vec<f64>,
}

impl Coordinates {
    /// Coordinates around `start`, such as the estimates of a fit.
    ///
    /// # Errors
    /// [`SampleError::Dimension`] for other numbers of supports or entries of the factor;
    /// [`SampleError::Bounds`], [`SampleError::Outside`] for a start outside its support or on its
    /// bounds; [`SampleError::Factor`] for a factor with a diagonal entry that is 0, or an entry
    /// that is not finite.
    pub fn new(
        start: &[f64],
        supports: &[Support],
        whitening: Whitening<'_>,
    ) -> Result<Self, SampleError> {
        let n = start.len();
        let same = |what, found, expected| {
            let error = SampleError::Dimension { what, found, expected };
            if found == expected { Ok(()) } else { Err(error) }
        };
        same("supports", supports.len(), n)?;
        let both = supports.iter().zip(start).enumerate();
        let centre: Vec<f64> = both
            .map(|(i, (support, theta))| support.unbounded(i, *theta))
            .collect::<Result<_, _>>()?;
        let slopes: Vec<f64> = supports.iter().zip(&centre).map(|(s, x)| s.at(*x).slope).collect();
        let factor = match whitening {
            Whitening::Identity => identity(n),
            Whitening::Covariance(lower) => {
                same("entries of the factor", lower.len(), n * n)?;
                let mut factor = lower.to_vec();
                (0..n).for_each(|i| factor[i * n + i + 1..(i + 1) * n].fill(0.0));
                scale_rows(&factor, &slopes)
            }
            Whitening::Precision(upper) => {
                same("entries of the factor", upper.len(), n * n)?;
                scale_rows(&inverse(upper, n)?, &slopes)
            }
        };
        for (at, entry) in factor.iter().enumerate() {
            let (row, column) = (at / n, at % n);
            if !entry.is_finite() || row == column && *entry == 0.0 {
                return Err(SampleError::Factor { row, column, entry: *entry });
            }
        }
        Ok(Self { supports: supports.to_vec(), centre, factor })
    }

    /// Number of parameters.
    pub fn dim(&self) -> usize {
        self.centre.len()
    }

    /// Whether the lengths agree, which a value that was read may violate.
    pub(super) fn is_consistent(&self) -> bool {
        let n = self.centre.len();
        self.supports.len() == n && self.factor.len() == n * n
    }

    /// Writes the parameters of the coordinates `u` to `theta`, with the logarithm of the Jacobian
    /// determinant dtheta/dx; `slopes` and `rates` are d theta/dx and the derivative of its
    /// logarithm.
    pub(super) fn parameters(
        &self,
        u: &[f64],
        theta: &mut [f64],
        slopes: &mut [f64],
        rates: &mut [f64],
    ) -> f64 {
        let n = u.len();
        let mut log_jacobian = 0.0;
        for i in 0..n {
            let row = &self.factor[i * n..][..n];
            let x = row.iter().zip(u).fold(self.centre[i], |x, (l, u)| x + l * u);
            let bounded = self.supports[i].at(x);
            (theta[i], slopes[i], rates[i]) =
                (bounded.theta, bounded.slope, bounded.log_slope_rate);
            log_jacobian += bounded.log_slope;
        }
        log_jacobian
    }

    /// Writes the gradient with respect to u from the gradient with respect to theta.
    pub(super) fn pull_back(&self, theta: &[f64], slopes: &[f64], rates: &[f64], u: &mut [f64]) {
        let n = u.len();
        u.fill(0.0);
        for i in 0..n {
            let x = theta[i] * slopes[i] + rates[i];
            for j in 0..n {
                u[j] += self.factor[i * n + j] * x;
            }
        }
    }
}

fn identity(n: usize) -> Vec<f64> {
    (0..n * n).map(|at| if at / n == at % n { 1.0 } else { 0.0 }).collect()
}

/// Rows divided by the slopes: dx = dtheta / slope.
fn scale_rows(factor: &[f64], slopes: &[f64]) -> Vec<f64> {
    let n = slopes.len();
    (0..n * n).map(|at| factor[at] / slopes[at / n]).collect()
}

/// Inverse of an upper triangular matrix, column by column.
fn inverse(upper: &[f64], n: usize) -> Result<Vec<f64>, SampleError> {
    let mut inverse = identity(n);
    for i in 0..n {
        let entry = upper[i * n + i];
        if entry == 0.0 {
            return Err(SampleError::Factor { row: i, column: i, entry });
        }
    }
    for column in 0..n {
        for i in (0..=column).rev() {
            let known: f64 =
                (i + 1..=column).map(|k| upper[i * n + k] * inverse[k * n + column]).sum();
            let one = if i == column { 1.0 } else { 0.0 };
            inverse[i * n + column] = (one - known) / upper[i * n + i];
        }
    }
    Ok(inverse)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_factors_give_the_same_covariance() {
        // Covariance L L^T with L = [2 0; 1 3], and R with R^T R its inverse.
        let lower = [2.0, f64::NAN, 1.0, 3.0];
        let precision = [10.0 / 36.0, -2.0 / 36.0, 4.0 / 36.0];
        let r11 = f64::sqrt(precision[0]);
        let r12 = precision[1] / r11;
        let upper = [r11, r12, f64::NAN, (precision[2] - r12 * r12).sqrt()];
        let supports = [Support::Real, Support::Above(0.0)];
        for whitening in [Whitening::Covariance(&lower), Whitening::Precision(&upper)] {
            let coordinates = Coordinates::new(&[1.0, 0.5], &supports, whitening).unwrap();
            let l = &coordinates.factor;
            let entry = |i: usize, j: usize| l[2 * i] * l[2 * j] + l[2 * i + 1] * l[2 * j + 1];
            // The second variable is ln theta with slope 0.5.
            for (found, expected) in
                [(entry(0, 0), 4.0), (entry(0, 1), 2.0 / 0.5), (entry(1, 1), 10.0 / 0.25)]
            {
                assert!((found - expected).abs() < 1e-12, "{whitening:?}: {found}, {expected}");
            }
        }
    }

    #[test]
    fn bad_starts_and_factors_are_named() {
        let new = |start: &[f64], supports: &[Support], whitening: Whitening<'_>| {
            Coordinates::new(start, supports, whitening).unwrap_err().to_string()
        };
        let (real, unit) = (Support::Real, Support::Between(0.0, 1.0));
        let cases = [
            (new(&[0.0], &[], Whitening::Identity), "0 supports, expected 1"),
            (
                new(&[0.0, 1.0], &[real, unit], Whitening::Identity),
                "the start of parameter 1 is 1, expected a number between 0 and 1, neither of which \
                 it may be",
            ),
            (
                new(&[f64::NAN], &[real], Whitening::Identity),
                "the start of parameter 0 is NaN, expected a finite number",
            ),
            (
                new(&[0.5], &[Support::Between(1.0, 0.0)], Whitening::Identity),
                "parameter 0 is to lie between 1 and 0, which is no interval",
            ),
            (
                new(&[0.5], &[unit], Whitening::Precision(&[0.0])),
                "entry (0, 0) of the factor is 0, expected finite entries and a diagonal without 0",
            ),
            (
                new(&[0.5; 2], &[unit; 2], Whitening::Covariance(&[1.0, 0.0, f64::INFINITY, 1.0])),
                "entry (1, 0) of the factor is inf, expected finite entries and a diagonal without \
                 0",
            ),
            (
                new(&[0.5; 2], &[unit; 2], Whitening::Covariance(&[1.0; 3])),
                "3 entries of the factor, expected 4",
            ),
        ];
        for (found, expected) in cases {
            assert_eq!(found, expected);
        }
    }
}
