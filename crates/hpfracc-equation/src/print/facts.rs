//! What the print has to know of each node before it writes one.

use crate::evaluate::{binary, ternary, unary};
use crate::graph::{Binary, Graph, Id, Node};
use crate::text::LARGEST_POWER;

/// Facts of all nodes of a graph.
pub(super) struct Facts {
    /// Values of nodes that depend on no variable.
    pub(super) constants: Vec<Option<f64>>,
    /// Whether a node is a comparison or made of comparisons.
    pub(super) conditions: Vec<bool>,
    /// Base and exponent of nodes that are whole powers.
    pub(super) powers: Vec<Option<(Id, u32)>>,
}

impl Facts {
    pub(super) fn of(graph: &Graph) -> Self {
        let n = graph.len();
        let mut facts =
            Self { constants: vec![None; n], conditions: vec![false; n], powers: vec![None; n] };
        for (k, node) in graph.nodes().iter().enumerate() {
            facts.constants[k] = facts.constant(graph, *node);
            facts.conditions[k] = facts.condition(*node);
            facts.powers[k] = facts.power(*node);
        }
        facts
    }

    fn constant(&self, graph: &Graph, node: Node) -> Option<f64> {
        let value = |id: Id| self.constants[id.index()];
        match node {
            Node::Constant(bits) => Some(f64::from_bits(bits)),
            Node::Variable(_) | Node::Empty | Node::List(..) => None,
            Node::Affine(map, row, list) => graph.affine_value((map, row, list), value),
            Node::Unary(o, a) => Some(unary(o, value(a)?)),
            Node::Binary(o, a, b) => Some(binary(o, value(a)?, value(b)?)),
            Node::Ternary(o, a, b, c) => Some(ternary(o, value(a)?, value(b)?, value(c)?)),
            Node::Table(table, derivative, a) => {
                Some(graph.tables()[table as usize].value(value(a)?, derivative))
            }
        }
    }

    fn condition(&self, node: Node) -> bool {
        match node {
            Node::Binary(Binary::Less | Binary::LessOrEqual | Binary::Equal, ..) => true,
            Node::Binary(Binary::Minimum | Binary::Maximum, a, b) => {
                self.conditions[a.index()] && self.conditions[b.index()]
            }
            _ => false,
        }
    }

    /// The products that [`Graph::integer_power`] makes.
    fn power(&self, node: Node) -> Option<(Id, u32)> {
        let Node::Binary(Binary::Multiply, a, b) = node else { return None };
        let (base, exponent) = self.powers[a.index()].unwrap_or((a, 1));
        let exponent = match () {
            () if a == b => 2 * exponent,
            () if base == b && exponent.is_multiple_of(2) => exponent + 1,
            () => return None,
        };
        (f64::from(exponent) <= LARGEST_POWER).then_some((base, exponent))
    }
}
