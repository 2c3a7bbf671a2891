use super::aaa;
use super::logarithmic_grid::logarithmic_grid;
use super::sinc;
use crate::error::require;
use crate::{Result, SpatialError};
use nalgebra::{DMatrix, DVector};

/// Rational function `constant + sum_k residues_k / (l + poles_k)` with poles_k > 0, close to
/// `l^-exponent` on an interval of positive numbers: each term of its function of an operator is one
/// real shifted solve.
///
/// ```
/// use hpfracc_spatial::PartialFractions;
///
/// let f = PartialFractions::inverse_power(0.5, [1e-4, 1.0], 1e-6)?;
/// assert!(f.poles().len() <= 10 && f.error() <= 1e-6);
/// assert!((f.eval(0.01) - 10.0).abs() <= 1e-5);
/// # Ok::<(), hpfracc_spatial::SpatialError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct PartialFractions {
    exponent: f64,
    interval: [f64; 2],
    pub(crate) constant: f64,
    pub(crate) poles: Vec<f64>,
    pub(crate) residues: Vec<f64>,
    error: f64,
}

/// Fractions for `l^-exponent ln l`.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct LogarithmicFractions {
    pub(crate) constant: f64,
    pub(crate) poles: Vec<f64>,
    pub(crate) residues: Vec<f64>,
}

/// Samples of an interval per factor of e.
const DENSITY: f64 = 24.0;
/// Most times that poles are added for the derivative with respect to the exponent.
const REFINEMENTS: usize = 2;

impl PartialFractions {
    /// Approximation of `l^-exponent`, 0 < exponent < 1, on the interval with a relative tolerance:
    /// poles by the AAA algorithm, those that are not real and negative discarded, and coefficients
    /// by least squares with relative weights. The error is the largest one on a grid.
    ///
    /// Source: Y. Nakatsukasa, O. Sete, L. N. Trefethen, SIAM J. Sci. Comput. 40 (2018) A1494,
    /// doi:10.1137/16M1106122.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) for an exponent outside (0, 1), an interval that is
    /// empty or not positive, or a tolerance outside [1e-13, 1),
    /// [`Tolerance`](SpatialError::Tolerance) if 60 poles do not reach it.
    pub fn inverse_power(exponent: f64, interval: [f64; 2], tolerance: f64) -> Result<Self> {
        check(exponent, interval)?;
        let fits = (1e-13..1.0).contains(&tolerance);
        require(fits, "tolerance of a rational function", tolerance, "1e-13 to 1")?;
        let scaled = [interval[0] / interval[1], 1.0];
        let grid = logarithmic_grid(scaled, 2.0 * DENSITY);
        let samples: Vec<f64> = logarithmic_grid(scaled, DENSITY);
        let mut best = f64::INFINITY;
        for poles in aaa::Poles::of_inverse_power(exponent, samples) {
            if poles.is_empty() {
                continue;
            }
            let (constant, residues) = fit(&poles, &grid, |l| l.powf(-exponent), exponent)?;
            let mut unit =
                Self { exponent, interval: scaled, constant, poles, residues, error: 0.0 };
            let relative = |l: &f64| (unit.eval(*l) * l.powf(exponent) - 1.0).abs();
            unit.error = grid.iter().map(relative).fold(0.0, f64::max);
            best = best.min(unit.error);
            if unit.error <= tolerance {
                return Ok(unit.stretched(interval));
            }
        }
        let what = "a rational function of 60 poles";
        Err(SpatialError::Tolerance { what, tolerance, reached: best })
    }

    /// Trapezoidal rule for the integral of A. V. Balakrishnan: poles in geometric progression, and
    /// a relative error that is proven to be below the tolerance. Takes several times the poles of
    /// [`inverse_power`](Self::inverse_power).
    ///
    /// Source: A. Bonito, J. E. Pasciak, Math. Comp. 84 (2015) 2083,
    /// doi:10.1090/S0025-5718-2015-02937-8.
    ///
    /// # Errors
    /// [`OutOfRange`](SpatialError::OutOfRange) as for [`inverse_power`](Self::inverse_power).
    pub fn sinc(exponent: f64, interval: [f64; 2], tolerance: f64) -> Result<Self> {
        check(exponent, interval)?;
        let fits = (1e-13..1.0).contains(&tolerance);
        require(fits, "tolerance of a rational function", tolerance, "1e-13 to 1")?;
        let (poles, residues) = sinc::poles_and_residues(exponent, interval, tolerance);
        Ok(Self { exponent, interval, constant: 0.0, poles, residues, error: tolerance })
    }

    /// From the interval [a/b, 1] to [a, b].
    fn stretched(self, interval: [f64; 2]) -> Self {
        let b = interval[1];
        let factor = b.powf(-self.exponent);
        Self {
            constant: self.constant * factor,
            poles: self.poles.iter().map(|p| p * b).collect(),
            residues: self.residues.iter().map(|r| r * factor * b).collect(),
            interval,
            ..self
        }
    }

