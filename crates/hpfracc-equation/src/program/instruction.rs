//! Instructions of the accumulator machine, and the memory on which they work.

use crate::evaluate::PartialsOfBlock;
use crate::graph::{Binary, Table, Ternary, Unary};
use hpfracc_special::MittagLeffler;
use std::sync::Arc;

/// Instruction: its result replaces the accumulator, and is stored if a later instruction or the
/// caller needs it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Instruction {
    pub(super) operation: Operation,
    /// Kinds of the operands of arithmetic, which select code for exactly these.
    pub(super) shape: Shape,
    /// Number of the arithmetic operations of this shape.
    pub(super) code: u8,
    pub(super) operands: [Operand; 4],
    /// A last operation on the result of arithmetic and a row or constant.
    pub(super) last: Option<(Arithmetic, Operand)>,
    /// Code of the last operation: 0 none, 1 to 4 with a row, 5 to 8 with a constant.
    pub(super) last_code: u8,
    pub(super) store: Option<Operand>,
    /// Output of a result that other instructions read from scratch.
    pub(super) output: Option<Operand>,
    /// Row of the other function of a pair of sine and cosine.
    pub(super) second: Option<Operand>,
}

/// Operand or place of a result: an accumulator, a row or a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Operand {
    pub(super) region: Region,
    pub(super) index: u32,
}

impl Operand {
    pub(super) const ACCUMULATOR: Self = Self { region: Region::Accumulator, index: 0 };

    pub(super) fn is_row(self) -> bool {
        self.kind() == 'r'
    }

    /// a: accumulator, r: row, c: constant.
    fn kind(self) -> char {
        match self.region {
            Region::Accumulator => 'a',
            Region::Constant => 'c',
            _ => 'r',
        }
    }
}

/// Kind of an operand.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Region {
    Accumulator,
    Input,
    Scratch,
    Output,
    Constant,
}

/// Operation of an instruction on its operands x, y, z and w.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Operation {
    /// x
    Load,
    Unary(Unary),
    Binary(Binary),
    /// `if x != 0 { y } else { z }`
    Select,
    /// `E_{x,y}(z)`
    MittagLeffler,
    /// `E_{x,y}(z)` with constant x and y: the function of this number.
    MittagLefflerOf(u32),
    /// This function of the Mittag-Leffler family at (x, y, z).
    Partial(Ternary),
    /// The same with constant x and y: the orders of this number.
    PartialOf(Ternary, u32),
    /// Table of this number, or its derivative of this order, at x.
    Table(u32, u8),
    /// `sin(x)`, and the cosine as second result.
    SineCosine,
    /// `cos(x)`, and the sine as second result.
    CosineSine,
    /// `x o y`
    Arithmetic(Arithmetic),
    /// `(x o y) o z`
    Chain(Arithmetic, Arithmetic),
    /// `x y + z w`
    SumOfProducts,
    /// `x y - z w`
    DifferenceOfProducts,
    /// Affine map of a list, of this number: neither reads nor writes the accumulator.
    Dense(u32),
}

impl Operation {
    /// Whether the operation is arithmetic of any number of operands.
    pub(super) fn is_arithmetic(self) -> bool {
        matches!(
            self,
            Self::Arithmetic(_)
                | Self::Chain(..)
                | Self::SumOfProducts
                | Self::DifferenceOfProducts
        )
    }

    /// Number of operands.
    pub(super) fn arity(self) -> usize {
        match self {
            Self::Dense(_) => 0,
            Self::Load | Self::Unary(_) | Self::Table(..) | Self::SineCosine | Self::CosineSine => {
                1
            }
            Self::Binary(_) | Self::Arithmetic(_) => 2,
            Self::Select
            | Self::MittagLeffler
            | Self::MittagLefflerOf(_)
            | Self::Partial(_)
            | Self::PartialOf(..)
            | Self::Chain(..) => 3,
            Self::SumOfProducts | Self::DifferenceOfProducts => 4,
        }
    }
}

/// Arithmetic of two operands x and y.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Arithmetic {
    /// `x + y`
    Add,
    /// `x - y`
    Subtract,
    /// `y - x`
    SubtractFrom,
    /// `x y`
    Multiply,
}

impl Arithmetic {
    /// Arithmetic of a node.
    pub(super) fn of(operation: Binary) -> Option<Self> {
        match operation {
            Binary::Add => Some(Self::Add),
            Binary::Subtract => Some(Self::Subtract),
            Binary::Multiply => Some(Self::Multiply),
            _ => None,
        }
    }

    /// The same result of exchanged operands.
    pub(super) fn exchanged(self) -> Self {
        match self {
            Self::Subtract => Self::SubtractFrom,
            Self::SubtractFrom => Self::Subtract,
            commutative => commutative,
        }
    }
}

