use super::pass::Pass;
use super::rewriter::{Replacement, Rewriter};
use crate::graph::{Binary, Id, Node, Ternary, Unary};

/// Identities of floating-point numbers that hold for every value, zeros of either sign, infinities and
/// NaN (any NaN is as good as another) among them.
///
/// The constants in them, 1, -1 and zeros, are the same in both precisions. A node may be replaced by
/// one that depends on the same variables alone: a node is computed in double precision if and only if
/// no number of a path is below it, and rounded where it meets one.
#[derive(Debug, Clone, Copy, Default)]
pub struct Identities;

impl Pass for Identities {
    fn name(&self) -> &'static str {
        "identities"
    }

    fn replace(&self, new: &mut Rewriter, node: Node) -> Option<Replacement> {
        match node {
            Node::Constant(_) | Node::Variable(_) | Node::Table(..) => None,
            Node::Empty | Node::List(..) | Node::Affine(..) => None,
            Node::Unary(operation, a) => unary(new, operation, a),
            Node::Binary(operation, a, b) => binary(new, operation, a, b),
            Node::Ternary(Ternary::Select, condition, a, b) => select(new, condition, a, b),
            Node::Ternary(..) => None,
        }
    }
}

fn unary(new: &Rewriter, operation: Unary, a: Id) -> Option<Replacement> {
    let inner = |inner| new.operand(inner, a);
    match operation {
        // Negation changes the sign bit alone.
        Unary::Negate => inner(Unary::Negate).map(Replacement::Existing),
        // The absolute value clears the sign bit: whatever it was before, and twice as once.
        Unary::Absolute => inner(Unary::Negate)
            .map(|a| Replacement::Node(Node::Unary(Unary::Absolute, a)))
            .or_else(|| inner(Unary::Absolute).map(|_| Replacement::Existing(a))),
        // -1, 0, -0, 1 and NaN are their own signs.
        Unary::Sign => inner(Unary::Sign).map(|_| Replacement::Existing(a)),
        // Integers, zeros, infinities and NaN are their own floor.
        Unary::Floor => inner(Unary::Floor).map(|_| Replacement::Existing(a)),
        _ => None,
    }
}

fn binary(new: &Rewriter, operation: Binary, a: Id, b: Id) -> Option<Replacement> {
    let is = |id, value: f64| new.value(id).is_some_and(|v| v.to_bits() == value.to_bits());
    let negated = |id| new.operand(Unary::Negate, id);
    let existing = |id| Some(Replacement::Existing(id));
    let unary = |operation, a| Some(Replacement::Node(Node::Unary(operation, a)));
    let node = |operation, a, b| Some(Replacement::Node(Node::Binary(operation, a, b)));
    match operation {
        // x + (-0) is x: -0 + -0 = -0 and 0 + -0 = 0. x + 0 is not: -0 + 0 = 0.
        Binary::Add if is(b, -0.0) => existing(a),
        Binary::Add if is(a, -0.0) => existing(b),
        // IEEE 754 defines a - b as a + (-b).
        Binary::Add => match (negated(a), negated(b)) {
            (_, Some(b)) => node(Binary::Subtract, a, b),
            (Some(a), None) => node(Binary::Subtract, b, a),
            _ => None,
        },
        // x - 0 = x + (-0).
        Binary::Subtract if is(b, 0.0) => existing(a),
        // -0 - x = -x: for x = 0 it is -0 + -0 = -0, for x = -0 it is -0 + 0 = 0. 0 - x is not: 0 - 0 = 0.
        Binary::Subtract if is(a, -0.0) => unary(Unary::Negate, b),
        Binary::Subtract => node(Binary::Add, a, negated(b)?),
        // The product with 1 is exact and has the sign of x, with -1 the other sign.
        Binary::Multiply if is(b, 1.0) => existing(a),
        Binary::Multiply if is(a, 1.0) => existing(b),
        Binary::Multiply if is(b, -1.0) => unary(Unary::Negate, a),
        Binary::Multiply if is(a, -1.0) => unary(Unary::Negate, b),
        // Quotients by 1 and -1 likewise.
        Binary::Divide if is(b, 1.0) => existing(a),
        Binary::Divide if is(b, -1.0) => unary(Unary::Negate, a),
        // The sign of a product or quotient is the product of the signs, and rounding is symmetric.
        Binary::Multiply | Binary::Divide => node(operation, negated(a)?, negated(b)?),
        // Both branches are x.
        Binary::Minimum | Binary::Maximum if a == b => existing(a),
        _ => None,
    }
}

/// The branch of a constant condition; NaN is not 0. Only if the condition is not 0 in both precisions,
/// and if the other branch depends on no variable besides: one of a path would have rounded this branch.
fn select(new: &Rewriter, condition: Id, a: Id, b: Id) -> Option<Replacement> {
    let condition = new.value(condition)?;
    let (taken, other) = if condition != 0.0 { (a, b) } else { (b, a) };
    let sure = (condition != 0.0) == (condition as f32 != 0.0);
    (sure && new.covers(taken, other)).then_some(Replacement::Existing(taken))
}
