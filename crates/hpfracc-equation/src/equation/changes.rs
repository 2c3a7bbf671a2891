use super::{Equation, ParameterError};

impl Equation {
    /// Equation on another interval of time.
    #[must_use]
    pub fn with_interval(mut self, (t0, t1): (f64, f64)) -> Self {
        self.interval = Some([t0, t1].map(|t| self.graph.constant(t)));
        self
    }

    /// Equation with another initial value of a state, or of one of its derivatives: in place of an expression,
    /// a random value or the value of a history at t0. None if there is no such state, or if the derivative is not
    /// below the order of the state.
    ///
    /// ```
    /// use hpfracc_equation::Equation;
    ///
    /// let equation = Equation::parse("D^1.5 y = -y; y(0) = 1; y'(0) = 0; t in [0, 1]")?;
    /// let moving = equation.with_initial_value(0, 1, 0.5).unwrap();
    /// assert!(moving.to_string().contains("y'(0) = 0.5"));
    /// assert!(moving.with_initial_value(0, 2, 0.0).is_none());
    /// # Ok::<(), hpfracc_equation::EquationError>(())
    /// ```
    #[must_use]
    pub fn with_initial_value(
        mut self,
        state: usize,
        derivative: usize,
        value: f64,
    ) -> Option<Self> {
        let order = self.value(self.states.get(state)?.order);
        let below = (derivative as f64) < order;
        if !below {
            return None;
        }
        let value = self.graph.constant(value);
        let state = &mut self.states[state];
        if state.initial.len() <= derivative {
            state.initial.resize(derivative + 1, None);
        }
        state.initial[derivative] = Some(value);
        if derivative == 0 {
            state.random = None;
        }
        Some(self)
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
