//! Ranges of sliders, for parameters and orders.

use hpfracc::equation::{Equation, Node, Parameter, Symbol};
use serde::Serialize;

/// Slider of a parameter.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct ParameterSlider {
    name: String,
    value: f64,
    low: f64,
    high: f64,
    logarithmic: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<String>,
}

/// Slider of an order.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub(crate) struct Order {
    pub(crate) name: String,
    value: f64,
    low: f64,
    high: f64,
    #[serde(skip)]
    pub(crate) of: OrderSlider,
}

/// What a slider of an order changes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OrderSlider {
    /// A parameter that is the order of a state.
    Parameter,
    /// The constant order that all states have.
    AllStates,
    /// The constant order of a state.
    State(usize),
}

/// Distance of a slider's end from an end that its range excludes, as a part of the range.
const MARGIN: f64 = 0.01;
/// Least order of a slider, above the lower whole number.
const LEAST_ORDER: f64 = 0.05;

/// Sliders of the parameters that are no orders.
pub(crate) fn parameter_sliders(equation: &Equation) -> Vec<ParameterSlider> {
    let orders: Vec<usize> =
        equation.states().iter().filter_map(|s| parameter_of(equation, s.order())).collect();
    let all = equation.parameters().iter().enumerate();
    all.filter(|(k, _)| !orders.contains(k)).map(|(_, parameter)| slider(parameter)).collect()
}

fn slider(parameter: &Parameter) -> ParameterSlider {
    let value = parameter.value();
    let (low, high, logarithmic) = ends(parameter);
    let (name, unit) = (parameter.name().to_owned(), parameter.unit().map(str::to_owned));
    ParameterSlider { name, value, low, high, logarithmic, unit }
}

/// Ends of a slider: those of the range where it is bounded, else a neighbourhood of the value.
fn ends(parameter: &Parameter) -> (f64, f64, bool) {
    let value = parameter.value();
    let around = if value == 0.0 || !value.is_finite() { 1.0 } else { value.abs() };
    let Some(range) = parameter.range() else {
        return match value {
            value if value > 0.0 => (0.0, 3.0 * value, false),
            value if value < 0.0 => (3.0 * value, 0.0, false),
            _ => (-1.0, 1.0, false),
        };
    };
    let (low, high) = (range.low(), range.high());
    if low == 0.0 && !range.is_low_closed() && high.is_infinite() && value > 0.0 {
        return (value / 10.0, value * 10.0, true);
    }
    let from = if low.is_finite() { low } else { value.min(high) - 3.0 * around };
    let to = if high.is_finite() { high } else { value.max(low) + 3.0 * around };
    let margin = MARGIN * (to - from);
    let from = if range.contains(from) { from } else { from + margin };
    let to = if range.contains(to) { to } else { to - margin };
    (from.min(value), to.max(value), false)
}

/// Parameter that an expression is.
fn parameter_of(equation: &Equation, order: hpfracc::equation::Id) -> Option<usize> {
    let Node::Variable(number) = equation.graph().node(order) else { return None };
    match equation.symbols().get(number as usize)? {
        Symbol::Parameter(k) => Some(*k),
        _ => None,
    }
}

