use super::{Asked, ROUNDING};
use crate::{OperatorError, SumOfExponentials};

/// The nodes of `t^-b` in units of the step, from one step on: what product rules make their weights of.
///
/// Those are positive averages of the kernel, and so is what an incomplete hat adds where the record
/// starts: the relative error of the kernel is a bound for theirs.
pub(crate) struct PowerNodes {
    pub(crate) sum: SumOfExponentials,
    asked: Asked,
}

impl PowerNodes {
    pub(crate) fn new(b: f64, asked: Asked) -> Result<Self, OperatorError> {
        let sum = SumOfExponentials::of_power(b, asked.lags(), asked.tolerance - ROUNDING)?;
        Ok(Self { sum, asked })
    }

    /// The bound for every weight made of the nodes: the error found may be a hundredth larger between
    /// the points of the check.
    pub(crate) fn relative_error(&self) -> f64 {
        (1.02 * self.sum.relative_error() + ROUNDING).min(self.asked.tolerance)
    }

    /// `(p_k, factor f_k exp(-p_k))`: factors of exponentials in t, one step on.
    pub(crate) fn one_step_on(&self, factor: f64, factors: &[f64]) -> Vec<(f64, f64)> {
        let each = self.sum.rates().iter().zip(factors);
        each.map(|(p, f)| (*p, factor * f * (-p).exp())).collect()
    }

    /// The same for the derivative of `factor(b) f_k(b)` in b with the nodes held: `factor_slope` is
    /// that of the logarithm of the factor.
    ///
    /// # Errors
    /// Those of [`SumOfExponentials::logarithmic_slopes`].
    pub(crate) fn one_step_on_slope(
        &self,
        factor: f64,
        factor_slope: f64,
        factors: &[f64],
    ) -> Result<Vec<(f64, f64)>, OperatorError> {
        let slopes = self.sum.logarithmic_slopes()?;
        let nodes = self.one_step_on(factor, factors).into_iter().zip(slopes);
        Ok(nodes.map(|((p, c), slope)| (p, c * (slope + factor_slope))).collect())
    }
}
