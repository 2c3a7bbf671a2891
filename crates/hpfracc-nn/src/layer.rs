use crate::kernels::first_not_finite;
use crate::{Initialiser, Scalar};
use hpfracc_lanes::{CompactVec, Rows, RowsMut};
use hpfracc_sde::noise::Normals;

/// Sizes of a [`Layer`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Sizes {
    /// Rows of the input x.
    pub inputs: usize,
    /// Rows of the output y.
    pub outputs: usize,
    /// Number of parameters.
    pub parameters: usize,
    /// Rows that the forward pass saves for the backward pass, besides x and y.
    pub saved: usize,
    /// Rows of work memory of the backward pass.
    pub scratch: usize,
}

/// The shape of a layer: its sizes, and its parameters with their initial values.
///
/// Two methods are required; the others are derived from them.
pub trait Shape {
    /// All sizes.
    fn sizes(&self) -> Sizes;

    /// The blocks of parameters in their order in the flat slice, with their initial values.
    fn parameter_blocks(&self) -> Vec<ParameterBlock>;

    /// Names and shapes of the blocks of parameters.
    fn blocks(&self) -> Vec<Block> {
        self.parameter_blocks().into_iter().map(|parameters| parameters.block).collect()
    }

    /// Rows of x.
    fn inputs(&self) -> usize {
        self.sizes().inputs
    }

    /// Rows of y.
    fn outputs(&self) -> usize {
        self.sizes().outputs
    }

    /// Number of parameters.
    fn parameters(&self) -> usize {
        self.sizes().parameters
    }

    /// Rows that the forward pass saves for the backward pass, besides x and y.
    fn saved(&self) -> usize {
        self.sizes().saved
    }

    /// Rows of work memory of the backward pass.
    fn scratch(&self) -> usize {
        self.sizes().scratch
    }

    /// Saved rows that the backward pass reads: the first ones. They are the rows of a compact tape.
    fn tape_rows(&self) -> usize {
        self.saved()
    }

    /// Rows of work memory of [`forward_compact`](Layer::forward_compact) and
    /// [`vjp_compact`](Layer::vjp_compact): by default the saved rows; in a composition those of the
    /// largest layer.
    fn compact_work(&self) -> usize {
        self.saved()
    }
}