/// Sliders of the orders.
pub(crate) fn order_sliders(equation: &Equation) -> Vec<Order> {
    let mut sliders: Vec<Order> = Vec::new();
    let mut constants = Vec::new();
    for (k, state) in equation.states().iter().enumerate() {
        if let Some(parameter) = parameter_of(equation, state.order()) {
            let parameter = &equation.parameters()[parameter];
            if sliders.iter().all(|slider| slider.name != parameter.name()) {
                let (low, high) = parameter.range().map_or_else(
                    || order_ends(equation, k),
                    |_| {
                        let (low, high, _) = ends(parameter);
                        (low, high)
                    },
                );
                let (name, value) = (parameter.name().to_owned(), parameter.value());
                sliders.push(Order { name, value, low, high, of: OrderSlider::Parameter });
            }
        } else if let Some(value) = equation.graph().node(state.order()).as_constant() {
            constants.push((k, value));
        }
    }
    let same = constants.windows(2).all(|pair| pair[0].1 == pair[1].1);
    if let [(first, value), _, ..] = constants[..]
        && same
        && constants.len() == equation.states().len()
    {
        let (low, high) = order_ends(equation, first);
        let name = "order of all states".to_owned();
        return vec![Order { name, value, low, high, of: OrderSlider::AllStates }];
    }
    sliders.extend(constants.into_iter().map(|(k, value)| {
        let (low, high) = order_ends(equation, k);
        let name = format!("order of {}", equation.states()[k].name());
        Order { name, value, low, high, of: OrderSlider::State(k) }
    }));
    sliders
}

/// Orders that the initial values of a state suffice for.
fn order_ends(equation: &Equation, state: usize) -> (f64, f64) {
    let state = &equation.states()[state];
    let highest = match state.history() {
        Some(_) => equation.value(state.order()).ceil().max(1.0),
        None => state.initial().len().max(1) as f64,
    };
    let lower = equation.values(state.lower_orders()).into_iter().fold(highest - 1.0, f64::max);
    (lower + LEAST_ORDER.min((highest - lower) / 2.0), highest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(text: &str) -> Vec<(f64, f64, bool)> {
        let equation = Equation::parse(&format!("x' = -a x; x(0) = 1; {text}")).unwrap();
        let sliders = parameter_sliders(&equation);
        sliders.into_iter().map(|slider| (slider.low, slider.high, slider.logarithmic)).collect()
    }

    fn orders(text: &str) -> Vec<(String, f64, f64, f64)> {
        let equation = Equation::parse(text).unwrap();
        let sliders = order_sliders(&equation).into_iter();
        sliders.map(|slider| (slider.name, slider.value, slider.low, slider.high)).collect()
    }

    #[test]
    fn ranges_bound_the_sliders_of_parameters() {
        assert_eq!(parameters("a = 2"), [(0.0, 6.0, false)]);
        assert_eq!(parameters("a = -2"), [(-6.0, 0.0, false)]);
        assert_eq!(parameters("a = 0"), [(-1.0, 1.0, false)]);
        assert_eq!(parameters("a = 2 in [1, 3]"), [(1.0, 3.0, false)]);
        assert_eq!(parameters("a = 2 in (1, 3)"), [(1.02, 2.98, false)]);
        assert_eq!(parameters("a = 2 in (0, inf)"), [(0.2, 20.0, true)]);
        assert_eq!(parameters("a = 2 in [1, inf)"), [(1.0, 8.0, false)]);
        // Never away from the value.
        assert_eq!(parameters("a = 1.001 in (1, 3)"), [(1.001, 2.98, false)]);
    }

    #[test]
    fn orders_have_sliders() {
        let name = |name: &str| name.to_owned();
        assert_eq!(
            orders("D^alpha x = -x; alpha = 0.6 in (0, 1]; x(0) = 1"),
            [(name("alpha"), 0.6, 0.01, 1.0)]
        );
        assert_eq!(orders("x'' = -x; x(0) = 1; x'(0) = 0"), [(name("order of x"), 2.0, 1.05, 2.0)]);
        assert_eq!(
            orders("x' = -x; y' = x; x(0) = 1; y(0) = 0"),
            [(name("order of all states"), 1.0, 0.05, 1.0)]
        );
        assert_eq!(
            orders("D^0.5 x = -x; y' = x; x(0) = 1; y(0) = 0"),
            [(name("order of x"), 0.5, 0.05, 1.0), (name("order of y"), 1.0, 0.05, 1.0)]
        );
        assert_eq!(
            orders("D^2 x + D^1.98 x = -x; x(0) = 1; x'(0) = 0"),
            [(name("order of x"), 2.0, 1.99, 2.0)]
        );
    }
}
