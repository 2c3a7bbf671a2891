use super::pass::Pass;
use super::rewriter::{Replacement, Rewriter};
use crate::graph::{Binary, Node};

/// Sums, products and comparisons for equality have the operand first that occurs first in the graph, so
/// that `a b` and `b a` become one node.
///
/// IEEE 754 rounds the exact result, which does not depend on the order of two operands. Minimum and
/// maximum are not symmetric: of zeros of both signs, or a number and NaN, they are the second.
#[derive(Debug, Clone, Copy, Default)]
pub struct Commute;

impl Pass for Commute {
    fn name(&self) -> &'static str {
        "commute"
    }

    fn replace(&self, _: &mut Rewriter, node: Node) -> Option<Replacement> {
        match node {
            Node::Binary(operation @ (Binary::Add | Binary::Multiply | Binary::Equal), a, b)
                if b < a =>
            {
                Some(Replacement::Node(Node::Binary(operation, b, a)))
            }
            _ => None,
        }
    }
}
