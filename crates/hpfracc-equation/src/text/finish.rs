//! From the parts that were read to an equation: checks that need all of them, and a graph with what
//! is needed only.

use super::expression::{Leaf, NetDraft, Parser, StateDraft};
use super::syntax::{ErrorKind, Parsed, problem};
use crate::equation::{Equation, Named, Net, NoiseSource, Process, State, Symbol, TableOfData};
use crate::graph::{Graph, Id, Node};
use std::ops::Range;
use std::sync::Arc;

impl Parser<'_> {
    /// Equation of all statements.
    pub(crate) fn finish(mut self) -> Parsed<Equation> {
        if self.draft.states.is_empty() {
            let what = "no differential equation";
            return Err(problem(ErrorKind::Syntax, 0..0, what)
                .help("write one, such as `D^0.7 y = -y; y(0) = 1`"));
        }
        self.check_derivatives()?;
        self.check_initial_values()?;
        self.check_correlations()?;
        self.order_noises();
        let places: Vec<Vec<(usize, Range<usize>)>> =
            self.draft.states.iter().map(places).collect();
        let equation = self.numbered();
        check_superfluous(&equation, &places)?;
        Ok(equation)
    }

    /// Derivatives other than those that equations are solved for are lower ones.
    fn check_derivatives(&self) -> Parsed<()> {
        for derivative in &self.draft.derivatives {
            let state = &self.draft.states[derivative.state];
            let Some(highest) = state.order else { continue };
            let value = |order| self.builder.facts(order).value;
            let (found, highest) = (value(derivative.order), value(highest));
            if found >= highest {
                let what = format!(
                    "a derivative of order {found} of `{}`, whose equation is for order {highest}",
                    state.name
                );
                return Err(problem(ErrorKind::Order, derivative.at.clone(), what)
                    .help("only derivatives of lower orders can stand here"));
            }
        }
        Ok(())
    }

    fn check_initial_values(&self) -> Parsed<()> {
        for state in &self.draft.states {
            let name = &state.name;
            let error = |at: &Range<usize>, what: String| {
                problem(ErrorKind::InitialValue, at.clone(), what)
            };
            match (&state.history, &state.lagged) {
                (None, Some(at)) => {
                    return Err(error(at, format!("`{name}` has no history"))
                        .help(format!("write what it was: `{name}(t) = 1 for t <= 0`")));
                }
                (Some(history), _) if history.closed => {
                    if let Some((_, _, at)) = state.initial.iter().find(|(row, ..)| *row == 0) {
                        return Err(error(
                            at,
                            format!("the history of `{name}` has this value already"),
                        )
                        .help(format!(
                            "end the history before it: `{name}(t) = ... for t < ...`"
                        )));
                    }
                }
                (Some(history), _) if !state.initial.iter().any(|(row, ..)| *row == 0) => {
                    return Err(error(&history.at, format!("`{name}` has no initial value"))
                        .help("write `<=` in the history, or add the value"));
                }
                _ => {}
            }
            let missing = (0..self.rows(state))
                .find(|row| !state.initial.iter().any(|(known, ..)| known == row));
            // The start of a field may be given as numbers.
            let needed = self.builder.coordinates.is_none();
            if let (Some(row), None, true) = (missing, &state.history, needed) {
                let primes = "'".repeat(row);
                return Err(error(&state.at, format!("`{name}{primes}` has no initial value"))
                    .help(format!("add `{name}{primes}(0) = 1`")));
            }
        }
        Ok(())
    }

    /// Number of initial values that the order of a state needs.
    fn rows(&self, state: &StateDraft) -> usize {
        state.order.map_or(0, |order| self.builder.facts(order).value.ceil().min(64.0) as usize)
    }

    /// Correlations have to be those of some vector of noises: no negative eigenvalue.
    fn check_correlations(&self) -> Parsed<()> {
        let n = self.draft.noises.len();
        let Some((_, at)) = self.draft.correlations.last() else { return Ok(()) };
        let mut matrix = vec![0.0; n * n];
        for k in 0..n {
            matrix[k * n + k] = 1.0;
        }
        for (correlation, _) in &self.draft.correlations {
            let value = self.builder.facts(correlation.value).value;
            matrix[correlation.first * n + correlation.second] = value;
            matrix[correlation.second * n + correlation.first] = value;
        }
        if is_semidefinite(&mut matrix, n) {
            return Ok(());
        }
        Err(problem(ErrorKind::Noise, at.clone(), "no noises have all of these correlations")
            .help("their matrix has a negative eigenvalue"))
    }

    /// Numbers the noises in the order in which the equations use them; the others follow.
    fn order_noises(&mut self) {
        let mut order: Vec<usize> = vec![];
        let terms = self.draft.states.iter().flat_map(|state| &state.noise);
        let declared = 0..self.draft.noises.len();
        let kept = declared.filter(|k| !self.draft.noises[*k].vector);
        for noise in terms.map(|term| term.noise).chain(kept) {
            if !order.contains(&noise) {
                order.push(noise);
            }
        }
        let renumbered = |old: usize| order.iter().position(|k| *k == old).unwrap_or(0);
        for state in &mut self.draft.states {
            state.noise.iter_mut().for_each(|term| term.noise = renumbered(term.noise));
        }
        for (correlation, _) in &mut self.draft.correlations {
            correlation.first = renumbered(correlation.first);
            correlation.second = renumbered(correlation.second);
        }
        let mut noises: Vec<_> = self.draft.noises.drain(..).map(Some).collect();
        self.draft.noises = order.iter().filter_map(|k| noises[*k].take()).collect();
    }

    pub(crate) fn numbered(self) -> Equation {
        let (draft, builder) = (self.draft, self.builder);
        let value = |id: Id| builder.facts(id).value;
        let mut equation = Equation {
            correlations: draft
                .correlations
                .into_iter()
                .map(|(correlation, _)| correlation)
                .collect(),
            events: draft.events,
            shown: draft.shown,
            interval: draft.interval.map(|(interval, _)| interval),
            of_orders: draft.of_orders,
            ..Equation::default()
        };
        equation.noises = draft
            .noises
            .into_iter()
            .map(|noise| NoiseSource { name: noise.name, process: noise.process })
            .collect();
        let net = |net: NetDraft| Net {
            name: net.name,
            file: self.text[net.file.start + 1..net.file.end - 1].to_owned(),
            inputs: net.inputs,
            layers: net.layers,
            outputs: vec![],
        };
        equation.nets = draft.nets.into_iter().map(net).collect();
        let mut numbers = vec![0; draft.definitions.len()];
        for (k, definition) in draft.definitions.into_iter().enumerate() {
            let name = self.names.name(definition.name);
            if let (Some(net), Some(value)) = (definition.net, definition.value) {
                equation.nets[net].outputs.push(value);
                continue;
            }
            match (definition.parameter, definition.value) {
                (Some(parameter), _) => {
                    numbers[k] = equation.parameters.len();
                    equation.parameters.push(parameter);
                }
                (None, Some(value)) if !name.starts_with(super::definitions::ABBREVIATION) => {
                    equation.definitions.push(Named { name: name.to_owned(), value });
                }
                _ => {}
            }
        }
        let tables = draft.tables.into_iter().map(|table| TableOfData {
            name: table.name,
            table: Arc::clone(&builder.graph.tables()[table.number as usize]),
            source: table.source,
        });
        equation.tables = tables.collect();
        let orders: Vec<Vec<Id>> = draft.states.iter().map(|state| state.orders.clone()).collect();
        equation.states = draft.states.into_iter().map(state).collect();
        let compaction = Compaction {
            graph: &builder.graph,
            leaves: &builder.leaves,
            parameters: &numbers,
            orders: &orders,
            delays: &draft.delays,
        };
        compaction.apply(&mut equation, &value);
        equation
    }
}

