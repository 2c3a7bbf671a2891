use super::{Asked, one_step_on};
use crate::{OperatorError, SumOfExponentials};
use hpfracc_special::digamma;

/// The nodes of `t^-b` in units of the step, from one step on: what product rules make their weights of.
///
/// Those are positive averages of the kernel, and so is what an incomplete hat adds where the record
/// starts: the relative error of the kernel is a bound for theirs.
pub(crate) struct PowerNodes {
    pub(crate) sum: SumOfExponentials,
    pub(crate) relative_error: f64,
    b: f64,
}

impl PowerNodes {
    pub(crate) fn new(b: f64, asked: Asked) -> Result<Self, OperatorError> {
        let sum = SumOfExponentials::of_power(b, asked.lags(), asked.aim())?;
        Ok(Self { relative_error: Asked::bound(&sum), sum, b })
    }

    /// `(p_k, factor f_k exp(-p_k))`.
    pub(crate) fn one_step_on(&self, factor: f64, factors: &[f64]) -> Vec<(f64, f64)> {
        one_step_on(&self.sum, factor, factors)
    }

    /// The same for the derivative of `factor(b) f_k(b)` in b with the nodes held: `factor_slope` is
    /// that of the logarithm of the factor.
    ///
    /// # Errors
    /// Those of [`PowerNodes::logarithmic_slopes`].
    pub(crate) fn one_step_on_slope(
        &self,
        factor: f64,
        factor_slope: f64,
        factors: &[f64],
    ) -> Result<Vec<(f64, f64)>, OperatorError> {
        let slopes = self.logarithmic_slopes()?;
        let nodes = self.one_step_on(factor, factors).into_iter().zip(slopes);
        Ok(nodes.map(|((p, c), slope)| (p, c * (slope + factor_slope))).collect())
    }

    /// d(ln w_k)/db with the nodes held, as for a kernel whose exponent varies: `ln p_k - psi(b)`.
    ///
    /// # Errors
    /// [`OperatorError::Parameter`] for b = 0, whose one exponential knows nothing of other exponents,
    /// and for exponents so small that some p_k is zero in `f64`.
    pub(crate) fn logarithmic_slopes(&self) -> Result<Vec<f64>, OperatorError> {
        if self.sum.rates().contains(&0.0) {
            let what = "the exponent b of nodes for a derivative in it";
            return Err(OperatorError::Parameter { what, value: self.b, expected: "b > 0.05" });
        }
        let psi = digamma(self.b);
        Ok(self.sum.rates().iter().map(|p| p.ln() - psi).collect())
    }
}
