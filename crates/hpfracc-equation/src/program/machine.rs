//! The accumulator machine.
//!
//! The accumulator is the registers of one block of lanes. An instruction combines it with rows and
//! constants, and stores it where its value is needed again.

use super::dense::{self, Dense};
use super::functions::Apply;
use super::instruction::{Instruction, Memory, Operation, Region, Shape};
use super::scratch::BLOCK;
use crate::graph::{Binary, Unary};
use hpfracc_lanes::pulp::Simd;
use hpfracc_lanes::{Elementary, Lanes};

/// Runs instructions on `N` registers of lanes from lane `first` on, those on lists on `W` at a time.
///
/// Loops over registers are written out: closures are not compiled for the instruction set.
#[inline(always)]
pub(super) fn run<S: Simd, T: Elementary + Lanes, const N: usize, const W: usize>(
    simd: S,
    instructions: &[Instruction],
    dense: &[Dense<T>],
    memory: &mut Memory<'_, T>,
    first: usize,
) {
    let count = N * T::count::<S>();
    let mut acc = [T::splat(simd, T::zero()); N];
    for instruction in instructions {
        let [x, y, z, w] = instruction.operands;

        macro_rules! each {
            ($j:ident, $value:expr) => {
                for $j in 0..N {
                    acc[$j] = $value;
                }
            };
        }
        macro_rules! row {
            ($operand:expr) => {
                &T::registers::<S>(memory.row($operand, first, count)).0[..N]
            };
        }
        macro_rules! constant {
            ($operand:expr) => {
                T::splat(simd, memory.constants[$operand.index as usize])
            };
        }
        // Any operand, in registers.
        macro_rules! registers {
            ($operand:expr) => {{
                let mut registers = acc;
                match $operand.region {
                    Region::Accumulator => {}
                    Region::Constant => registers = [constant!($operand); N],
                    _ => registers.copy_from_slice(row!($operand)),
                }
                registers
            }};
        }
        macro_rules! store {
            ($operand:expr, $registers:expr) => {
                let row = memory.row_mut($operand, first, count);
                let row = &mut T::registers_mut::<S>(row).0[..N];
                for j in 0..N {
                    row[j] = $registers[j];
                }
            };
        }
        // One, two or three operations at once, by the number of the operations.
        macro_rules! arithmetic {
            ($j:ident, $x:expr, $y:expr) => {
                match instruction.code & 3 {
                    0 => each!($j, T::sum(simd, $x, $y)),
                    1 => each!($j, T::difference(simd, $x, $y)),
                    2 => each!($j, T::difference(simd, $y, $x)),
                    _ => each!($j, T::product(simd, $x, $y)),
                }
            };
        }
        macro_rules! chain {
            ($j:ident, $x:expr, $y:expr, $z:expr) => {
                match instruction.code & 15 {
                    0 => each!($j, T::sum(simd, T::sum(simd, $x, $y), $z)),
                    1 => each!($j, T::difference(simd, T::sum(simd, $x, $y), $z)),
                    2 => each!($j, T::difference(simd, $z, T::sum(simd, $x, $y))),
                    3 => each!($j, T::product(simd, T::sum(simd, $x, $y), $z)),
                    4 => each!($j, T::sum(simd, T::difference(simd, $x, $y), $z)),
                    5 => each!($j, T::difference(simd, T::difference(simd, $x, $y), $z)),
                    6 => each!($j, T::difference(simd, $z, T::difference(simd, $x, $y))),
                    7 => each!($j, T::product(simd, T::difference(simd, $x, $y), $z)),
                    8 => each!($j, T::sum(simd, T::difference(simd, $y, $x), $z)),
                    9 => each!($j, T::difference(simd, T::difference(simd, $y, $x), $z)),
                    10 => each!($j, T::difference(simd, $z, T::difference(simd, $y, $x))),
                    11 => each!($j, T::product(simd, T::difference(simd, $y, $x), $z)),
                    12 => each!($j, T::sum(simd, T::product(simd, $x, $y), $z)),
                    13 => each!($j, T::difference(simd, T::product(simd, $x, $y), $z)),
                    14 => each!($j, T::difference(simd, $z, T::product(simd, $x, $y))),
                    _ => each!($j, T::product(simd, T::product(simd, $x, $y), $z)),
                }
            };
        }
        macro_rules! products {
            ($j:ident, $x:expr, $y:expr, $z:expr, $w:expr) => {
                match instruction.code & 1 {
                    0 => {
                        each!($j, T::sum(simd, T::product(simd, $x, $y), T::product(simd, $z, $w)))
                    }
                    _ => each!(
                        $j,
                        T::difference(simd, T::product(simd, $x, $y), T::product(simd, $z, $w))
                    ),
                }
            };
        }

        match instruction.shape {
            Shape::Aa => arithmetic!(j, acc[j], acc[j]),
            Shape::Ar => {
                let y = row!(y);
                arithmetic!(j, acc[j], y[j]);
            }
            Shape::Ac => {
                let y = constant!(y);
                arithmetic!(j, acc[j], y);
            }
            Shape::Rr => {
                let (x, y) = (row!(x), row!(y));
                arithmetic!(j, x[j], y[j]);
            }
            Shape::Rc => {
                let (x, y) = (row!(x), constant!(y));
                arithmetic!(j, x[j], y);
            }
            Shape::Arr => {
                let (y, z) = (row!(y), row!(z));
                chain!(j, acc[j], y[j], z[j]);
            }
            Shape::Arc => {
                let (y, z) = (row!(y), constant!(z));
                chain!(j, acc[j], y[j], z);
            }
            Shape::Acr => {
                let (y, z) = (constant!(y), row!(z));
                chain!(j, acc[j], y, z[j]);
            }
            Shape::Acc => {
                let (y, z) = (constant!(y), constant!(z));
                chain!(j, acc[j], y, z);
            }
            Shape::Rra => {
                let (x, y) = (row!(x), row!(y));
                chain!(j, x[j], y[j], acc[j]);
            }
            Shape::Rrr => {
                let (x, y, z) = (row!(x), row!(y), row!(z));
                chain!(j, x[j], y[j], z[j]);
            }
            Shape::Rrc => {
                let (x, y, z) = (row!(x), row!(y), constant!(z));
                chain!(j, x[j], y[j], z);
            }
            Shape::Rca => {
                let (x, y) = (row!(x), constant!(y));
                chain!(j, x[j], y, acc[j]);
            }
            Shape::Rcr => {
                let (x, y, z) = (row!(x), constant!(y), row!(z));
                chain!(j, x[j], y, z[j]);
            }
            Shape::Rcc => {
                let (x, y, z) = (row!(x), constant!(y), constant!(z));
                chain!(j, x[j], y, z);
            }
            Shape::Rrrr => {
                let (x, y, z, w) = (row!(x), row!(y), row!(z), row!(w));
                products!(j, x[j], y[j], z[j], w[j]);
            }
            Shape::Rrrc => {
                let (x, y, z, w) = (row!(x), row!(y), row!(z), constant!(w));
                products!(j, x[j], y[j], z[j], w);
            }
            Shape::Rcrr => {
                let (x, y, z, w) = (row!(x), constant!(y), row!(z), row!(w));
                products!(j, x[j], y, z[j], w[j]);
            }
            Shape::Rcrc => {
                let (x, y, z, w) = (row!(x), constant!(y), row!(z), constant!(w));
                products!(j, x[j], y, z[j], w);
            }
            Shape::List => {
                if let Operation::Dense(number) = instruction.operation {
                    let dense = &dense[number as usize];
                    simd.vectorize(dense::Block::<T, W> { dense, memory, first, count });
                }
            }
            Shape::Any => match instruction.operation {
                Operation::Load => acc = registers!(x),
                Operation::Unary(Unary::Absolute) => {
                    let x = registers!(x);
                    each!(j, T::absolute(simd, x[j]));
                }
                Operation::Unary(Unary::SquareRoot) => {
                    let x = registers!(x);
                    each!(j, T::square_root(simd, x[j]));
                }
                Operation::Select => {
                    let (x, y, z) = (registers!(x), registers!(y), registers!(z));
                    let zero = T::splat(simd, T::zero());
                    each!(j, T::select(simd, T::equal(simd, x[j], zero), z[j], y[j]));
                }
                Operation::Binary(operation) if operation != Binary::Power => {
                    let (x, y) = (registers!(x), registers!(y));
                    let (zero, one) = (T::splat(simd, T::zero()), T::splat(simd, T::one()));
                    match operation {
                        Binary::Divide => each!(j, T::quotient(simd, x[j], y[j])),
                        Binary::Minimum => each!(j, T::minimum(simd, x[j], y[j])),
                        Binary::Maximum => each!(j, T::maximum(simd, x[j], y[j])),
                        Binary::Less => {
                            each!(j, T::select(simd, T::less(simd, x[j], y[j]), one, zero))
                        }
                        Binary::LessOrEqual => {
                            each!(j, T::select(simd, T::less_or_equal(simd, x[j], y[j]), one, zero))
                        }
                        _ => each!(j, T::select(simd, T::equal(simd, x[j], y[j]), one, zero)),
                    }
                }
                operation => {
                    for (k, operand) in [x, y, z].into_iter().enumerate().take(operation.arity()) {
                        let operand = registers!(operand);
                        let argument = &mut memory.arguments[k * BLOCK..][..count];
                        T::registers_mut::<S>(argument).0[..N].copy_from_slice(&operand);
                    }
                    let (x, rest) = memory.arguments.split_at_mut(BLOCK);
                    let (y, z) = rest.split_at_mut(BLOCK);
                    let (x, y, z) = (&mut x[..count], &mut y[..count], &mut z[..count]);
                    let (orders, tables) = (memory.orders, memory.tables);
                    let partials = &mut *memory.partials;
                    simd.vectorize(Apply { operation, x, y, z, orders, partials, tables });
                    let (x, rest) = memory.arguments.split_at(BLOCK);
                    acc.copy_from_slice(&T::registers::<S>(&x[..count]).0[..N]);
                    if let Some(second) = instruction.second {
                        let mut other = acc;
                        other.copy_from_slice(&T::registers::<S>(&rest[..count]).0[..N]);
                        store!(second, other);
                    }
                }
            },
        }
        if let Some((_, operand)) = instruction.last {
            macro_rules! last {
                (row, $function:ident) => {{
                    let y = row!(operand);
                    each!(j, T::$function(simd, acc[j], y[j]));
                }};
                (constant, $function:ident) => {{
                    let y = constant!(operand);
                    each!(j, T::$function(simd, acc[j], y));
                }};
                (row) => {{
                    let y = row!(operand);
                    each!(j, T::difference(simd, y[j], acc[j]));
                }};
                (constant) => {{
                    let y = constant!(operand);
                    each!(j, T::difference(simd, y, acc[j]));
                }};
            }
            match instruction.last_code & 7 {
                1 => last!(row, sum),
                2 => last!(row, difference),
                3 => last!(row),
                4 => last!(row, product),
                5 => last!(constant, sum),
                6 => last!(constant, difference),
                7 => last!(constant),
                _ => last!(constant, product),
            }
        }
        if let Some(row) = instruction.output {
            store!(row, acc);
        }
        if let Some(row) = instruction.store {
            store!(row, acc);
        }
    }
}