/// Places of the initial values of a state.
fn places(state: &StateDraft) -> Vec<(usize, Range<usize>)> {
    state.initial.iter().map(|(row, _, at)| (*row, at.clone())).collect()
}

fn state(draft: StateDraft) -> State {
    let rows = draft.initial.iter().map(|(row, ..)| row + 1).max().unwrap_or(0);
    let mut initial = vec![None; rows];
    for (row, value, _) in draft.initial {
        initial[row] = Some(value).filter(|_| row > 0 || draft.random.is_none());
    }
    State {
        name: draft.name,
        definition: draft.definition.unwrap_or_default(),
        order: draft.order.unwrap_or(Id::new(0)),
        lower_orders: vec![],
        drift: draft.drift.unwrap_or(Id::new(0)),
        noise: draft.noise,
        initial,
        random: draft.random,
        history: draft.history.map(|history| history.value),
        differential: draft.differential,
    }
}

/// No initial values beyond the order of a state, whatever its parameters may be.
fn check_superfluous(equation: &Equation, places: &[Vec<(usize, Range<usize>)>]) -> Parsed<()> {
    let orders: Vec<Id> = equation.states.iter().map(|state| state.order).collect();
    let values = equation.values(&orders);
    let mut highest = None;
    for (k, (state, order)) in equation.states.iter().zip(&values).enumerate() {
        if state.initial.len() <= order.ceil() as usize {
            continue;
        }
        let highest = highest.get_or_insert_with(|| at_upper_ends(equation).values(&orders))[k];
        let rows = order.max(highest).ceil();
        if let Some((row, at)) = places[k].iter().find(|(row, _)| *row as f64 >= rows) {
            let primes = "'".repeat(*row);
            let what =
                format!("a superfluous initial value: the order of `{}` is {order}", state.name);
            let help = format!("leave `{}{primes}` away, or change the order", state.name);
            return Err(problem(ErrorKind::InitialValue, at.clone(), what).help(help));
        }
    }
    Ok(())
}

