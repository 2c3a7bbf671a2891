//! The statements of an equation.

use super::Printer;
use super::layout::{Lead, Piece};
use crate::equation::{
    Action, Calculus, Direction, Equation, Event, Jump, Net, Process, RandomStart, State, Symbol,
    TableOfData, TableSource,
};
use crate::graph::Interpolation;
use crate::graph::{Binary, Id, Node, Unary};
use crate::network::Layers;
use crate::text::{binding, is_default};
use hpfracc_types::shortest;
use std::fmt;

/// Canonical text, from which the same equation is read: one statement a line. Large expressions that
/// occur more than once are abbreviated as `_1`, `_2` and so on.
impl fmt::Display for Equation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer::new(self, &self.graph, &self.ordered_roots());
        let mut lines: Vec<String> = vec![];
        lines.extend(self.states.iter().map(|state| printer.state(state)));
        lines.extend(self.nets.iter().map(|net| printer.net(net)));
        printer.definitions(&mut lines);
        lines.extend(self.parameters.iter().map(parameter));
        lines.extend(self.tables.iter().map(table));
        for state in &self.states {
            printer.initial_values(state, &mut lines);
        }
        if let Some([start, end]) = self.interval {
            lines.push(format!("t in [{}, {}]", printer.any(start), printer.any(end)));
        }
        printer.noises(&mut lines);
        lines.extend(self.events.iter().map(|event| printer.event(event)));
        printer.shown(&mut lines);
        f.write_str(&lines.join("\n"))
    }
}

fn parameter(parameter: &crate::equation::Parameter) -> String {
    let mut line = format!("{} = {}", parameter.name, shortest(parameter.value));
    if let Some(range) = parameter.range {
        line.push_str(&format!(" in {range}"));
    }
    if let Some(unit) = &parameter.unit {
        line.push_str(&format!(" [{unit}]"));
    }
    line
}

fn table(table: &TableOfData) -> String {
    let list = |numbers: &[f64]| {
        let numbers: Vec<String> = numbers.iter().map(|x| shortest(*x)).collect();
        format!("[{}]", numbers.join(", "))
    };
    let (name, data) = (&table.name, &table.table);
    let mut line = match &table.source {
        Some(TableSource { path, columns }) => {
            let [arguments, values] = columns.each_ref().map(|name| column(name));
            format!("table {name}: {arguments} -> {values} from \"{path}\"")
        }
        None => format!("table {name}: {} -> {}", list(data.knots()), list(data.values())),
    };
    if data.interpolation() == Interpolation::Cubic {
        line.push_str(" cubic");
    }
    if data.is_extended() {
        line.push_str(" extended");
    }
    line
}

/// Name of a column, in quotation marks if it is no name of the language.
fn column(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_name = name.chars().all(plain) && name.starts_with(|c: char| !c.is_ascii_digit());
    if is_name { name.into() } else { format!("\"{name}\"") }
}

