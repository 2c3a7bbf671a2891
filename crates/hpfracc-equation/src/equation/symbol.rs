/// Meaning of a variable of the graph: [`Node::Variable`](crate::Node::Variable) k is `symbols[k]`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Symbol {
    /// Time t.
    Time,
    /// Component of the state, by its index among [`Equation::states`](crate::Equation::states).
    State(usize),
    /// Parameter, by its index among [`Equation::parameters`](crate::Equation::parameters).
    Parameter(usize),
    /// Component of the state a delay ago: `y(t - tau)`.
    Lagged {
        /// Index of the component.
        state: usize,
        /// Index among [`Equation::delays`](crate::Equation::delays).
        delay: usize,
    },
    /// Derivative of a component below the highest one: `D^1.5 y` in an equation for `D^2 y`.
    LowerDerivative {
        /// Index of the component.
        state: usize,
        /// Index among [`State::lower_orders`](crate::State::lower_orders).
        term: usize,
    },
}
