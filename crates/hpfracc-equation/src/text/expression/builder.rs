//! A graph that knows of each node what it depends on, and the values of constants.

use crate::equation::{Calculus, Symbol};
use crate::evaluate::{binary, ternary, unary};
use crate::graph::{Binary, Graph, Id, Node, ShortKeys, Unary};
use crate::text::syntax::{ErrorKind, Parsed, problem};
use std::collections::HashMap;
use std::ops::Range;

/// What a node depends on: a set of bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Uses(u8);

impl Uses {
    pub(crate) const TIME: Self = Self(1);
    pub(crate) const STATE: Self = Self(2);
    pub(crate) const PARAMETER: Self = Self(4);
    /// `dt`, `dW`.
    pub(crate) const DIFFERENTIAL: Self = Self(8);
    /// `dW/dt`.
    pub(crate) const RATE: Self = Self(16);
    /// Derivatives of states.
    pub(crate) const DERIVATIVE: Self = Self(32);
    /// Coordinates.
    pub(crate) const SPACE: Self = Self(64);
    /// Gradients in a divergence.
    pub(crate) const GRADIENT: Self = Self(128);
    /// Any noise or differential.
    pub(crate) const INCREMENT: Self = Self(8 | 16);

    pub(crate) fn any(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether it varies in time or space.
    pub(crate) fn varies(self) -> bool {
        self.any(Self(1 | 2 | 64))
    }

    pub(crate) fn none(self) -> bool {
        self.0 == 0
    }

    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// Facts of a node.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Facts {
    pub(crate) uses: Uses,
    /// Value at the defaults of the parameters; NaN with time or a state.
    pub(crate) value: f64,
    /// Whether it is a comparison or made of comparisons.
    pub(crate) condition: bool,
}

/// Differential or noise in an equation.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Increment {
    /// `dt`
    Time,
    /// `dW` or `o dW`
    Noise(usize, Calculus),
    /// `dW/dt` or `o dW/dt`
    Rate(usize, Calculus),
}

/// Meaning of a variable while the text is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Leaf {
    Symbol(Symbol),
    Increment(Increment),
    /// Gradient of a node, in a divergence.
    Gradient(Id),
}

/// Graph with the facts of its nodes.
#[derive(Debug, Default)]
pub(crate) struct Builder {
    pub(crate) graph: Graph,
    pub(crate) leaves: Vec<Leaf>,
    numbers: HashMap<Leaf, u32, ShortKeys>,
    facts: Vec<Facts>,
    /// Number of coordinates, which are the first states; None for equations without fields.
    pub(crate) coordinates: Option<usize>,
    /// Values of the parameters.
    pub(crate) parameters: Vec<f64>,
    /// What to write in place of a sum of terms with and without differentials.
    pub(crate) sum_help: &'static str,
}

impl Builder {
    /// Builder with memory for this number of nodes.
    pub(crate) fn with_capacity(nodes: usize) -> Self {
        let (graph, facts) = (Graph::with_capacity(nodes), Vec::with_capacity(nodes));
        Self { graph, facts, ..Self::default() }
    }

    /// Facts of a node.
    pub(crate) fn facts(&self, id: Id) -> Facts {
        self.facts[id.index()]
    }

    /// Variable of this meaning.
    pub(crate) fn leaf(&mut self, leaf: Leaf) -> Id {
        let next = self.leaves.len() as u32;
        let number = *self.numbers.entry(leaf).or_insert(next);
        if number == next {
            self.leaves.push(leaf);
        }
        let id = self.graph.variable(number);
        if id.index() == self.facts.len() {
            let facts = self.facts_of_leaf(leaf);
            self.facts.push(facts);
        }
        id
    }

    /// Meaning of a node that is a variable.
    pub(crate) fn as_leaf(&self, id: Id) -> Option<Leaf> {
        match self.graph.node(id) {
            Node::Variable(number) => self.leaves.get(number as usize).copied(),
            _ => None,
        }
    }

    /// Constant.
    pub(crate) fn constant(&mut self, value: f64) -> Id {
        let id = self.graph.constant(value);
        if id.index() == self.facts.len() {
            self.facts.push(Facts { uses: Uses::default(), value, condition: false });
        }
        id
    }

    /// Function of two arguments.
    pub(crate) fn binary(&mut self, o: Binary, a: Id, b: Id, at: Range<usize>) -> Parsed<Id> {
        self.add(at, |graph| graph.binary(o, a, b))
    }

    /// `-a`; of a constant that constant.
    pub(crate) fn negated(&mut self, a: Id, at: Range<usize>) -> Parsed<Id> {
        match self.graph.node(a).as_constant() {
            Some(value) => Ok(self.constant(-value)),
            None => self.add(at, |graph| graph.unary(Unary::Negate, a)),
        }
    }

