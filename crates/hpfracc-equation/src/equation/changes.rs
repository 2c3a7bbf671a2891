use super::{Equation, ParameterError};

impl Equation {
    /// Equation on another interval of time.
    #[must_use]
    pub fn with_interval(mut self, (t0, t1): (f64, f64)) -> Self {
        self.interval = Some([t0, t1].map(|t| self.graph.constant(t)));
        self
    }

    /// Equation with these orders of the highest derivatives: one for all states, or one for each.
    ///
    /// # Errors
    /// [`ParameterError::Orders`] for another number of orders, [`ParameterError::Order`] for an order
    /// that is not above the lower orders of its state, or above the number of its initial values.
    pub fn with_orders(mut self, orders: &[f64]) -> Result<Self, ParameterError> {
        let states = self.states.len();
        if orders.len() != 1 && orders.len() != states {
            return Err(ParameterError::Orders { found: orders.len(), expected: states });
        }
        for (k, state) in self.states.iter_mut().enumerate() {
            state.order = self.graph.constant(orders[k.min(orders.len() - 1)]);
        }
        self.check_orders("order", orders[0])?;
        Ok(self)
    }
}
