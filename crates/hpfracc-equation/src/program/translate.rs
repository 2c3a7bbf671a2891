//! Steps of a schedule as instructions of one operation each.

use super::instruction::{Arithmetic, Instruction, Operand, Operation, Region};
use super::schedule::Step;
use crate::graph::{Graph, Id, Node, Ternary, Unary};

/// Instructions of the steps. Values are rows of scratch of the numbers of their nodes, each stored
/// by its instruction; `leaf` is the operand of a node that is no step. A negation is a product with
/// `minus_one`, which has the same bits.
pub(super) fn translate(
    graph: &Graph,
    steps: &[Step],
    leaf: impl Fn(Id) -> Option<Operand>,
    minus_one: Operand,
) -> Vec<Instruction> {
    let mut previous = None;
    let instruction = |step: &Step| {
        let (id, partner) = match *step {
            Step::Node(id, partner) => (id, partner),
            Step::List(number) => {
                previous = None;
                let operands = [Operand::ACCUMULATOR; 4];
                return Instruction::new(Operation::Dense(number), operands, None);
            }
        };
        let mut operands = [Operand::ACCUMULATOR; 4];
        let node = graph.node(id);
        for (operand, id) in operands.iter_mut().zip(node.operands()) {
            *operand = match leaf(id) {
                Some(leaf) => leaf,
                None if previous == Some(id) => Operand::ACCUMULATOR,
                None => value(id),
            };
        }
        if let Node::Unary(Unary::Negate, _) = node {
            operands[1] = minus_one;
        }
        previous = Some(id);
        let operation = operation(node, partner.is_some());
        let instruction = Instruction::new(operation, operands, Some(value(id)));
        normalised(Instruction { second: partner.map(value), ..instruction })
    };
    steps.iter().map(instruction).collect()
}

/// Place of a value before rows of scratch are allocated.
pub(super) fn value(id: Id) -> Operand {
    Operand { region: Region::Scratch, index: id.index() as u32 }
}

fn operation(node: Node, pair: bool) -> Operation {
    match node {
        Node::Constant(_) | Node::Variable(_) => Operation::Load,
        // Not translated as nodes.
        Node::Empty | Node::List(..) | Node::Affine(..) => Operation::Load,
        Node::Unary(Unary::Sin, _) if pair => Operation::SineCosine,
        Node::Unary(Unary::Cos, _) if pair => Operation::CosineSine,
        Node::Unary(Unary::Negate, _) => Operation::Arithmetic(Arithmetic::Multiply),
        Node::Unary(operation, _) => Operation::Unary(operation),
        Node::Binary(operation, ..) => {
            Arithmetic::of(operation).map_or(Operation::Binary(operation), Operation::Arithmetic)
        }
        Node::Ternary(Ternary::Select, ..) => Operation::Select,
        Node::Ternary(Ternary::MittagLeffler, ..) => Operation::MittagLeffler,
        Node::Ternary(partial, ..) => Operation::Partial(partial),
        Node::Table(table, derivative, _) => Operation::Table(table, derivative),
    }
}

/// Arithmetic with the accumulator first, else a row.
fn normalised(instruction: Instruction) -> Instruction {
    let [x, y, ..] = instruction.operands;
    let exchange = x != Operand::ACCUMULATOR && (y == Operand::ACCUMULATOR || !x.is_row());
    match instruction.operation {
        Operation::Arithmetic(operation) if exchange => Instruction {
            operation: Operation::Arithmetic(operation.exchanged()),
            operands: [y, x, y, y],
            ..instruction
        },
        _ => instruction,
    }
}
