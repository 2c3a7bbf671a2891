use super::cell_moments::CellMoments;
use hpfracc_operators::Number;

/// Kernel of the integral over a history, a sum of weakly singular powers whose weights and orders
/// may depend on the time of the integral:
///
/// ```text
/// k_t(u) = sum_j w_j(t) u^(a_j(t)-1)/Gamma(a_j(t))
/// ```
///
/// With `Dual` numbers integrals have their derivatives with respect to the orders.
#[derive(Debug, Clone)]
pub(crate) struct CellKernel<T = f64> {
    /// Times with a term each; empty if the same terms hold at all times.
    times: Vec<f64>,
    /// Weights, and moments of the orders.
    terms: Vec<(f64, CellMoments<T>)>,
}

impl<T: Number> CellKernel<T> {
    /// Kernel of the fractional integral of order a.
    pub(crate) fn of_order(a: T) -> Self {
        Self::of_orders(&[(1.0, a)])
    }

    /// Sum of kernels from weights and orders.
    pub(crate) fn of_orders(terms: &[(f64, T)]) -> Self {
        let terms = terms.iter().map(|&(weight, a)| (weight, CellMoments::new(a))).collect();
        Self { times: Vec::new(), terms }
    }

    /// Kernel whose order depends on time, from increasing times with an order each.
    pub(crate) fn of_variable_order(times: Vec<f64>, orders: &[T]) -> Self {
        let terms = orders.iter().map(|&a| (1.0, CellMoments::new(a))).collect();
        Self { times, terms }
    }

    /// Whether the terms depend on time.
    pub(super) fn is_variable(&self) -> bool {
        !self.times.is_empty()
    }

    /// All terms of all times.
    pub(super) fn terms(&self) -> &[(f64, CellMoments<T>)] {
        &self.terms
    }

    /// Terms at a time; of a variable order at the next time that has one.
    pub(super) fn at(&self, t: f64) -> &[(f64, CellMoments<T>)] {
        if self.times.is_empty() {
            return &self.terms;
        }
        let index = self.times.partition_point(|time| *time < t).min(self.times.len() - 1);
        &self.terms[index..=index]
    }

    /// The order, if there is one with the weight 1 at all times.
    pub(super) fn single_order(&self) -> Option<T> {
        match &self.terms[..] {
            [(1.0, moments)] if self.times.is_empty() => Some(moments.alpha),
            _ => None,
        }
    }

    /// Whether the integral over earlier cells vanishes: order 0 alone, the value at the end.
    pub(crate) fn is_local(&self) -> bool {
        self.terms.iter().all(|(_, moments)| moments.alpha.value() == 0.0)
    }

    /// The weights of the values at `s0` and `s1` in the integral at t over the part of the cell
    /// before t of the linear function through them.
    pub(crate) fn weights(&self, t: f64, s0: f64, s1: f64) -> (T, T) {
        let add = |(left, right): (T, T), (weight, moments): &(f64, CellMoments<T>)| {
            let (of_left, of_right) = moments.weights(t, s0, s1);
            (left + of_left * *weight, right + of_right * *weight)
        };
        self.at(t).iter().fold((T::constant(0.0), T::constant(0.0)), add)
    }

    /// The integral at t over a cell before t.
    pub(crate) fn cell(&self, t: f64, s0: f64, s1: f64) -> T {
        let cells = self.at(t).iter().map(|(weight, moments)| moments.cell(t, s0, s1) * *weight);
        cells.fold(T::constant(0.0), |sum, cell| sum + cell)
    }
}