/// The same equation with all parameters at the upper ends of their ranges.
fn at_upper_ends(equation: &Equation) -> Equation {
    let mut equation = equation.clone();
    for parameter in &mut equation.parameters {
        if let Some(range) = parameter.range {
            parameter.value = range.high();
        }
    }
    equation
}

/// Copy of a graph with the needed nodes, whose variables are numbered as symbols.
struct Compaction<'a> {
    graph: &'a Graph,
    leaves: &'a [Leaf],
    parameters: &'a [usize],
    orders: &'a [Vec<Id>],
    delays: &'a [Id],
}

impl Compaction<'_> {
    fn apply(&self, equation: &mut Equation, value: &dyn Fn(Id) -> f64) {
        let needed = self.needed(&equation.roots());
        let mut delays: Vec<Option<usize>> = vec![None; self.delays.len()];
        let mut terms: Vec<Vec<usize>> = vec![vec![]; self.orders.len()];
        let mut later = vec![];
        for (k, node) in self.graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
            match self.symbol(*node) {
                Some(symbol @ Symbol::Lagged { delay, .. }) => {
                    if delays[delay].is_none() {
                        delays[delay] = Some(equation.delays.len());
                        equation.delays.push(self.delays[delay]);
                    }
                    later.push((k, symbol));
                }
                Some(symbol @ Symbol::LowerDerivative { state, term }) => {
                    terms[state].push(term);
                    later.push((k, symbol));
                }
                _ => {}
            }
        }
        for (state, terms) in terms.iter_mut().enumerate() {
            let order = |term: &usize| self.orders[state][*term];
            terms.sort_by(|a, b| value(order(b)).total_cmp(&value(order(a))));
            equation.states[state].lower_orders = terms.iter().map(order).collect();
        }
        let mut symbols = vec![Symbol::Time];
        symbols.extend((0..equation.states.len()).map(Symbol::State));
        symbols.extend((0..equation.parameters.len()).map(Symbol::Parameter));
        let mut numbers = std::collections::HashMap::new();
        for (k, symbol) in later {
            numbers.insert(k, symbols.len() as u32);
            symbols.push(match symbol {
                Symbol::Lagged { state, delay } => {
                    Symbol::Lagged { state, delay: delays[delay].unwrap_or(0) }
                }
                Symbol::LowerDerivative { state, term } => {
                    let position = terms[state].iter().position(|known| *known == term);
                    Symbol::LowerDerivative { state, term: position.unwrap_or(0) }
                }
                other => other,
            });
        }
        let number = |k: usize, symbol| match symbol {
            Symbol::Time => 0,
            Symbol::State(state) => 1 + state as u32,
            Symbol::Parameter(p) => (1 + equation.states.len() + self.parameters[p]) as u32,
            _ => numbers.get(&k).copied().unwrap_or(0),
        };
        let (mut graph, mut ids) = (self.graph.without_nodes(), vec![Id::new(0); self.graph.len()]);
        for (k, node) in self.graph.nodes().iter().enumerate().filter(|(k, _)| needed[*k]) {
            ids[k] = graph.add(match self.symbol(*node) {
                Some(symbol) => Node::Variable(number(k, symbol)),
                None => node.with_operands(|operand| ids[operand.index()]),
            });
        }
        equation.graph = graph;
        equation.symbols = symbols;
        equation.map_roots(|id| ids[id.index()]);
    }

    fn symbol(&self, node: Node) -> Option<Symbol> {
        let Node::Variable(number) = node else { return None };
        match self.leaves.get(number as usize) {
            Some(Leaf::Symbol(symbol)) => Some(*symbol),
            // Increments are in no root.
            _ => Some(Symbol::Time),
        }
    }

    /// Nodes that the roots need, with the delays and orders of their symbols, which come before them.
    fn needed(&self, roots: &[Id]) -> Vec<bool> {
        let mut needed = vec![false; self.graph.len()];
        roots.iter().for_each(|root| needed[root.index()] = true);
        for k in (0..self.graph.len()).rev() {
            if !needed[k] {
                continue;
            }
            let node = self.graph.nodes()[k];
            node.operands().for_each(|operand| needed[operand.index()] = true);
            match self.symbol(node) {
                Some(Symbol::Lagged { delay, .. }) => needed[self.delays[delay].index()] = true,
                Some(Symbol::LowerDerivative { state, term }) => {
                    needed[self.orders[state][term].index()] = true;
                }
                _ => {}
            }
        }
        needed
    }
}

/// Whether a symmetric matrix has no negative eigenvalue, by elimination with the largest pivot.
fn is_semidefinite(matrix: &mut [f64], n: usize) -> bool {
    const ROUNDING: f64 = 1e-12;
    let mut open: Vec<usize> = (0..n).collect();
    while let Some(at) = (0..open.len())
        .max_by(|a, b| matrix[open[*a] * (n + 1)].total_cmp(&matrix[open[*b] * (n + 1)]))
    {
        let p = open.swap_remove(at);
        let pivot = matrix[p * (n + 1)];
        if pivot <= ROUNDING {
            let rest = open.iter().chain([&p]);
            let all: Vec<usize> = rest.copied().collect();
            return all
                .iter()
                .all(|i| all.iter().all(|j| matrix[i * n + j].abs() <= ROUNDING * n as f64));
        }
        for i in &open {
            let factor = matrix[i * n + p] / pivot;
            for j in &open {
                matrix[i * n + j] -= factor * matrix[p * n + j];
            }
        }
    }
    true
}

/// Whether a noise needs no declaration.
pub(crate) fn is_default(noise: &NoiseSource) -> bool {
    noise.process == Process::Brownian && super::noises::is_brownian_name(&noise.name)
}