    /// Nodes that are added from the text at a place, and checked.
    pub(crate) fn add(
        &mut self,
        at: Range<usize>,
        add: impl FnOnce(&mut Graph) -> Id,
    ) -> Parsed<Id> {
        let id = add(&mut self.graph);
        for k in self.facts.len()..self.graph.len() {
            let facts = self.facts_of(self.graph.nodes()[k], &at)?;
            self.facts.push(facts);
        }
        Ok(id)
    }

    /// Whether a state is a coordinate.
    pub(crate) fn is_coordinate(&self, state: usize) -> bool {
        self.coordinates.is_some_and(|count| state < count)
    }

    fn facts_of_leaf(&self, leaf: Leaf) -> Facts {
        let mut value = f64::NAN;
        let uses = match leaf {
            Leaf::Symbol(Symbol::Time) => Uses::TIME,
            Leaf::Symbol(Symbol::State(k)) if self.is_coordinate(k) => Uses::SPACE,
            Leaf::Symbol(Symbol::State(_) | Symbol::Lagged { .. }) => Uses::STATE,
            Leaf::Symbol(Symbol::Parameter(k)) => {
                value = self.parameters.get(k).copied().unwrap_or(f64::NAN);
                Uses::PARAMETER
            }
            Leaf::Symbol(Symbol::LowerDerivative { .. }) => Uses::STATE.and(Uses::DERIVATIVE),
            Leaf::Increment(Increment::Rate(..)) => Uses::RATE,
            Leaf::Increment(_) => Uses::DIFFERENTIAL,
            Leaf::Gradient(_) => Uses::STATE.and(Uses::GRADIENT),
        };
        Facts { uses, value, condition: false }
    }

    fn facts_of(&self, node: Node, at: &Range<usize>) -> Parsed<Facts> {
        let uses = node.operands().fold(Uses::default(), |uses, id| uses.and(self.facts(id).uses));
        if uses.any(Uses::INCREMENT) {
            self.check_increment(node, at)?;
        }
        let value = |id| self.facts(id).value;
        let value = match node {
            Node::Constant(bits) => f64::from_bits(bits),
            _ if uses.varies() => f64::NAN,
            Node::Variable(_) | Node::Empty | Node::List(..) => f64::NAN,
            Node::Affine(map, row, list) => {
                let value = |id| Some(value(id));
                self.graph.affine_value((map, row, list), value).unwrap_or(f64::NAN)
            }
            Node::Unary(o, a) => unary(o, value(a)),
            Node::Binary(o, a, b) => binary(o, value(a), value(b)),
            Node::Ternary(o, a, b, c) => ternary(o, value(a), value(b), value(c)),
            Node::Table(table, order, a) => {
                self.graph.tables()[table as usize].value(value(a), order)
            }
        };
        self.check_value(node, uses, value, at)?;
        let condition = match node {
            Node::Binary(Binary::Less | Binary::LessOrEqual | Binary::Equal, ..) => true,
            Node::Binary(Binary::Minimum | Binary::Maximum, a, b) => {
                self.facts(a).condition && self.facts(b).condition
            }
            _ => false,
        };
        Ok(Facts { uses, value, condition })
    }

    fn check_value(&self, node: Node, uses: Uses, value: f64, at: &Range<usize>) -> Parsed<()> {
        if let Node::Binary(Binary::Divide, _, below) = node {
            let below = self.facts(below);
            if below.uses.none() && below.value == 0.0 {
                return Err(problem(ErrorKind::Value, at.clone(), "division by zero"));
            }
        }
        if uses.none() && !node.is_list() && !value.is_finite() {
            let what = if let Node::Table(table, _, argument) = node {
                let (low, high) = self.graph.tables()[table as usize].range();
                let argument = self.facts(argument).value;
                format!("the table has values from {low} to {high}, not at {argument}")
            } else if value.is_nan() {
                "this has no value: the function is not defined there".to_string()
            } else {
                "this is above the largest number, 1.8e308".to_string()
            };
            return Err(problem(ErrorKind::Value, at.clone(), what));
        }
        Ok(())
    }

    /// Differentials and noises stand in sums and in products with other factors only.
    fn check_increment(&self, node: Node, at: &Range<usize>) -> Parsed<()> {
        let uses = |id| self.facts(id).uses;
        let increment = |id| uses(id).any(Uses::INCREMENT);
        let error = |what| Err(problem(ErrorKind::Noise, at.clone(), what));
        match node {
            Node::Binary(Binary::Add | Binary::Subtract, a, b) => {
                let differential = |id| uses(id).any(Uses::DIFFERENTIAL);
                if differential(a) != differential(b) {
                    let what = "a sum of a term with a differential and one without";
                    return Err(problem(ErrorKind::Noise, at.clone(), what).help(self.sum_help));
                }
            }
            Node::Unary(Unary::Negate, _) => {}
            Node::Binary(Binary::Multiply, a, b) if increment(a) && increment(b) => {
                return error("a product of differentials or noises");
            }
            Node::Binary(Binary::Multiply, ..) => {}
            Node::Binary(Binary::Divide, _, below) if !increment(below) => {}
            _ => return error("a differential or noise can only be multiplied and added"),
        }
        Ok(())
    }
}
