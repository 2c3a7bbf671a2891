//! The instructions for one path: all numbers lie in one slice, and an operand is an index.

use super::dense::{self, Dense, Places};
use super::functions::Apply;
use super::instruction::{Arithmetic, Instruction, Operand, Operation, Region};
use crate::evaluate::PartialsOfBlock;
use crate::evaluate::{binary, ternary};
use crate::graph::Table;
use crate::graph::{Binary, Ternary, Unary};
use hpfracc_lanes::Elementary;
use hpfracc_lanes::pulp::Arch;
use hpfracc_special::MittagLeffler;
use std::ops::Range;
use std::sync::Arc;

/// Instructions of a program for one path.
#[derive(Debug)]
pub(super) struct Tape {
    entries: Vec<Entry>,
    /// Places of the operations on lists.
    dense: Vec<Places>,
    /// Numbers of the slice: constants, inputs, rows of scratch, outputs, and one that is not read
    /// but by the next instruction.
    pub(super) length: usize,
    pub(super) inputs: Range<usize>,
    pub(super) outputs: Range<usize>,
}

#[derive(Debug, Clone, Copy)]
struct Entry {
    operation: Operation,
    /// Number of the operation: arithmetic below 22.
    code: u8,
    last_code: u8,
    operands: [u32; 4],
    last: u32,
    result: u32,
    output: u32,
    second: u32,
}

impl Tape {
    /// Tape of instructions, for these numbers of constants, rows of input, scratch and output.
    pub(super) fn new<T>(
        instructions: &[Instruction],
        dense: &[Dense<T>],
        [c, i, s, o]: [usize; 4],
    ) -> Self {
        let spare = c + i + s + o;
        let mut previous = spare as u32;
        let index = |operand: Operand, accumulator: u32| {
            let first = match operand.region {
                Region::Constant => 0,
                Region::Input => c,
                Region::Scratch => c + i,
                Region::Output => c + i + s,
                Region::Accumulator => return accumulator,
            };
            first as u32 + operand.index
        };
        let places = |operands: &[Operand]| operands.iter().map(|x| index(*x, 0)).collect();
        let dense = dense
            .iter()
            .map(|dense| Places { inputs: places(&dense.inputs), outputs: places(&dense.outputs) });
        let dense = dense.collect();
        let entries = instructions.iter().map(|instruction| {
            let place = |place: Option<Operand>| place.map_or(spare as u32, |x| index(x, 0));
            let (operation, last) = (instruction.operation, instruction.last);
            let mut operands = [previous; 4];
            for (k, operand) in instruction.operands.iter().take(operation.arity()).enumerate() {
                operands[k] = index(*operand, previous);
            }
            let entry = Entry {
                operation,
                code: code(operation),
                last_code: last.map_or(0, |(operation, _)| 1 + operation as u8),
                operands,
                last: last.map_or(previous, |(_, operand)| index(operand, previous)),
                result: place(instruction.store),
                output: place(instruction.output),
                second: place(instruction.second),
            };
            previous = entry.result;
            entry
        });
        let entries = entries.collect();
        Self { entries, dense, length: spare + 1, inputs: c..c + i, outputs: c + i + s..spare }
    }

    /// Runs the tape on numbers whose constants and inputs are given.
    #[inline(always)]
    pub(super) fn run<T: Elementary>(
        &self,
        numbers: &mut [T],
        list: &mut [T],
        dense: &[Dense<T>],
        (orders, partials, tables): Functions<'_>,
    ) {
        for entry in &self.entries {
            if let Operation::Dense(number) = entry.operation {
                let number = number as usize;
                dense::one_path(&dense[number], &self.dense[number], numbers, list);
                continue;
            }
            let [x, y, z, w] = entry.operands.map(|k| numbers[k as usize]);
            let mut value = match entry.code {
                0 => x + y,
                1 => x - y,
                2 => y - x,
                3 => x * y,
                4 => (x + y) + z,
                5 => (x + y) - z,
                6 => z - (x + y),
                7 => (x + y) * z,
                8 => (x - y) + z,
                9 => (x - y) - z,
                10 => z - (x - y),
                11 => (x - y) * z,
                12 => (y - x) + z,
                13 => (y - x) - z,
                14 => z - (y - x),
                15 => (y - x) * z,
                16 => x * y + z,
                17 => x * y - z,
                18 => z - x * y,
                19 => (x * y) * z,
                20 => x * y + z * w,
                21 => x * y - z * w,
                22 => x,
                23 => x / y,
                24 => binary(Binary::Minimum, x, y),
                25 => binary(Binary::Maximum, x, y),
                26 => binary(Binary::Less, x, y),
                27 => binary(Binary::LessOrEqual, x, y),
                28 => binary(Binary::Equal, x, y),
                29 => ternary(Ternary::Select, x, y, z),
                30 => x.abs(),
                31 => Elementary::sqrt(x),
                _ => {
                    let [value, second] =
                        function(entry.operation, [x, y, z], (orders, &mut *partials, tables));
                    numbers[entry.second as usize] = second;
                    value
                }
            };
            if entry.last_code != 0 {
                let other = numbers[entry.last as usize];
                value = match entry.last_code {
                    1 => value + other,
                    2 => value - other,
                    3 => other - value,
                    _ => value * other,
                };
            }
            numbers[entry.output as usize] = value;
            numbers[entry.result as usize] = value;
        }
    }
}

/// Prepared Mittag-Leffler functions, their families, and tables.
pub(super) type Functions<'a> =
    (&'a [Option<MittagLeffler>], &'a mut [PartialsOfBlock], &'a [Arc<Table>]);

/// Value of a function, and of the other one of a pair: compiled for the instruction set.
#[inline(never)]
fn function<T: Elementary>(
    operation: Operation,
    [x, y, z]: [T; 3],
    (orders, partials, tables): Functions<'_>,
) -> [T; 2] {
    let (mut x, mut y, mut z) = ([x], [y], [z]);
    let [a, b, c] = [&mut x[..], &mut y[..], &mut z[..]];
    Arch::new().dispatch(Apply { operation, x: a, y: b, z: c, orders, partials, tables });
    [x[0], y[0]]
}

fn code(operation: Operation) -> u8 {
    let number = |operation: Arithmetic| operation as u8;
    match operation {
        Operation::Arithmetic(operation) => number(operation),
        Operation::Chain(inner, outer) => 4 + 4 * number(inner) + number(outer),
        Operation::SumOfProducts => 20,
        Operation::DifferenceOfProducts => 21,
        Operation::Load => 22,
        Operation::Binary(Binary::Divide) => 23,
        Operation::Binary(Binary::Minimum) => 24,
        Operation::Binary(Binary::Maximum) => 25,
        Operation::Binary(Binary::Less) => 26,
        Operation::Binary(Binary::LessOrEqual) => 27,
        Operation::Binary(Binary::Equal) => 28,
        Operation::Select => 29,
        Operation::Unary(Unary::Absolute) => 30,
        Operation::Unary(Unary::SquareRoot) => 31,
        _ => u8::MAX,
    }
}