impl Printer<'_> {
    /// Text of an expression in brackets or between commas.
    fn any(&self, id: Id) -> String {
        self.text(id, binding::OR)
    }

    /// Text of the expression of a statement.
    fn sum(&self, id: Id) -> String {
        self.text(id, binding::SUM)
    }

    fn text(&self, id: Id, least: u8) -> String {
        let mut out = String::new();
        self.write(&mut out, id, least);
        out
    }

    /// Text of a variable that is no node of the graph.
    pub(super) fn write_symbol(&self, out: &mut String, number: u32) {
        let name = match self.equation.symbols.get(number as usize) {
            Some(Symbol::Time) => "t",
            Some(Symbol::State(k)) => &self.equation.states[*k].name,
            Some(Symbol::Parameter(k)) => &self.equation.parameters[*k].name,
            _ => "?",
        };
        out.push_str(name);
    }

    fn state(&self, state: &State) -> String {
        let mut out = String::new();
        if state.differential {
            out.push_str(&format!("d{}", state.name));
        } else {
            let left = self.derivative(&state.name, state.definition, state.order, true);
            self.write_pieces(&mut out, left);
        }
        out.push_str(" = ");
        let zero = self.graph.node(state.drift) == Node::constant(0.0);
        let start = out.len();
        if !zero || state.noise.is_empty() {
            if state.differential {
                self.increment(&mut out, start, state.drift, "dt");
            } else {
                self.write(&mut out, state.drift, binding::SUM);
            }
        }
        for term in &state.noise {
            let ring = if term.calculus == Calculus::Stratonovich { "o " } else { "" };
            let rate = if state.differential { "" } else { "/dt" };
            let name = &self.equation.noises[term.noise].name;
            self.increment(&mut out, start, term.coefficient, &format!("{ring}d{name}{rate}"));
        }
        out
    }

    /// `+ coefficient dW`
    fn increment(&self, out: &mut String, start: usize, coefficient: Id, increment: &str) {
        let first = out.len() == start;
        let named = self.names.contains_key(&coefficient);
        let (sign, id, number) = match self.graph.node(coefficient) {
            Node::Unary(Unary::Negate, a)
                if !first && !named && self.graph.node(a).as_constant().is_none() =>
            {
                (" - ", a, None)
            }
            Node::Constant(bits) => {
                let value = f64::from_bits(bits);
                let negative = value.is_sign_negative();
                match (first, negative) {
                    (true, _) => ("", coefficient, (!negative).then_some(value)),
                    (false, true) => (" - ", coefficient, Some(-value)),
                    (false, false) => (" + ", coefficient, Some(value)),
                }
            }
            _ => (if first { "" } else { " + " }, coefficient, None),
        };
        out.push_str(sign);
        match number {
            Some(1.0) => {}
            Some(value) => out.push_str(&format!("{} ", shortest(value))),
            None => {
                self.factor(out, id, first);
                out.push(' ');
            }
        }
        out.push_str(increment);
    }

    /// Factor before a differential, which begins with a sign only at the start of a sum.
    fn factor(&self, out: &mut String, id: Id, first: bool) {
        let Piece::Operand { id, bracket } = self.first_factor(id) else { return };
        let bracket = bracket || !first && self.form(id).lead == Lead::Minus;
        self.write_pieces(out, vec![Piece::Operand { id, bracket }]);
    }

    fn net(&self, net: &Net) -> String {
        let inputs: Vec<_> = net.inputs.iter().map(|id| self.sum(*id)).collect();
        let (name, inputs, layers) = (&net.name, inputs.join(", "), Layers(&net.layers));
        format!("net {name}: {inputs}{layers} from \"{}\"", net.file)
    }

    fn definitions(&self, lines: &mut Vec<String>) {
        for definition in &self.equation.definitions {
            let own = self.names.get(&definition.value) == Some(&definition.name);
            let mut line = format!("{} = ", definition.name);
            if own {
                self.write_expanded(&mut line, definition.value, binding::SUM);
            } else {
                self.write(&mut line, definition.value, binding::SUM);
            }
            lines.push(line);
        }
        for id in &self.abbreviated {
            let mut line = format!("{} = ", self.names[id]);
            self.write_expanded(&mut line, *id, binding::SUM);
            lines.push(line);
        }
    }

    fn initial_values(&self, state: &State, lines: &mut Vec<String>) {
        let start = self.equation.interval.map_or("0".into(), |[start, _]| self.any(start));
        if let Some(history) = state.history {
            let given = state.initial.first().is_some_and(Option::is_some);
            let relation = if given || state.random.is_some() { "<" } else { "<=" };
            let start = self.equation.interval.map_or("0".into(), |[start, _]| self.sum(start));
            let value = self.sum(history);
            lines.push(format!("{}(t) = {value} for t {relation} {start}", state.name));
        }
        if let Some(RandomStart { distribution, numbers: [a, b] }) = state.random {
            let (name, a, b) = (distribution.name(), self.any(a), self.any(b));
            lines.push(format!("{}({start}) = {name}({a}, {b})", state.name));
        }
        for (row, value) in state.initial.iter().enumerate() {
            if let Some(value) = value {
                let (primes, value) = ("'".repeat(row), self.sum(*value));
                lines.push(format!("{}{primes}({start}) = {value}", state.name));
            }
        }
    }

    fn noises(&self, lines: &mut Vec<String>) {
        let used = |k: usize| {
            self.equation.states.iter().flat_map(|state| &state.noise).any(|term| term.noise == k)
        };
        for (k, noise) in self.equation.noises.iter().enumerate() {
            if is_default(noise) && used(k) {
                continue;
            }
            let process = match noise.process {
                Process::Brownian => "brownian()".to_string(),
                Process::Fractional { hurst } => format!("fbm({})", self.any(hurst)),
                Process::Stable { index, skewness } => {
                    format!("stable({}, {})", self.any(index), self.any(skewness))
                }
                Process::Poisson { rate, jump } => {
                    format!("poisson({}, {})", self.any(rate), self.jump(jump))
                }
            };
            lines.push(format!("{} = {process}", noise.name));
        }
        for correlation in &self.equation.correlations {
            let name = |k: usize| &self.equation.noises[k].name;
            let (first, second) = (name(correlation.first), name(correlation.second));
            lines.push(format!("corr({first}, {second}) = {}", self.sum(correlation.value)));
        }
    }

    fn jump(&self, jump: Jump) -> String {
        match jump {
            Jump::Constant(size) => self.any(size),
            Jump::Normal { mean, standard_deviation } => {
                format!("normal({}, {})", self.any(mean), self.any(standard_deviation))
            }
            Jump::DoubleExponential { upward, mean_up, mean_down } => format!(
                "double_exponential({}, {}, {})",
                self.any(upward),
                self.any(mean_up),
                self.any(mean_down)
            ),
        }
    }

    fn event(&self, event: &Event) -> String {
        let named = self.names.contains_key(&event.expression);
        let (left, right) = match self.graph.node(event.expression) {
            Node::Binary(Binary::Subtract, a, b)
                if !named && self.graph.node(b) != Node::constant(0.0) =>
            {
                (self.sum(a), self.sum(b))
            }
            _ => (self.sum(event.expression), "0".into()),
        };
        let direction = match event.direction {
            Direction::Rising => " rising",
            Direction::Falling => " falling",
            Direction::Either => "",
        };
        let action = match &event.action {
            Action::Stop => "stop".to_string(),
            Action::Assign(assigned) => {
                let name = |state: usize| &self.equation.states[state].name;
                let jumps = assigned
                    .iter()
                    .map(|(state, value)| format!("{} = {}", name(*state), self.sum(*value)));
                jumps.collect::<Vec<_>>().join(", ")
            }
        };
        format!("when {left} = {right}{direction}: {action}")
    }

    fn shown(&self, lines: &mut Vec<String>) {
        let equation = self.equation;
        for shown in &equation.shown {
            let known = matches!(shown.name.as_str(), "t" | "pi")
                || equation.state_index(&shown.name).is_some()
                || equation.parameter(&shown.name).is_some()
                || equation.definitions.iter().any(|definition| definition.name == shown.name)
                || equation
                    .nets
                    .iter()
                    .any(|net| net.named_outputs().any(|(name, _)| name == shown.name));
            if known {
                lines.push(format!("show {}", shown.name));
            } else {
                lines.push(format!("show {} = {}", shown.name, self.sum(shown.value)));
            }
        }
    }
}