/// A differentiable map with parameters, applied to many samples at a time: reverse-mode automatic
/// differentiation with a hand-written vector-Jacobian product.
///
/// Rows are features, lanes are samples. A layer owns neither parameters nor memory: parameters are
/// a flat slice, and the caller provides all memory that the layer writes to. Rows saved by the
/// forward pass belong to the caller, who may discard them and run the forward pass again
/// (checkpointing).
///
/// A layer implements [`sizes`](Shape::sizes), [`parameter_blocks`](Shape::parameter_blocks),
/// [`forward`](Self::forward) and [`vjp`](Self::vjp).
///
/// Arguments have the sizes of [`Shape`]: x and `xbar` have [`inputs`](Shape::inputs) rows, y and
/// `ybar` [`outputs`](Shape::outputs), saved rows and scratch [`saved`](Shape::saved) and
/// [`scratch`](Shape::scratch), all with the same number of lanes, at least one; theta and
/// `thetabar` have [`parameters`](Shape::parameters) elements. Layers do not check this: callers
/// that take sizes from a user, such as [`Supervised`](crate::Supervised), check before they run a
/// layer.
///
/// A time series has a row for each channel and time, `channel * length + time`.
pub trait Layer<T: Scalar>: Shape + Send + Sync {
    /// Writes y and the saved rows.
    ///
    /// # Panics
    /// May panic, or write meaningless numbers, if sizes differ from those above.
    fn forward(&self, run: Forward<'_, T>);

    /// Vector-Jacobian product: adds the transposed Jacobians times `ybar` to `xbar`, if given, and
    /// to `thetabar`, summed over the lanes. Overwrites `ybar` and `scratch`.
    ///
    /// # Panics
    /// As [`forward`](Self::forward).
    fn vjp(&self, run: Backward<'_, T>);

    /// [`forward`](Self::forward) with the saved rows on a compact tape, from its number `first` on:
    /// [`tape_rows`](Shape::tape_rows) of them. The output is the same to the bit. `run.saved` is work memory, of
    /// [`compact_work`](Shape::compact_work) rows.
    ///
    /// # Panics
    /// As [`forward`](Self::forward).
    fn forward_compact(
        &self,
        Forward { pass, theta, x, mut saved, y }: Forward<'_, T>,
        (tape, first): (&mut CompactVec<T>, usize),
    ) {
        let lanes = x.lanes();
        let rows = &mut saved.as_mut_slice()[..self.saved() * lanes];
        // Rows that are not written must not hold numbers too large for the tape.
        rows.fill(T::zero());
        self.forward(Forward { pass, theta, x, saved: RowsMut::new(rows, lanes), y });
        tape.write(first, &rows[..self.tape_rows() * lanes]);
    }

    /// [`vjp`](Self::vjp) with the saved rows on a compact tape, from its number `first` on.
    /// `run.tape.saved` is not read; `work` has [`compact_work`](Shape::compact_work) rows.
    ///
    /// # Panics
    /// As [`forward`](Self::forward).
    fn vjp_compact(
        &self,
        run: Backward<'_, T>,
        (tape, first): (&CompactVec<T>, usize),
        mut work: RowsMut<'_, T>,
    ) {
        let lanes = run.tape.x.lanes();
        let saved = &mut work.as_mut_slice()[..self.saved() * lanes];
        tape.read(first, &mut saved[..self.tape_rows() * lanes]);
        self.vjp(Backward { tape: Tape { saved: Rows::new(saved, lanes), ..run.tape }, ..run });
    }

    /// Writes the initial values of the parameters. Parameter i draws from element `first + i` of
    /// the seed's stream for parameters.
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        initialise(&self.parameter_blocks(), normals, first, theta);
    }

    /// The first layer within this one whose output is not finite, by its position and type name,
    /// as in `2.Dense`. Diagnostic for a loss that is not finite.
    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        let path = std::any::type_name::<Self>().split('<').next()?;
        let name = path.rsplit("::").next()?;
        (!finite(tape.y)).then(|| name.to_owned())
    }
}

/// Writes the initial values of blocks of parameters.
pub(crate) fn initialise<T: Scalar>(
    blocks: &[ParameterBlock],
    normals: &Normals,
    mut first: u64,
    theta: &mut [T],
) {
    let mut rest = theta;
    for ParameterBlock { block, initialiser, fans } in blocks {
        let (values, after) = rest.split_at_mut(block.len());
        initialiser.fill(normals, first, *fans, values);
        first += values.len() as u64;
        rest = after;
    }
}

/// True if all numbers are finite.
pub(crate) fn finite<T: Scalar>(rows: Rows<'_, T>) -> bool {
    first_not_finite(rows.as_slice()).is_none()
}

/// Mode of a forward pass.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pass {
    /// Evaluation: deterministic.
    #[default]
    Evaluate,
    /// Training: stochastic layers draw, reproducibly for each draw and sample.
    Train {
        /// Index of the draw; each training step has its own.
        draw: u64,
        /// Index of the sample in the first lane.
        first_sample: u64,
    },
}

impl Pass {
    /// The same pass for lanes that begin at sample `first`.
    #[must_use]
    pub fn starting_at(self, first: usize) -> Self {
        match self {
            Self::Evaluate => self,
            Self::Train { draw, .. } => Self::Train { draw, first_sample: first as u64 },
        }
    }
}