    /// Fractions of `l^-exponent ln l` with the same poles and, if they do not reach the tolerance,
    /// with their geometric means too. The error is measured on a grid, relative to `l^-exponent`
    /// and the largest `|ln l|`. The exponent may be another one.
    pub(crate) fn logarithmic(
        &self,
        exponent: f64,
        tolerance: f64,
    ) -> Result<LogarithmicFractions> {
        let [a, b] = self.interval;
        let grid = logarithmic_grid([a / b, 1.0], 2.0 * DENSITY);
        let target = |l: f64| l.powf(-exponent) * (l * b).ln();
        let largest = grid.iter().map(|l| (l * b).ln().abs()).fold(0.0, f64::max);
        let mut poles: Vec<f64> = self.poles.clone();
        let mut reached = f64::INFINITY;
        for _ in 0..=REFINEMENTS {
            let scaled: Vec<f64> = poles.iter().map(|p| p / b).collect();
            let (constant, residues) = fit(&scaled, &grid, target, exponent)?;
            let value = |l: f64| {
                constant + scaled.iter().zip(&residues).map(|(p, r)| r / (l + p)).sum::<f64>()
            };
            let error = |l: &f64| (value(*l) - target(*l)).abs() * l.powf(exponent) / largest;
            let error = grid.iter().map(error).fold(0.0, f64::max);
            reached = reached.min(error);
            if error <= tolerance {
                let factor = b.powf(-exponent);
                let residues = residues.iter().map(|r| r * factor * b).collect();
                return Ok(LogarithmicFractions { constant: constant * factor, poles, residues });
            }
            poles = refined(&poles);
        }
        let what = "the derivative with respect to the exponent by partial fractions";
        Err(SpatialError::Tolerance { what, tolerance, reached })
    }

    /// Value at l >= 0.
    pub fn eval(&self, l: f64) -> f64 {
        let terms = self.poles.iter().zip(&self.residues).map(|(p, r)| r / (l + p));
        self.constant + terms.sum::<f64>()
    }

    /// Exponent of the power.
    pub fn exponent(&self) -> f64 {
        self.exponent
    }

    /// Numbers p_k > 0: poles are at -p_k.
    pub fn poles(&self) -> &[f64] {
        &self.poles
    }

    /// Coefficients of the terms.
    pub fn residues(&self) -> &[f64] {
        &self.residues
    }

    /// Constant term.
    pub fn constant(&self) -> f64 {
        self.constant
    }

    /// Largest relative error on the interval: measured on a grid for
    /// [`inverse_power`](Self::inverse_power), a bound for [`sinc`](Self::sinc).
    pub fn error(&self) -> f64 {
        self.error
    }
}

fn check(exponent: f64, [a, b]: [f64; 2]) -> Result<()> {
    require(exponent > 0.0 && exponent < 1.0, "exponent", exponent, "0 < exponent < 1")?;
    require(a > 0.0 && a <= b, "lower end of the interval", a, "above 0, at most the upper end")?;
    require(b.is_finite(), "upper end of the interval", b, "a finite number")
}

/// Sorted poles with their geometric means, and one more on either side.
fn refined(poles: &[f64]) -> Vec<f64> {
    let mut sorted = poles.to_vec();
    sorted.sort_by(f64::total_cmp);
    let mut refined: Vec<f64> = sorted.windows(2).map(|p| (p[0] * p[1]).sqrt()).collect();
    if let [first, second, .., before, last] = sorted[..] {
        refined.extend([first * first / second, last * last / before]);
    }
    refined.extend(sorted);
    refined
}

/// Constant and residues by least squares, with weights `l^exponent`.
fn fit(
    poles: &[f64],
    grid: &[f64],
    target: impl Fn(f64) -> f64,
    exponent: f64,
) -> Result<(f64, Vec<f64>)> {
    // Columns p^(1-exponent) / (l + p) have values of at most 1 with the weights.
    let scale = |p: f64| p.powf(1.0 - exponent);
    let matrix = DMatrix::from_fn(grid.len(), poles.len() + 1, |i, k| {
        let weight = grid[i].powf(exponent);
        if k == 0 { weight } else { weight * scale(poles[k - 1]) / (grid[i] + poles[k - 1]) }
    });
    let weighted = |&l: &f64| l.powf(exponent) * target(l);
    let b = DVector::from_iterator(grid.len(), grid.iter().map(weighted));
    let what = "least squares fit of residues";
    let failed = SpatialError::NotConverged { what, iterations: 0, residual: f64::NAN };
    let x = matrix.svd(true, true).solve(&b, 1e-15).map_err(|_| failed)?;
    let residues = poles.iter().enumerate().map(|(k, &p)| x[k + 1] * scale(p)).collect();
    Ok((x[0], residues))
}
