//! Runs of a program.

use super::compile::Body;
use super::instruction::Memory;
use super::machine;
use super::scratch::{BLOCK, Memories, Parts, SMALL_BLOCK, Scratch};
use hpfracc_lanes::pulp::{Arch, Simd, WithSimd};
use hpfracc_lanes::{Elementary, Lanes};
use std::cell::RefCell;

/// Scalar of programs: `f32` or `f64`. The machine is compiled for both in this crate.
pub trait Execute: Elementary + Lanes {
    /// Runs a program on the lanes of all paths.
    #[doc(hidden)]
    fn execute(arch: Arch, run: Run<'_, Self>);

    /// Runs a program on one path.
    #[doc(hidden)]
    fn execute_scalar(run: RunScalar<'_, Self>);

    /// Calls a function with the memory of this thread.
    #[doc(hidden)]
    fn with_memories<R>(call: impl FnOnce(&mut Memories<Self>) -> R) -> R;
}

macro_rules! execute {
    ($($t:ty),*) => {
        $(impl Execute for $t {
            fn execute(arch: Arch, run: Run<'_, Self>) {
                arch.dispatch(run);
            }

            fn execute_scalar(run: RunScalar<'_, Self>) {
                run.run();
            }

            fn with_memories<R>(call: impl FnOnce(&mut Memories<Self>) -> R) -> R {
                thread_local! {
                    static MEMORIES: RefCell<Memories<$t>> = const { RefCell::new(Memories::new()) };
                }
                MEMORIES.with_borrow_mut(call)
            }
        })*
    };
}

execute!(f32, f64);

/// One path.
#[derive(Debug)]
pub struct RunScalar<'a, T> {
    pub(super) body: &'a Body<T>,
    pub(super) path: &'a [T],
    pub(super) out: &'a mut [T],
    pub(super) scratch: &'a mut Scratch<T>,
}

impl<T: Elementary + Lanes> RunScalar<'_, T> {
    #[inline(always)]
    fn run(self) {
        let Self { body, path, out, scratch } = self;
        let tape = &body.tape;
        let (numbers, list, orders, partials) = scratch.numbers();
        // Element by element: a call that copies takes longer than a few numbers.
        for (k, number) in tape.inputs.clone().enumerate() {
            numbers[number] = path[k];
        }
        tape.run(numbers, list, &body.dense, (orders, partials, &body.tables));
        for (k, number) in tape.outputs.clone().enumerate() {
            out[k] = numbers[number];
        }
    }
}

/// Many paths.
#[derive(Debug)]
pub struct Run<'a, T> {
    pub(super) body: &'a Body<T>,
    pub(super) inputs: &'a [T],
    /// Rows of the first roots, and of the others.
    pub(super) outputs: [&'a mut [T]; 2],
    pub(super) lanes: usize,
    pub(super) scratch: &'a mut Scratch<T>,
}

impl<T: Elementary + Lanes> WithSimd for Run<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        // The accumulator takes half of the registers.
        if size_of::<T::Vector<S>>() == 64 || cfg!(target_arch = "aarch64") {
            self.blocks::<S, 16, 4>(simd);
        } else {
            self.blocks::<S, 8, 2>(simd);
        }
    }
}

impl<T: Elementary + Lanes> Run<'_, T> {
    /// Runs blocks of `LARGE` registers, and of `SMALL` ones for remaining lanes. A block may overlap
    /// the one before; fewer lanes than a small block are padded.
    #[inline(always)]
    fn blocks<S: Simd, const LARGE: usize, const SMALL: usize>(self, simd: S) {
        let Self { body, inputs, outputs, lanes, scratch } = self;
        let [large, small] = [LARGE, SMALL].map(|registers| registers * T::count::<S>());
        let (instructions, tables) = (&body.instructions, &body.tables[..]);
        let Parts { constants, orders, partials, arguments, list, rows } = scratch.parts();
        let (dense, split) = (&body.dense, (outputs[0].len() / lanes) as u32);
        if lanes >= small {
            let scratch = rows;
            let mut memory = Memory {
                inputs,
                outputs,
                split,
                lanes,
                scratch,
                constants,
                orders,
                partials,
                tables,
                arguments,
                list,
            };
            let mut next = 0;
            while next < lanes {
                if lanes >= large && lanes - next > large / 2 {
                    let first = next.min(lanes - large);
                    machine::run::<S, T, LARGE, SMALL>(
                        simd,
                        instructions,
                        dense,
                        &mut memory,
                        first,
                    );
                    next = first + large;
                } else {
                    let first = next.min(lanes - small);
                    machine::run::<S, T, SMALL, SMALL>(
                        simd,
                        instructions,
                        dense,
                        &mut memory,
                        first,
                    );
                    next = first + small;
                }
            }
            return;
        }
        let (needed, results) = (body.input_rows * lanes, body.roots * lanes);
        assert!(inputs.len() >= needed, "{} numbers of input, but {needed} needed", inputs.len());
        let given = outputs[0].len() + outputs[1].len();
        assert!(given >= results, "{given} numbers of output for {results}");
        let (scratch, padded) = rows.split_at_mut(body.scratch_rows * BLOCK);
        let (padded, padded_outputs) = padded.split_at_mut(body.input_rows * SMALL_BLOCK);
        for (to, from) in padded.chunks_exact_mut(small).zip(inputs.chunks_exact(lanes)) {
            to[..lanes].copy_from_slice(from);
            to[lanes..].fill(from[lanes - 1]);
        }
        let mut memory = Memory {
            inputs: padded,
            outputs: [&mut *padded_outputs, &mut []],
            split: body.roots as u32,
            lanes: small,
            scratch,
            constants,
            orders,
            partials,
            tables,
            arguments,
            list,
        };
        machine::run::<S, T, SMALL, SMALL>(simd, instructions, dense, &mut memory, 0);
        let rows = outputs.into_iter().flat_map(|rows| rows.chunks_exact_mut(lanes));
        let rows = rows.take(body.roots);
        for (to, from) in rows.zip(padded_outputs.chunks_exact(small)) {
            to.copy_from_slice(&from[..lanes]);
        }
    }
}
