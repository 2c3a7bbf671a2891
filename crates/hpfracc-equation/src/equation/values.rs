use super::{Equation, Range, Symbol};
use crate::evaluate::{Values, evaluate};
use crate::graph::Id;

/// Highest order of an equation whose initial values are those of a history.
const HIGHEST: f64 = 16.0;

/// Value that a parameter cannot have.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ParameterError {
    /// Name that no parameter has.
    #[error("`{name}` is no parameter; the parameters are {known}")]
    Unknown {
        /// Name.
        name: String,
        /// Names of the parameters.
        known: String,
    },
    /// Value outside of the range, or not finite.
    #[error("{name} = {value} is outside its range {range}")]
    OutOfRange {
        /// Name of the parameter.
        name: String,
        /// Value.
        value: f64,
        /// Range.
        range: Range,
    },
    /// List of orders of another length.
    #[error(
        "the list of orders has length {found}, expected 1 or {expected}, the number of states"
    )]
    Orders {
        /// Length of the list.
        found: usize,
        /// Number of states.
        expected: usize,
    },
    /// Value for which the orders of the derivatives of a component make no sense.
    #[error(
        "{name} = {value} makes the order of the derivative of {state} {order}, expected {expected}"
    )]
    Order {
        /// Name of the parameter.
        name: String,
        /// Value.
        value: f64,
        /// Component.
        state: String,
        /// Its order.
        order: f64,
        /// What the order has to be.
        expected: String,
    },
}

impl Equation {
    /// Equation with another value of a parameter.
    ///
    /// # Errors
    /// See [`Self::set`].
    pub fn with_value(mut self, name: &str, value: f64) -> Result<Self, ParameterError> {
        self.set(name, value)?;
        Ok(self)
    }

    /// Sets a parameter.
    ///
    /// # Errors
    /// If there is no such parameter, if its range does not contain the value or the value is not
    /// finite, or if an order would no longer be positive, above the lower orders of its equation and
    /// at most the number of initial values.
    pub fn set(&mut self, name: &str, value: f64) -> Result<(), ParameterError> {
        let Some(k) = self.parameters.iter().position(|parameter| parameter.name == name) else {
            let names: Vec<_> = self.parameters.iter().map(|p| p.name.as_str()).collect();
            return Err(ParameterError::Unknown { name: name.into(), known: names.join(", ") });
        };
        let every = Range { low: f64::MIN, high: f64::MAX, low_closed: true, high_closed: true };
        let range = self.parameters[k].range.unwrap_or(every);
        if !(value.is_finite() && range.contains(value)) {
            return Err(ParameterError::OutOfRange { name: name.into(), value, range });
        }
        let before = std::mem::replace(&mut self.parameters[k].value, value);
        self.check_orders(name, value).inspect_err(|_| self.parameters[k].value = before)
    }

    /// Values of expressions of constants and parameters; NaN if they depend on time or the state as they
    /// are written.
    pub fn values(&self, expressions: &[Id]) -> Vec<f64> {
        let symbol = |number: u32| self.symbols.get(number as usize);
        let varies = |number| !matches!(symbol(number), Some(Symbol::Parameter(_)));
        let depends = self.graph.depends(varies);
        let variables: Vec<_> = self
            .symbols
            .iter()
            .map(|symbol| match symbol {
                Symbol::Parameter(k) => Values::Uniform(self.parameters[*k].value),
                _ => Values::Uniform(f64::NAN),
            })
            .collect();
        let values = evaluate::<f64>(&self.graph, expressions, &variables).into_iter();
        let checked = values.zip(expressions);
        checked.map(|(value, id)| if depends[id.index()] { f64::NAN } else { value }).collect()
    }

    /// Value of an expression of constants and parameters; NaN if it depends on time or the state as it is
    /// written.
    pub fn value(&self, expression: Id) -> f64 {
        self.values(&[expression])[0]
    }

    /// Orders of the highest derivatives of the states.
    pub fn orders(&self) -> Vec<f64> {
        self.values(&self.states.iter().map(|state| state.order).collect::<Vec<_>>())
    }

    pub(super) fn check_orders(&self, name: &str, value: f64) -> Result<(), ParameterError> {
        let all = |state: &super::State| [&[state.order], &state.lower_orders[..]].concat();
        let values = self.values(&self.states.iter().flat_map(all).collect::<Vec<_>>());
        let mut values = values.into_iter();
        for state in &self.states {
            let order = values.next().unwrap_or(f64::NAN);
            let lower = values.by_ref().take(state.lower_orders.len()).fold(0.0, f64::max);
            let rows = state.initial.len().max(1) as f64;
            let most = if state.history.is_some() { HIGHEST } else { rows };
            if !(order > lower && order <= most) {
                let expected = match state.history {
                    Some(_) => format!("an order above {lower} and at most {HIGHEST}"),
                    None => format!("an order above {lower} and at most {rows}"),
                };
                let (name, state) = (name.into(), state.name.clone());
                return Err(ParameterError::Order { name, value, state, order, expected });
            }
        }
        Ok(())
    }
}