/// A pointer to a layer is a layer.
macro_rules! pointers {
    ($($pointer:ty),+) => {$(
        impl<L: Shape + ?Sized> Shape for $pointer {
            fn sizes(&self) -> Sizes {
                (**self).sizes()
            }

            fn parameter_blocks(&self) -> Vec<ParameterBlock> {
                (**self).parameter_blocks()
            }

            fn tape_rows(&self) -> usize {
                (**self).tape_rows()
            }

            fn compact_work(&self) -> usize {
                (**self).compact_work()
            }
        }

        impl<T: Scalar, L: Layer<T> + ?Sized> Layer<T> for $pointer {
            fn forward(&self, run: Forward<'_, T>) {
                (**self).forward(run);
            }

            fn vjp(&self, run: Backward<'_, T>) {
                (**self).vjp(run);
            }

            fn forward_compact(&self, run: Forward<'_, T>, tape: (&mut CompactVec<T>, usize)) {
                (**self).forward_compact(run, tape);
            }

            fn vjp_compact(
                &self,
                run: Backward<'_, T>,
                tape: (&CompactVec<T>, usize),
                work: RowsMut<'_, T>,
            ) {
                (**self).vjp_compact(run, tape, work);
            }

            fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
                (**self).initialise(normals, first, theta);
            }

            fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
                (**self).culprit(tape)
            }
        }
    )+};
}

pointers!(Box<L>, &L);

/// Arguments of a forward pass: [`Layer::forward`] writes the saved rows and y.
#[derive(Debug)]
pub struct Forward<'a, T> {
    /// Evaluation or training.
    pub pass: Pass,
    /// The parameters.
    pub theta: &'a [T],
    /// The input.
    pub x: Rows<'a, T>,
    /// Rows saved for the backward pass.
    pub saved: RowsMut<'a, T>,
    /// The output.
    pub y: RowsMut<'a, T>,
}

/// Arguments of a backward pass: [`Layer::vjp`] adds to `xbar` and `thetabar`, and overwrites
/// `ybar` and `scratch`.
#[derive(Debug)]
pub struct Backward<'a, T> {
    /// The parameters of the forward pass.
    pub theta: &'a [T],
    /// The results of the forward pass.
    pub tape: Tape<'a, T>,
    /// Cotangent of y.
    pub ybar: RowsMut<'a, T>,
    /// Gradient with respect to x, if requested.
    pub xbar: Option<RowsMut<'a, T>>,
    /// Gradient with respect to the parameters, summed over the lanes.
    pub thetabar: &'a mut [T],
    /// Work memory.
    pub scratch: RowsMut<'a, T>,
}

/// Results of a forward pass, as the backward pass reads them.
#[derive(Debug, Clone, Copy)]
pub struct Tape<'a, T> {
    /// The input.
    pub x: Rows<'a, T>,
    /// The saved rows.
    pub saved: Rows<'a, T>,
    /// The output.
    pub y: Rows<'a, T>,
}

/// A named array of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Name, prefixed with those of the enclosing layers: `0.weight`.
    pub name: String,
    /// Shape in row-major order: the last size varies fastest.
    pub shape: Vec<usize>,
}

impl Block {
    /// A block with this name and shape.
    pub fn new(name: &str, shape: &[usize]) -> Self {
        Self { name: name.to_owned(), shape: shape.to_vec() }
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// True if the block has no parameters.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// This block with all initial values equal to `value`.
    pub fn filled(self, value: f64) -> ParameterBlock {
        self.drawn(Initialiser::Constant(value), (1, 1))
    }

    /// This block with initial values from an initialiser for weights with (inputs, outputs).
    pub fn drawn(self, initialiser: Initialiser, fans: (usize, usize)) -> ParameterBlock {
        ParameterBlock { block: self, initialiser, fans }
    }
}

/// A [`Block`] of parameters with its initial values.
#[derive(Debug, Clone, PartialEq)]
pub struct ParameterBlock {
    /// Name and shape.
    pub block: Block,
    /// Distribution of the initial values.
    pub initialiser: Initialiser,
    /// Inputs and outputs of each weight, which scale the distribution.
    pub fans: (usize, usize),
}

impl ParameterBlock {
    /// This block inside a layer named `name`.
    #[must_use]
    pub fn within(self, name: &str) -> Self {
        let Block { name: own, shape } = self.block;
        Self { block: Block { name: format!("{name}.{own}"), shape }, ..self }
    }
}
