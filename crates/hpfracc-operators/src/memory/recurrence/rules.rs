//! Product rules whose kernel is a sum of exponentials from one step on, in units of the step.

use super::{Asked, Before, Recurrence};
use crate::{SumOfExponentials, Toeplitz};

/// `(p_k, factor f_k exp(-p_k))`: factors of exponentials in t, one step on.
pub(crate) fn one_step_on(
    sum: &SumOfExponentials,
    factor: f64,
    factors: &[f64],
) -> Vec<(f64, f64)> {
    let each = sum.rates().iter().zip(factors);
    each.map(|(p, f)| (*p, factor * f * (-p).exp())).collect()
}

/// Linear f and the derivative under the integral: `int_j^(j+1) k(s) ds` times the differences, the first
/// weight exact.
pub(crate) fn of_slopes(asked: Asked, error: f64, first: f64, far: Vec<(f64, f64)>) -> Recurrence {
    Recurrence::new(asked, error, vec![first], far).of_differences(1, Before::Held)
}

impl Recurrence {
    /// The same with `factor k(t_n) f_0` more, the factor being that of the weights; at the start itself the
    /// first weight. The nodes of k are those of its integrals over cells.
    pub(crate) fn with_jump(self, sum: &SumOfExponentials, first: f64) -> Self {
        let each = sum.weights().iter().zip(sum.cells(1.0));
        let states = each.map(|(value, cell)| value / cell).collect();
        self.with_start(vec![first], states)
    }
}

/// Values of f against the kernel, from lag 2 on: the rectangle, or, with a start correction, the trapezoid.
/// The first weights come from the scheme on two samples.
pub(crate) fn of_values(
    asked: Asked,
    error: f64,
    sum: &SumOfExponentials,
    first: &Toeplitz,
    far: Vec<(f64, f64)>,
) -> Recurrence {
    let recurrence = Recurrence::new(asked, error, first.causal.clone(), far);
    let Some(start) = first.starts.first() else { return recurrence };
    // The hat of f_0 lacks its later half: e_k is minus that over a whole one.
    let each = sum.rates().iter().zip(sum.falling_cells(1.0)).zip(sum.hats(1.0));
    let states = each.map(|((p, half), hat)| -half * (-p).exp() / hat).collect();
    recurrence.with_start(start.column.clone(), states)
}
