//! Product rules whose kernel is a sum of exponentials from one step on, in units of the step.

use super::{Before, Recurrence, Request};
use crate::{Number, SumOfExponentials};

/// `(p_k, factor f_k exp(-p_k))`: factors of exponentials in t, one step on.
pub(crate) fn one_step_on<N: Number>(
    sum: &SumOfExponentials,
    factor: N,
    factors: &[f64],
) -> Vec<(f64, N)> {
    let each = sum.rates().iter().zip(factors);
    each.map(|(p, f)| (*p, factor * *f * (-p).exp())).collect()
}

/// Piecewise linear f and the derivative under the integral: the weights `int_j^(j+1) k(s) ds` of
/// the differences, the first of them exact.
pub(crate) fn of_slopes<N: Number>(
    request: Request,
    error: f64,
    first: N,
    far: Vec<(f64, N)>,
) -> Recurrence<N> {
    Recurrence::new(request, error, vec![first], far).of_differences(1, Before::Held)
}

impl<N: Number> Recurrence<N> {
    /// The same plus `factor k(t_n) f_0`, the factor being that of the weights; at t = 0 the term
    /// is `first`. The nodes of k are those of its integrals over cells.
    pub(crate) fn with_jump(self, sum: &SumOfExponentials, first: N) -> Self {
        let each = sum.weights().iter().zip(sum.cells(1.0));
        let states = each.map(|(value, cell)| value / cell).collect();
        self.with_start(vec![first], states)
    }

    /// The same plus the start correction of the product trapezoid, `start` on the first two
    /// samples: the hat of f_0 lacks its later half, so that e_k is minus that half over the whole.
    pub(crate) fn with_half_hat(self, sum: &SumOfExponentials, start: Vec<N>) -> Self {
        let each = sum.rates().iter().zip(sum.falling_cells(1.0)).zip(sum.hats(1.0));
        let states = each.map(|((p, half), hat)| -half * (-p).exp() / hat).collect();
        self.with_start(start, states)
    }
}
