use crate::failure::Failure;
use crate::sliders::{OrderSlider, order_sliders};
use hpfracc::equation::Equation;
use serde::Deserialize;
use std::collections::BTreeMap;

/// Longest text, in bytes.
const LONGEST: usize = 1 << 20;

/// Equation of a request: a text, and what sliders have changed.
#[derive(Debug, Clone, Deserialize)]
pub(crate) struct Case {
    pub(crate) text: String,
    #[serde(default)]
    values: BTreeMap<String, f64>,
    #[serde(default)]
    orders: BTreeMap<String, f64>,
}

/// Equation with the values of its parameters.
#[derive(Debug, Clone)]
pub(crate) struct Prepared {
    pub(crate) equation: Equation,
    /// Whether the orders are those of the text, for which exact solutions hold.
    pub(crate) own_orders: bool,
}

/// Equation of a text.
pub(crate) fn parse(text: &str) -> Result<Equation, Failure> {
    if text.len() > LONGEST {
        let found = text.len();
        return Err(Failure::new(format!(
            "the text has {found} bytes, expected at most {LONGEST}"
        )));
    }
    Equation::parse(text).map_err(|error| Failure::in_text(text, &error))
}

/// Whether an equation has noise or random initial values.
pub(crate) fn is_stochastic(equation: &Equation) -> bool {
    equation
        .states()
        .iter()
        .any(|state| !state.noise().is_empty() || state.random_start().is_some())
}

impl Case {
    /// The equation with these values.
    pub(crate) fn prepare(&self) -> Result<Prepared, Failure> {
        let mut prepared = Prepared { equation: parse(&self.text)?, own_orders: true };
        // Orders first: a parameter may be checked against them.
        for (name, value) in self.orders.iter().chain(&self.values) {
            prepared.set(name, *value)?;
        }
        Ok(prepared)
    }
}

impl Prepared {
    /// Sets a parameter or an order, by the name of its slider.
    pub(crate) fn set(&mut self, name: &str, value: f64) -> Result<(), Failure> {
        let sliders = order_sliders(&self.equation);
        let Some(slider) = sliders.into_iter().find(|slider| slider.name == name) else {
            return Ok(self.equation.set(name, value)?);
        };
        let mut orders = self.equation.orders();
        match slider.of {
            OrderSlider::Parameter => return Ok(self.equation.set(name, value)?),
            OrderSlider::AllStates => orders.fill(value),
            OrderSlider::State(k) => orders[k] = value,
        }
        self.own_orders &= orders == self.equation.orders();
        self.equation = self.equation.clone().with_orders(&orders)?;
        Ok(())
    }
}
