//! Expressions that are linear in some of their variables: coefficients and what remains. All loops
//! run over nodes of the graph that were not met before.

use super::builder::{Builder, Uses};
use crate::graph::{Binary, Id, Node, ShortKeys, Unary};
use crate::text::syntax::{ErrorKind, Parsed, problem};
use std::collections::HashMap;
use std::ops::Range;

/// Coefficient, or an expression without some of its terms.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Part {
    Zero,
    One,
    Node(Id),
}

impl Part {
    /// Node of this value.
    pub(crate) fn node(self, builder: &mut Builder) -> Id {
        match self {
            Self::Zero => builder.constant(0.0),
            Self::One => builder.constant(1.0),
            Self::Node(id) => id,
        }
    }
}

/// Coefficient of a variable in an expression that is linear in it. Variables of this sort have the
/// given uses.
pub(crate) fn coefficient(
    builder: &mut Builder,
    root: Id,
    variable: Id,
    uses: Uses,
    at: &Range<usize>,
) -> Parsed<Part> {
    walk(builder, root, uses, Part::Zero, |builder, id, node, part| {
        if id == variable {
            return Ok(Part::One);
        }
        if node.operands().all(|operand| part(operand) == Part::Zero) {
            return Ok(Part::Zero);
        }
        let nonlinear = || {
            Err(problem(
                ErrorKind::Syntax,
                at.clone(),
                "the highest derivative is in a nonlinear place",
            )
            .help("solve the equation for it: `D^2 x = ...`"))
        };
        match node {
            Node::Unary(Unary::Negate, a) => negated(builder, part(a), at),
            Node::Binary(Binary::Add, a, b) => match (part(a), part(b)) {
                (Part::Zero, b) => Ok(b),
                (a, Part::Zero) => Ok(a),
                (a, b) => combined(builder, Binary::Add, a, b, at),
            },
            Node::Binary(Binary::Subtract, a, b) => match (part(a), part(b)) {
                (Part::Zero, b) => negated(builder, b, at),
                (a, Part::Zero) => Ok(a),
                (a, b) => combined(builder, Binary::Subtract, a, b, at),
            },
            Node::Binary(Binary::Multiply, a, b) => match (part(a), part(b)) {
                (Part::One, Part::Zero) => Ok(Part::Node(b)),
                (Part::Zero, Part::One) => Ok(Part::Node(a)),
                (c, Part::Zero) => combined(builder, Binary::Multiply, c, Part::Node(b), at),
                (Part::Zero, c) => combined(builder, Binary::Multiply, Part::Node(a), c, at),
                _ => nonlinear(),
            },
            Node::Binary(Binary::Divide, a, b) if part(b) == Part::Zero => {
                combined(builder, Binary::Divide, part(a), Part::Node(b), at)
            }
            _ => nonlinear(),
        }
    })
}

/// Expression that is linear in some variables, with zero in place of them.
pub(crate) fn without(
    builder: &mut Builder,
    root: Id,
    dropped: impl Fn(&Builder, Id) -> bool,
    uses: Uses,
    at: &Range<usize>,
) -> Parsed<Part> {
    if !builder.facts(root).uses.any(uses) {
        return Ok(Part::Node(root));
    }
    // Parts of nodes without such a variable are not stored: they are the nodes themselves.
    let mut parts: HashMap<Id, Part, ShortKeys> = HashMap::default();
    let mut open = vec![root];
    while let Some(id) = open.last().copied() {
        let node = builder.graph.node(id);
        let before = open.len();
        if !parts.contains_key(&id) {
            let new = |operand: &Id| {
                builder.facts(*operand).uses.any(uses) && !parts.contains_key(operand)
            };
            open.extend(node.operands().filter(new));
        }
        if open.len() > before {
            continue;
        }
        open.pop();
        let part = |operand: Id| parts.get(&operand).copied().unwrap_or(Part::Node(operand));
        let value = match node {
            _ if dropped(builder, id) => Part::Zero,
            Node::Unary(Unary::Negate, a) if part(a) == Part::Zero => Part::Zero,
            Node::Binary(Binary::Add, a, b) if part(a) == Part::Zero => part(b),
            Node::Binary(Binary::Add | Binary::Subtract, a, b) if part(b) == Part::Zero => part(a),
            Node::Binary(Binary::Subtract, a, b) if part(a) == Part::Zero => {
                negated(builder, part(b), at)?
            }
            Node::Binary(Binary::Multiply, a, b)
                if part(a) == Part::Zero || part(b) == Part::Zero =>
            {
                Part::Zero
            }
            Node::Binary(Binary::Divide, a, _) if part(a) == Part::Zero => Part::Zero,
            _ => {
                let mapped = node.with_operands(|operand| match part(operand) {
                    Part::Node(kept) => kept,
                    _ => operand,
                });
                Part::Node(builder.add(at.clone(), |graph| graph.add(mapped))?)
            }
        };
        parts.insert(id, value);
    }
    Ok(parts.get(&root).copied().unwrap_or(Part::Node(root)))
}

/// Parts of the nodes below a root with the given uses, operands first; those of all other nodes are
/// `other`.
fn walk(
    builder: &mut Builder,
    root: Id,
    uses: Uses,
    other: Part,
    mut value: impl FnMut(&mut Builder, Id, Node, &dyn Fn(Id) -> Part) -> Parsed<Part>,
) -> Parsed<Part> {
    let mut parts: HashMap<Id, Part, ShortKeys> = HashMap::default();
    let mut open = vec![root];
    while let Some(id) = open.last().copied() {
        let node = builder.graph.node(id);
        let before = open.len();
        if !parts.contains_key(&id) {
            let new = |operand: &Id| {
                builder.facts(*operand).uses.any(uses) && !parts.contains_key(operand)
            };
            open.extend(node.operands().filter(new));
        }
        if open.len() > before {
            continue;
        }
        open.pop();
        let found = value(builder, id, node, &|id| parts.get(&id).copied().unwrap_or(other))?;
        parts.insert(id, found);
    }
    Ok(parts.get(&root).copied().unwrap_or(other))
}

fn negated(builder: &mut Builder, part: Part, at: &Range<usize>) -> Parsed<Part> {
    let node = part.node(builder);
    builder.negated(node, at.clone()).map(Part::Node)
}

fn combined(
    builder: &mut Builder,
    operation: Binary,
    a: Part,
    b: Part,
    at: &Range<usize>,
) -> Parsed<Part> {
    let (a, b) = (a.node(builder), b.node(builder));
    builder.binary(operation, a, b, at.clone()).map(Part::Node)
}
