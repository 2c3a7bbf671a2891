//! Functions of the numbers of a block, in a function of its own: the registers of the machine are
//! not needed meanwhile.

use super::instruction::Operation;
use crate::evaluate::PartialsOfBlock;
use crate::evaluate::{binary, interpolated, ternary, unary};
use crate::graph::Table;
use crate::graph::{Binary, Ternary, Unary};
use hpfracc_lanes::Elementary;
use hpfracc_lanes::pulp::{Simd, WithSimd};
use hpfracc_special::MittagLeffler;
use std::sync::Arc;

/// Replaces x by a function of x, y and z. The second result of a pair goes to y.
pub(super) struct Apply<'a, T> {
    pub(super) operation: Operation,
    pub(super) x: &'a mut [T],
    pub(super) y: &'a mut [T],
    pub(super) z: &'a mut [T],
    pub(super) orders: &'a [Option<MittagLeffler>],
    pub(super) partials: &'a mut [PartialsOfBlock],
    pub(super) tables: &'a [Arc<Table>],
}

impl<T: Elementary> WithSimd for Apply<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Self { operation, x, y, z, orders, partials, tables } = self;
        macro_rules! each {
            ($($function:ident),*) => {
                match operation {
                    $(Operation::Unary(Unary::$function) => {
                        for x in x {
                            *x = unary(Unary::$function, *x);
                        }
                    })*
                    Operation::Unary(Unary::Sin) => sine_cosine(x, y, z),
                    Operation::Unary(Unary::Cos) => cosine_sine(x, y, z),
                    Operation::SineCosine => sine_cosine(x, y, z),
                    Operation::CosineSine => cosine_sine(x, y, z),
                    Operation::Binary(Binary::Power) => {
                        for (x, y) in x.iter_mut().zip(y) {
                            *x = binary(Binary::Power, *x, *y);
                        }
                    }
                    Operation::MittagLeffler => {
                        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
                            *x = ternary(Ternary::MittagLeffler, *x, *y, *z);
                        }
                    }
                    Operation::MittagLefflerOf(number) => {
                        let function = orders[number as usize].as_ref();
                        for (x, z) in x.iter_mut().zip(z) {
                            let value = function.map_or(f64::NAN, |f| f.eval(z.widen()));
                            *x = T::narrow(value);
                        }
                    }
                    Operation::Partial(function) => {
                        for ((x, y), z) in x.iter_mut().zip(y).zip(z) {
                            *x = ternary(function, *x, *y, *z);
                        }
                    }
                    Operation::PartialOf(function, number) => {
                        partials[number as usize].write(function, z, x);
                    }
                    Operation::Table(number, derivative) => {
                        let table = &tables[number as usize];
                        for x in x {
                            *x = interpolated(table, derivative, *x);
                        }
                    }
                    _ => {}
                }
            };
        }
        each!(
            Sign, Floor, Exp, ExpM1, Ln, Ln1p, Atan, Sinh, Cosh, Tanh, Erf, Gamma, Digamma,
            Trigamma
        );
    }
}

/// Replaces x by its sine and y by its cosine.
#[inline(always)]
fn sine_cosine<T: Elementary>(x: &mut [T], y: &mut [T], z: &mut [T]) {
    z.copy_from_slice(x);
    T::sin_cos_slice(z, x, y);
}

/// Replaces x by its cosine and y by its sine.
#[inline(always)]
fn cosine_sine<T: Elementary>(x: &mut [T], y: &mut [T], z: &mut [T]) {
    z.copy_from_slice(x);
    T::sin_cos_slice(z, y, x);
}
