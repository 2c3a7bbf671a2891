//! Facts of an equation in words.

use super::dependencies::is_autonomous;
use crate::equation::{Action, Derivative, Direction, Equation, Event, Symbol};
use crate::graph::Id;

/// Kind of an equation in words.
///
/// ```
/// use hpfracc_equation::{Equation, structure};
///
/// let equation = Equation::parse("D^0.5 y = -y(t - 1); y(t) = 1 for t <= 0; t in [0, 5]")?;
/// assert_eq!(structure::form(&equation), "Caputo fractional delay differential equation");
/// # Ok::<(), hpfracc_equation::EquationError>(())
/// ```
pub fn form(equation: &Equation) -> String {
    let states = equation.states();
    let noisy = states.iter().any(|state| !state.noise().is_empty());
    let lower = states.iter().any(|state| !state.lower_orders().is_empty());
    let fractional = equation.orders().iter().any(|order| order.fract() != 0.0);
    let derivative = match states.first().map(|state| state.definition()) {
        Some(Derivative::RiemannLiouville) => "Riemann-Liouville ",
        Some(Derivative::CaputoFabrizio) => "Caputo-Fabrizio ",
        Some(Derivative::AtanganaBaleanu) => "Atangana-Baleanu ",
        _ if fractional => "Caputo ",
        _ => "",
    };
    let kind = match (noisy, equation.delays().is_empty(), lower) {
        (true, _, _) => "stochastic differential equation",
        (false, false, _) => "delay differential equation",
        (false, true, true) => "multi-term differential equation",
        (false, true, false) => "differential equation",
    };
    format!("{derivative}{}{kind}", if fractional { "fractional " } else { "" })
}

/// Expression of an event, its direction and its action: `y - 1 = 0 rising: stop`.
pub fn event_text(equation: &Equation, event: &Event) -> String {
    let direction = match event.direction() {
        Direction::Rising => " rising",
        Direction::Falling => " falling",
        Direction::Either => "",
    };
    let action = match event.action() {
        Action::Stop => "stop",
        Action::Assign(_) => "jump",
    };
    format!("{} = 0{direction}: {action}", equation.expression(event.expression()))
}

/// Whether right-hand side, noise and delays do not depend on time as they are written.
pub fn is_time_invariant(equation: &Equation) -> bool {
    let mut roots: Vec<Id> = equation.delays().to_vec();
    for state in equation.states() {
        roots.push(state.drift());
        roots.extend(state.noise().iter().map(|term| term.coefficient()));
    }
    is_autonomous(equation.graph(), &roots, equation.variable(Symbol::Time).unwrap_or(0))
}
