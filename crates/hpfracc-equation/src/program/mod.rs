//! Programs: expression graphs compiled for many paths at a time.

mod allocate;
mod compile;
mod dense;
mod execute;
mod functions;
mod fuse;
mod instruction;
mod machine;
mod schedule;
mod scratch;
mod tape;
mod translate;
mod uniform;

pub use compile::{Input, ProgramError};
pub use execute::Execute;
pub use scratch::Scratch;

use crate::graph::{Graph, Id};
use compile::{Body, compile};
use execute::{Run, RunScalar};
use hpfracc_lanes::pulp::Arch;
use hpfracc_lanes::{Rows, RowsMut};
use std::marker::PhantomData;
use std::sync::Arc;

/// Expression graph compiled for many paths at a time.
///
/// A program is a list of instructions for an accumulator, registers that hold one number of each
/// path of a block. It gives the bits of [`evaluate`](crate::evaluate) with any instruction set.
///
/// ```
/// use hpfracc_equation::{Arch, Graph, Input, Program, Rows, RowsMut, Scratch};
///
/// // rate x for five paths.
/// let mut graph = Graph::new();
/// let (x, rate) = (graph.variable(0), graph.variable(1));
/// let root = graph.product(rate, x);
/// let program = Program::<f64>::new(&graph, &[root], &[Input::Row(0), Input::Uniform(0)])?;
///
/// let (mut out, mut scratch) = ([0.0; 5], Scratch::new());
/// let x = [1.0, 2.0, 3.0, 4.0, 5.0];
/// let (x, results) = (Rows::new(&x, 5), RowsMut::new(&mut out, 5));
/// program.run(Arch::new(), x, &[0.5], results, &mut scratch);
/// assert_eq!(out, [0.5, 1.0, 1.5, 2.0, 2.5]);
/// # Ok::<(), hpfracc_equation::ProgramError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Program<T> {
    body: Arc<Body<T>>,
    marker: PhantomData<T>,
}

impl<T: Execute> Program<T> {
    /// Compiles the roots of a graph. `inputs[k]` is the origin of [`Node::Variable`](crate::Node::Variable) k.
    ///
    /// Cost: linear in the nodes of the graph.
    ///
    /// # Errors
    /// [`ProgramError`] for a variable without an input, for an input of a number that is too large, for a
    /// root that is not in the graph, and for a list where a number is expected or that is not as long as
    /// an affine map has inputs.
    pub fn new(graph: &Graph, roots: &[Id], inputs: &[Input]) -> Result<Self, ProgramError> {
        let body = Arc::new(compile(graph, roots, inputs)?);
        Ok(Self { body, marker: PhantomData })
    }

    /// Number of roots: rows of output.
    pub fn roots(&self) -> usize {
        self.body.roots
    }

    /// Number of instructions on paths.
    pub fn instructions(&self) -> usize {
        self.body.instructions.len()
    }

    /// Rows of scratch.
    pub fn scratch_rows(&self) -> usize {
        self.body.scratch_rows
    }

    /// Bytes of the memory of a thread that runs the program.
    pub fn scratch_bytes(&self) -> usize {
        Scratch::<T>::bytes(&self.body)
    }

    /// Computes row i of `out`, the values of root i, for all paths. The row of a root that does not
    /// depend on a path is filled with its value.
    ///
    /// Does not allocate, but in the first run with this scratch.
    ///
    /// # Panics
    /// If `rows` or `uniforms` have fewer entries than the inputs name, `out` fewer rows than there
    /// are roots, or `rows` and `out` different numbers of lanes.
    pub fn run(
        &self,
        arch: Arch,
        rows: Rows<'_, T>,
        uniforms: &[f64],
        out: RowsMut<'_, T>,
        scratch: &mut Scratch<T>,
    ) {
        scratch.prepare(&self.body, |input| uniforms[input as usize]);
        let none = RowsMut::new(&mut [], out.lanes());
        self.execute(arch, rows, [out, none], scratch);
    }

    #[inline(always)]
    fn execute(
        &self,
        arch: Arch,
        rows: Rows<'_, T>,
        [mut out, mut others]: [RowsMut<'_, T>; 2],
        scratch: &mut Scratch<T>,
    ) {
        let lanes = out.lanes();
        assert!(others.lanes() == lanes, "out has {lanes} and {} lanes", others.lanes());
        assert!(
            self.body.input_rows == 0 || rows.lanes() == lanes,
            "rows have {} lanes and out has {lanes}",
            rows.lanes()
        );
        let (body, inputs) = (&self.body, rows.as_slice());
        let outputs = [out.as_mut_slice(), others.as_mut_slice()];
        if lanes > 0 {
            T::execute(arch, Run { body, inputs, outputs, lanes, scratch });
        }
    }

    /// Computes the same with the memory of this thread, for programs that several threads run:
    /// uniform input 0 is `time`, the others are `parameters`. The values of the first roots are
    /// written to the rows of the first `out`, those of the others to the second.
    ///
    /// Does not allocate, but in the first run of a program on a thread. The memory is freed when the
    /// thread ends, or runs another program for the first time after this one was dropped.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_shared(
        &self,
        arch: Arch,
        rows: Rows<'_, T>,
        (time, parameters): (f64, &[f64]),
        out: [RowsMut<'_, T>; 2],
    ) {
        T::with_memories(|memories| {
            let scratch = memories.of(&self.body);
            scratch.prepare(&self.body, |input| match input {
                0 => time,
                _ => parameters[input as usize - 1],
            });
            self.execute(arch, rows, out, scratch);
        });
    }

    /// Computes the values of all roots for one path, with the bits of [`run`](Self::run).
    ///
    /// Does not allocate, but in the first run with this scratch.
    ///
    /// # Panics
    /// As [`run`](Self::run).
    pub fn run_scalar(
        &self,
        path: &[T],
        uniforms: &[f64],
        out: &mut [T],
        scratch: &mut Scratch<T>,
    ) {
        scratch.prepare(&self.body, |input| uniforms[input as usize]);
        T::execute_scalar(RunScalar { body: &self.body, path, out, scratch });
    }
}
