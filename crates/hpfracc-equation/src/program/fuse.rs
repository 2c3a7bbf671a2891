//! Instructions of two or three operations.

use super::instruction::{Arithmetic, Instruction, Operand, Operation};

/// Merges arithmetic whose result is used once, by the next instruction. Each operation rounds as
/// before.
pub(super) fn fuse(instructions: Vec<Instruction>, uses: &[u32]) -> Vec<Instruction> {
    let mut fused: Vec<Instruction> = Vec::with_capacity(instructions.len());
    for next in instructions {
        match merged(&fused, &next, uses) {
            Some((instruction, replaced)) => {
                fused.truncate(fused.len() - replaced);
                fused.push(instruction);
            }
            None => fused.push(next),
        }
    }
    fused
}

/// `next` with the instructions before it that it can replace, and their number.
fn merged(
    before: &[Instruction],
    next: &Instruction,
    uses: &[u32],
) -> Option<(Instruction, usize)> {
    let (last, earlier) = before.split_last()?;
    let outer = arithmetic(next)?;
    let [accumulator, other, ..] = next.operands;
    if accumulator != Operand::ACCUMULATOR || other == Operand::ACCUMULATOR || !once(last, uses) {
        return None;
    }
    let Some(inner) = arithmetic(last) else {
        let free = last.last.is_none() && last.operation.is_arithmetic();
        let merged = Instruction { last: Some((outer, other)), store: next.store, ..*last };
        return free.then_some((merged, 1));
    };
    let [x, y, ..] = last.operands;
    let with = |operation, operands| Instruction { operation, operands, ..*next };
    let alone = x != Operand::ACCUMULATOR;
    if let Some(first) = earlier.last().filter(|first| alone && first.store == Some(other)) {
        if inner == Arithmetic::Multiply && once(first, uses) && is_product_of_rows(first) {
            let [a, b, ..] = first.operands;
            match outer {
                Arithmetic::Add => return Some((with(Operation::SumOfProducts, [a, b, x, y]), 2)),
                Arithmetic::SubtractFrom => {
                    return Some((with(Operation::DifferenceOfProducts, [a, b, x, y]), 2));
                }
                // The first product is the left operand: of equal ones it is evaluated first.
                Arithmetic::Subtract | Arithmetic::Multiply => {}
            }
        }
        // The accumulator still holds the first value: it is the last operand.
        let operation = Operation::Chain(inner, outer);
        return Some((with(operation, [x, y, Operand::ACCUMULATOR, y]), 1));
    }
    let possible = y != Operand::ACCUMULATOR;
    possible.then(|| (with(Operation::Chain(inner, outer), [x, y, other, other]), 1))
}

fn arithmetic(instruction: &Instruction) -> Option<Arithmetic> {
    match instruction.operation {
        Operation::Arithmetic(operation) => Some(operation),
        _ => None,
    }
}

fn is_product_of_rows(instruction: &Instruction) -> bool {
    arithmetic(instruction) == Some(Arithmetic::Multiply)
        && instruction.operands[0] != Operand::ACCUMULATOR
}

/// Whether the result is used once.
fn once(instruction: &Instruction, uses: &[u32]) -> bool {
    instruction.store.is_some_and(|value| uses[value.index as usize] == 1)
}
