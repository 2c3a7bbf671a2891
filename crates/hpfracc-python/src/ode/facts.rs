//! Facts of an equation in words.

use hpfracc::equation::structure::is_autonomous as no_time;
use hpfracc::equation::{Action, Derivative, Direction, Equation, Event, Id, Process, Symbol};

/// Name of a derivative, as the argument `definition` of `hpfracc.solve` has it.
pub(super) fn definition(derivative: Derivative) -> &'static str {
    match derivative {
        Derivative::Caputo => "caputo",
        Derivative::RiemannLiouville => "riemann-liouville",
        Derivative::CaputoFabrizio => "caputo-fabrizio",
        Derivative::AtanganaBaleanu => "atangana-baleanu",
    }
}

/// Orders of the highest derivatives.
pub(super) fn orders(equation: &Equation) -> Vec<f64> {
    let orders: Vec<Id> = equation.states().iter().map(|state| state.order()).collect();
    equation.values(&orders)
}

/// Kind of the equation.
pub(super) fn form(equation: &Equation) -> String {
    let states = equation.states();
    let noisy = states.iter().any(|state| !state.noise().is_empty());
    let lower = states.iter().any(|state| !state.lower_orders().is_empty());
    let fractional = orders(equation).iter().any(|order| order.fract() != 0.0);
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

/// Kind of a noise.
pub(super) fn process(process: Process) -> &'static str {
    match process {
        Process::Brownian => "Brownian motion",
        Process::Fractional { .. } => "fractional Brownian motion",
        Process::Stable { .. } => "stable Levy motion",
        Process::Poisson { .. } => "compound Poisson process",
    }
}

/// Expression of an event, its direction and its action.
pub(super) fn event(equation: &Equation, event: &Event) -> String {
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
pub(super) fn is_autonomous(equation: &Equation) -> bool {
    let mut roots: Vec<Id> = equation.delays().to_vec();
    for state in equation.states() {
        roots.push(state.drift());
        roots.extend(state.noise().iter().map(|term| term.coefficient()));
    }
    no_time(equation.graph(), &roots, equation.variable(Symbol::Time).unwrap_or(0))
}
