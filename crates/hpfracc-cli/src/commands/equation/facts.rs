//! What an equation is, line by line.

use crate::text::rounded;
use hpfracc::equation::structure::{self, linear_part};
use hpfracc::equation::{Equation, Id, Symbol};
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
    let count = equation.states().len();
    let plural = if count == 1 { "state" } else { "states" };
    format!("{}, {count} {plural}", structure::form(equation))
}

fn orders(equation: &Equation) -> String {
    let orders = equation.states().iter().zip(equation.orders());
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
    let one =
        |noise: &hpfracc::equation::NoiseSource| format!("{} {}", noise.name(), noise.process());
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
    let events = equation.events().iter().map(|event| structure::event_text(equation, event));
    events.collect::<Vec<_>>().join("; ")
}

fn time(equation: &Equation) -> String {
    let autonomous = structure::is_time_invariant(equation);
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
