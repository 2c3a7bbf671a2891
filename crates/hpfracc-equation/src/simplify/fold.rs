use super::pass::Pass;
use super::rewriter::{Replacement, Rewriter};
use crate::evaluate;
use crate::graph::Node;

/// Operations on constants become constants.
///
/// Constants are computed in double precision, in which [`evaluate`](crate::evaluate()) computes them for
/// paths of either precision, by the same functions: the value has the same bits. A product of a constant
/// and a product with another constant stays as it is: it would round once instead of twice.
#[derive(Debug, Clone, Copy, Default)]
pub struct Fold;

impl Pass for Fold {
    fn name(&self) -> &'static str {
        "fold"
    }

    fn replace(&self, new: &mut Rewriter, node: Node) -> Option<Replacement> {
        let value = match node {
            Node::Constant(_) | Node::Variable(_) | Node::Empty | Node::List(..) => return None,
            Node::Affine(map, row, list) => {
                new.graph().affine_value((map, row, list), |id| new.value(id))?
            }
            Node::Unary(operation, a) => evaluate::unary(operation, new.value(a)?),
            Node::Binary(operation, a, b) => {
                evaluate::binary(operation, new.value(a)?, new.value(b)?)
            }
            Node::Ternary(operation, a, b, c) => {
                evaluate::ternary(operation, new.value(a)?, new.value(b)?, new.value(c)?)
            }
            Node::Table(table, derivative, a) => new.table(table).value(new.value(a)?, derivative),
        };
        Some(Replacement::Node(Node::constant(value)))
    }
}
