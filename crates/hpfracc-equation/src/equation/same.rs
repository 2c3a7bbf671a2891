use super::{Action, Equation, Symbol};
use crate::graph::{Id, Node};
use std::collections::HashMap;

/// Equal parts under equal names; expressions by their structure.
impl PartialEq for Equation {
    fn eq(&self, other: &Self) -> bool {
        self.parts_match(other) && Pairs::of(self, other).match_all()
    }
}

impl Equation {
    /// Whether all but the expressions is equal, so that the roots correspond to each other. The
    /// order of delays and of lower derivatives is free: they are compared where they occur.
    fn parts_match(&self, other: &Self) -> bool {
        let states = zip_all(&self.states, &other.states, |a, b| {
            a.name == b.name
                && a.definition == b.definition
                && a.differential == b.differential
                && a.lower_orders.len() == b.lower_orders.len()
                && a.history.is_some() == b.history.is_some()
                && a.random.map(|random| random.distribution)
                    == b.random.map(|random| random.distribution)
                && zip_all(&a.initial, &b.initial, |a, b| a.is_some() == b.is_some())
                && zip_all(&a.noise, &b.noise, |a, b| {
                    (a.noise, a.calculus) == (b.noise, b.calculus)
                })
        });
        let events = zip_all(&self.events, &other.events, |a, b| {
            a.direction == b.direction
                && match (&a.action, &b.action) {
                    (Action::Stop, Action::Stop) => true,
                    (Action::Assign(a), Action::Assign(b)) => zip_all(a, b, |a, b| a.0 == b.0),
                    _ => false,
                }
        });
        let noises = zip_all(&self.noises, &other.noises, |a, b| {
            a.name == b.name && a.process.with_expressions(zero) == b.process.with_expressions(zero)
        });
        states
            && events
            && noises
            && self.parameters == other.parameters
            && self.tables == other.tables
            && zip_all(&self.definitions, &other.definitions, |a, b| a.name == b.name)
            && zip_all(&self.nets, &other.nets, |a, b| {
                (&a.name, &a.file, &a.layers) == (&b.name, &b.file, &b.layers)
                    && a.inputs.len() == b.inputs.len()
            })
            && zip_all(&self.shown, &other.shown, |a, b| a.name == b.name)
            && zip_all(&self.correlations, &other.correlations, |a, b| {
                (a.first, a.second) == (b.first, b.second)
            })
            && self.delays.len() == other.delays.len()
            && self.interval.is_some() == other.interval.is_some()
            && self.of_orders.len() == other.of_orders.len()
    }
}

fn zero(_: Id) -> Id {
    Id::new(0)
}

fn zip_all<T>(a: &[T], b: &[T], same: impl Fn(&T, &T) -> bool) -> bool {
    a.len() == b.len() && a.iter().zip(b).all(|(a, b)| same(a, b))
}

/// Nodes of two graphs that have to correspond to each other.
struct Pairs<'a> {
    equations: [&'a Equation; 2],
    matched: HashMap<Id, Id>,
    open: Vec<(Id, Id)>,
}

impl<'a> Pairs<'a> {
    fn of(a: &'a Equation, b: &'a Equation) -> Self {
        let open = a.ordered_roots().into_iter().zip(b.ordered_roots()).collect();
        Self { equations: [a, b], matched: HashMap::new(), open }
    }

    fn match_all(mut self) -> bool {
        while let Some((a, b)) = self.open.pop() {
            match self.matched.insert(a, b) {
                Some(known) if known == b => {}
                Some(_) => return false,
                None if self.match_nodes(a, b) => {}
                None => return false,
            }
        }
        true
    }

    fn match_nodes(&mut self, a: Id, b: Id) -> bool {
        let [first, second] = self.equations;
        let (a, b) = (first.graph.node(a), second.graph.node(b));
        match (a, b) {
            (Node::Variable(a), Node::Variable(b)) => self.match_symbols(a, b),
            (Node::Affine(a, row, x), Node::Affine(b, other_row, y)) => {
                self.open.push((x, y));
                row == other_row && first.graph.map(a) == second.graph.map(b)
            }
            (Node::Table(k, order, x), Node::Table(l, other_order, y)) => {
                self.open.push((x, y));
                let [k, l] = [k, l].map(|number| number as usize);
                order == other_order && first.graph.tables()[k] == second.graph.tables()[l]
            }
            _ if a.with_operands(zero) == b.with_operands(zero) => {
                self.open.extend(a.operands().zip(b.operands()));
                true
            }
            _ => false,
        }
    }

    fn match_symbols(&mut self, a: u32, b: u32) -> bool {
        let [first, second] = self.equations;
        match (first.symbols.get(a as usize), second.symbols.get(b as usize)) {
            (
                Some(Symbol::Lagged { state, delay }),
                Some(Symbol::Lagged { state: other, delay: other_delay }),
            ) => {
                self.open.push((first.delays[*delay], second.delays[*other_delay]));
                state == other
            }
            (
                Some(Symbol::LowerDerivative { state, term }),
                Some(Symbol::LowerDerivative { state: other, term: other_term }),
            ) if state == other => {
                let (a, b) = (&first.states[*state], &second.states[*state]);
                self.open.push((a.lower_orders[*term], b.lower_orders[*other_term]));
                true
            }
            (Some(a), Some(b)) => a == b,
            _ => false,
        }
    }
}
