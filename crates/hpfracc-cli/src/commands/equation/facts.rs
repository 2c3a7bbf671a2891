//! What an equation is, line by line.

use crate::text::rounded;
use hpfracc::equation::structure::{is_autonomous, linear_part};
use hpfracc::equation::{Action, Derivative, Direction, Equation, Id, Process, Symbol};
use hpfracc::sde::{EquationModel, NoiseKind};

/// Lines `what  value`.
pub(super) fn of(equation: &Equation) -> String {
    let lines = [
        ("form", form(equation)),
        ("orders", orders(equation)),
        ("parameters", parameters(equation)),
        ("networks", networks(equation)),
        ("noise", noise(equation)),
        ("delays", delays(equation)),
        ("events", events(equation)),
        ("time", time(equation)),
        ("linear part", linear(equation)),
    ];
    let shown = lines.iter().filter(|(_, value)| !value.is_empty());
    shown.map(|(name, value)| format!("# {name:<12}{value}\n")).collect()
}

fn form(equation: &Equation) -> String {
    let states = equation.states();
    let noisy = states.iter().any(|state| !state.noise().is_empty());
    let lower = states.iter().any(|state| !state.lower_orders().is_empty());
    let fractional = order_values(equation).iter().any(|order| order.fract() != 0.0);
    let definition = match states.first().map(|state| state.definition()) {
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
    let fractional = if fractional { "fractional " } else { "" };
    let plural = if states.len() == 1 { "state" } else { "states" };
    format!("{definition}{fractional}{kind}, {} {plural}", states.len())
}

fn order_values(equation: &Equation) -> Vec<f64> {
    let orders: Vec<Id> = equation.states().iter().map(|state| state.order()).collect();
    equation.values(&orders)
}

fn orders(equation: &Equation) -> String {
    let orders = equation.states().iter().zip(order_values(equation));
    let one = |(state, order): (&hpfracc::equation::State, f64)| {
        let lower = equation.values(state.lower_orders());
        let lower: String =
            lower.into_iter().map(|order| format!(", {}", rounded(order))).collect();
        format!("{} {}{lower}", state.name(), rounded(order))
    };
    orders.map(one).collect::<Vec<_>>().join("; ")
}

fn parameters(equation: &Equation) -> String {
    let one = |parameter: &hpfracc::equation::Parameter| {
        let range = parameter.range().map_or(String::new(), |range| format!(" in {range}"));
        format!("{} = {}{range}", parameter.name(), rounded(parameter.value()))
    };
    equation.parameters().iter().map(one).collect::<Vec<_>>().join("; ")
}

fn networks(equation: &Equation) -> String {
    let one = |net: &hpfracc::equation::Net| {
        let (inputs, outputs) = (net.inputs().len(), net.outputs().len());
        format!("{} from {}: {inputs} inputs, {outputs} outputs", net.name(), net.file())
    };
    equation.nets().iter().map(one).collect::<Vec<_>>().join("; ")
}

fn noise(equation: &Equation) -> String {
    if equation.noises().is_empty() {
        return String::new();
    }
    let one = |noise: &hpfracc::equation::NoiseSource| {
        let process = match noise.process() {
            Process::Brownian => "Brownian motion",
            Process::Fractional { .. } => "fractional Brownian motion",
            Process::Stable { .. } => "stable Levy motion",
            Process::Poisson { .. } => "compound Poisson process",
        };
        format!("{} {process}", noise.name())
    };
    let noises = equation.noises().iter().map(one).collect::<Vec<_>>().join("; ");
    let Ok(model) = EquationModel::new(equation) else { return noises };
    let (kind, additive, commuting) = model.noise_structure();
    let kind = match kind {
        NoiseKind::Diagonal => "diagonal",
        NoiseKind::LeadingDiagonal { .. } => "diagonal in the first states",
        NoiseKind::Scalar => "scalar",
        _ => "general",
    };
    let additive = match additive.iter().filter(|additive| **additive).count() {
        0 => "multiplicative",
        count if count == additive.len() => "additive",
        _ => "partly additive",
    };
    let commuting = if commuting { ", commuting" } else { "" };
    format!("{noises}: {kind}, {additive}{commuting}")
}

fn delays(equation: &Equation) -> String {
    let delays = equation.delays().iter().map(|delay| equation.expression(*delay));
    delays.collect::<Vec<_>>().join("; ")
}

fn events(equation: &Equation) -> String {
    let one = |event: &hpfracc::equation::Event| {
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
    };
    equation.events().iter().map(one).collect::<Vec<_>>().join("; ")
}

fn time(equation: &Equation) -> String {
    let roots: Vec<Id> = equation
        .states()
        .iter()
        .flat_map(|state| {
            std::iter::once(state.drift())
                .chain(state.noise().iter().map(|term| term.coefficient()))
        })
        .collect();
    let time = equation.variable(Symbol::Time).unwrap_or(0);
    let roots = [&roots[..], equation.delays()].concat();
    let autonomous = is_autonomous(equation.graph(), &roots, time);
    if autonomous { "autonomous".to_owned() } else { "the right-hand side depends on t".to_owned() }
}

/// The matrix of the linear part with constant coefficients.
fn linear(equation: &Equation) -> String {
    let states = equation.states();
    let variables: Vec<u32> =
        (0..states.len()).filter_map(|k| equation.variable(Symbol::State(k))).collect();
    let drifts: Vec<Id> = states.iter().map(|state| state.drift()).collect();
    let mut graph = equation.graph().clone();
    let parameter =
        |number: u32| matches!(equation.symbols().get(number as usize), Some(Symbol::Parameter(_)));
    let part = linear_part(&mut graph, &drifts, &variables, parameter);
    let zero = |id: &Id| graph.node(*id).as_constant() == Some(0.0);
    let whole = part.rest.iter().all(zero);
    let entries: Vec<String> = part
        .matrix
        .iter()
        .map(|entry| {
            let (row, column) = (states[entry.row].name(), states[entry.column].name());
            format!("{row}: {} {column}", factor(&equation.expression_in(&graph, entry.value)))
        })
        .collect();
    match (entries.is_empty(), whole) {
        (true, _) => "none".to_owned(),
        (false, true) => format!("the whole right-hand side: {}", entries.join("; ")),
        (false, false) => entries.join("; "),
    }
}

/// A factor before a name: sums in brackets.
fn factor(text: &str) -> String {
    if text.contains(" + ") || text.contains(" - ") { format!("({text})") } else { text.to_owned() }
}
