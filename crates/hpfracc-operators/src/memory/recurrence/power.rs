use super::{Request, one_step_on};
use crate::error::demand;
use crate::{Number, Result, SumOfExponentials};
use hpfracc_special::digamma;

/// The nodes of `t^-b` in units of the step, from one step on: the basis of the weights of product
/// rules.
///
/// Those weights are positive averages of the kernel, as is the contribution of the incomplete hat
/// at the start: the relative error of the kernel is a bound for theirs.
pub(crate) struct PowerNodes<N> {
    pub(crate) sum: SumOfExponentials,
    pub(crate) relative_error: f64,
    /// By node, 1 with the logarithmic derivative of its weight, the rates held.
    units: Vec<N>,
}

impl<N: Number> PowerNodes<N> {
    /// The derivative of the weight w_k in b with the rates held is `w_k (ln p_k - psi(b))`.
    ///
    /// # Errors
    /// Those of [`SumOfExponentials::of_power`]. With a derivative,
    /// [`OperatorError::Parameter`](crate::OperatorError::Parameter) for b = 0, whose one
    /// exponential does not determine those of other exponents, and for exponents so small that
    /// some p_k is zero in `f64`.
    pub(crate) fn new(b: N, request: Request) -> Result<Self> {
        let sum = SumOfExponentials::of_power(b.value(), request.lags(), request.aim())?;
        let resolved = !N::HAS_DERIVATIVE || !sum.rates().contains(&0.0);
        demand((
            "the exponent b of nodes for a derivative in it",
            b.value(),
            resolved,
            "b > 0.05",
        ))?;
        let psi = if N::HAS_DERIVATIVE { digamma(b.value()) } else { 0.0 };
        let units = sum.rates().iter().map(|p| b.chain(|_| 1.0, |_, _| p.ln() - psi)).collect();
        Ok(Self { relative_error: Request::bound(&sum), sum, units })
    }

    /// `(p_k, factor f_k exp(-p_k))` for factors f_k in proportion to the weights of the nodes.
    /// `sum` has the nodes, which may be tempered.
    pub(crate) fn one_step_on(
        &self,
        sum: &SumOfExponentials,
        factor: N,
        factors: &[f64],
    ) -> Vec<(f64, N)> {
        let nodes = one_step_on(sum, factor, factors).into_iter().zip(&self.units);
        nodes.map(|((p, c), unit)| (p, c * *unit)).collect()
    }

    /// The weights w_k.
    pub(crate) fn weights(&self) -> impl Iterator<Item = N> {
        self.sum.weights().iter().zip(&self.units).map(|(w, unit)| *unit * *w)
    }
}