impl Instruction {
    /// Instruction of one operation on the first operands.
    pub(super) fn new(
        operation: Operation,
        operands: [Operand; 4],
        store: Option<Operand>,
    ) -> Self {
        Self {
            operation,
            shape: Shape::Any,
            code: 0,
            operands,
            last: None,
            last_code: 0,
            store,
            output: None,
            second: None,
        }
    }

    /// Selects the code for the kinds of operands of arithmetic, whose first operand is no constant.
    pub(super) fn specialise(&mut self) {
        use Shape::*;
        let number = |operation: Arithmetic| operation as u8;
        let kinds = self.operands.map(|operand| operand.kind());
        (self.shape, self.code) = match self.operation {
            Operation::Arithmetic(operation) => {
                let shape = match [kinds[0], kinds[1]] {
                    ['a', 'a'] => Aa,
                    ['a', 'r'] => Ar,
                    ['a', _] => Ac,
                    [_, 'r'] => Rr,
                    _ => Rc,
                };
                (shape, number(operation))
            }
            Operation::Chain(inner, outer) => {
                let shape = match [kinds[0], kinds[1], kinds[2]] {
                    ['a', 'r', 'r'] => Arr,
                    ['a', 'r', _] => Arc,
                    ['a', _, 'r'] => Acr,
                    ['a', _, _] => Acc,
                    [_, 'r', 'a'] => Rra,
                    [_, 'r', 'r'] => Rrr,
                    [_, 'r', _] => Rrc,
                    [_, _, 'a'] => Rca,
                    [_, _, 'r'] => Rcr,
                    _ => Rcc,
                };
                (shape, 4 * number(inner) + number(outer))
            }
            Operation::SumOfProducts | Operation::DifferenceOfProducts => {
                let shape = match [kinds[1], kinds[3]] {
                    ['r', 'r'] => Rrrr,
                    ['r', _] => Rrrc,
                    [_, 'r'] => Rcrr,
                    _ => Rcrc,
                };
                (shape, u8::from(self.operation == Operation::DifferenceOfProducts))
            }
            Operation::Dense(_) => (List, 0),
            _ => (Any, 0),
        };
        self.last_code = self.last.map_or(0, |(operation, operand)| {
            number(operation) + if operand.is_row() { 1 } else { 5 }
        });
    }
}

/// Kinds of the operands of arithmetic: A the accumulator, R a row, C a constant.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Shape {
    /// Other operations.
    Any,
    /// Operations on lists.
    List,
    Aa,
    Ar,
    Ac,
    Rr,
    Rc,
    Arr,
    Arc,
    Acr,
    Acc,
    Rra,
    Rrr,
    Rrc,
    Rca,
    Rcr,
    Rcc,
    Rrrr,
    Rrrc,
    Rcrr,
    Rcrc,
}

/// Rows that a program reads and writes.
pub(super) struct Memory<'a, T> {
    pub(super) inputs: &'a [T],
    /// Rows of the first roots, and of the others.
    pub(super) outputs: [&'a mut [T]; 2],
    /// Number of the first roots.
    pub(super) split: u32,
    /// Lanes of input and output.
    pub(super) lanes: usize,
    pub(super) scratch: &'a mut [T],
    pub(super) constants: &'a [T],
    pub(super) orders: &'a [Option<MittagLeffler>],
    pub(super) partials: &'a mut [PartialsOfBlock],
    pub(super) tables: &'a [Arc<Table>],
    /// Arguments and results of functions.
    pub(super) arguments: &'a mut [T],
    /// Inputs of an operation on a list.
    pub(super) list: &'a mut [T],
}

impl<T: Copy> Memory<'_, T> {
    /// `count` lanes of a row from lane `first` on. Outputs are not read.
    #[inline(always)]
    pub(super) fn row(&self, operand: Operand, first: usize, count: usize) -> &[T] {
        let (rows, stride, first) = match operand.region {
            Region::Input => (self.inputs, self.lanes, first),
            _ => (&*self.scratch, count, 0),
        };
        &rows[operand.index as usize * stride + first..][..count]
    }

    #[inline(always)]
    pub(super) fn row_mut(&mut self, operand: Operand, first: usize, count: usize) -> &mut [T] {
        let mut index = operand.index;
        let (rows, stride, first) = match operand.region {
            Region::Output if operand.index >= self.split => {
                index -= self.split;
                (&mut *self.outputs[1], self.lanes, first)
            }
            Region::Output => (&mut *self.outputs[0], self.lanes, first),
            _ => (&mut *self.scratch, count, 0),
        };
        &mut rows[index as usize * stride + first..][..count]
    }
}
