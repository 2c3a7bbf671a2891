use crate::Scalar;
use crate::kernels::first_not_finite;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_sde::noise::Normals;
use pulp::Arch;

/// The sizes of a layer, and the names of its parameters.
pub trait Shape {
    /// Rows of x.
    fn inputs(&self) -> usize;

    /// Rows of y.
    fn outputs(&self) -> usize;

    /// What the parameters are, in their order in the flat slice.
    fn blocks(&self) -> Vec<Block>;

    /// Number of parameters.
    fn parameters(&self) -> usize;

    /// Rows that the forward direction keeps for the backward one besides x and y.
    fn kept(&self) -> usize;

    /// Rows that the backward direction works in.
    fn scratch(&self) -> usize;
}

/// A differentiable map with parameters, of many samples at a time.
///
/// Rows are features, lanes are samples. A layer owns neither parameters nor memory: parameters are a
/// flat slice whose layout it knows, and everything it writes to is given to it. What the backward
/// direction needs of the forward one is kept in rows that the layer asks for, so that a caller can
/// throw them away and compute them again.
///
/// What is handed to [`forward`](Self::forward) and [`vjp`](Self::vjp) has the sizes that [`Shape`] tells: x
/// and `xbar` as many rows as [`inputs`](Shape::inputs), y and `ybar` as [`outputs`](Shape::outputs), what is
/// kept and the scratch as [`kept`](Shape::kept) and [`scratch`](Shape::scratch), all of the same lanes, at
/// least one; theta and `thetabar` as many numbers as [`parameters`](Shape::parameters). Layers do not check
/// that: those who take sizes from a user do, as [`Supervised`](crate::Supervised) does, before the first
/// layer is run.
///
/// A series in time has a row for each channel and time, `channel * length + time`.
pub trait Layer<T: Scalar>: Shape + Send + Sync {
    /// Writes starting values of the parameters, drawn as the layer's initialisers say. The series of
    /// numbers for the parameter i of the layer begins with that of `first + i`.
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]);

    /// Writes y and what is kept.
    ///
    /// # Panics
    /// May panic for sizes other than those said above, or write numbers that mean nothing.
    fn forward(
        &self,
        pass: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        kept: RowsMut<'_, T>,
        y: RowsMut<'_, T>,
    );

    /// Adds the products of the Jacobians' transposes with `ybar` to `xbar`, where it is wanted, and to
    /// `thetabar`, summed over the lanes. What is in `ybar` and `scratch` afterwards means nothing.
    ///
    /// # Panics
    /// As [`forward`](Self::forward).
    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        scratch: RowsMut<'_, T>,
    );

    /// The first layer within this one of which y is not finite, by its place and the name of its type, as in
    /// `2.Dense`: what to tell where a loss is not finite.
    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        let path = std::any::type_name::<Self>().split('<').next()?;
        let name = path.rsplit("::").next()?;
        (!finite(tape.y)).then(|| name.to_owned())
    }
}

/// Whether all numbers are finite.
pub(crate) fn finite<T: Scalar>(rows: Rows<'_, T>) -> bool {
    first_not_finite(Arch::new(), rows.as_slice()).is_none()
}

/// What a network is run for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Pass {
    /// To be used: nothing is drawn.
    #[default]
    Evaluate,
    /// To learn: layers that draw numbers do so, the same ones for the same draw and sample.
    Train {
        /// Which draw, a number of its own for each step of training.
        draw: u64,
        /// The sample in the first lane.
        first_sample: u64,
    },
}

impl Pass {
    /// The same for lanes of which the first is this sample.
    pub(crate) fn starting_at(self, first: usize) -> Self {
        match self {
            Self::Evaluate => self,
            Self::Train { draw, .. } => Self::Train { draw, first_sample: first as u64 },
        }
    }
}

impl<L: Shape + ?Sized> Shape for Box<L> {
    fn inputs(&self) -> usize {
        (**self).inputs()
    }

    fn outputs(&self) -> usize {
        (**self).outputs()
    }

    fn blocks(&self) -> Vec<Block> {
        (**self).blocks()
    }

    fn parameters(&self) -> usize {
        (**self).parameters()
    }

    fn kept(&self) -> usize {
        (**self).kept()
    }

    fn scratch(&self) -> usize {
        (**self).scratch()
    }
}

impl<T: Scalar, L: Layer<T> + ?Sized> Layer<T> for Box<L> {
    fn initialise(&self, normals: &Normals, first: u64, theta: &mut [T]) {
        (**self).initialise(normals, first, theta);
    }

    fn forward(
        &self,
        pass: Pass,
        theta: &[T],
        x: Rows<'_, T>,
        kept: RowsMut<'_, T>,
        y: RowsMut<'_, T>,
    ) {
        (**self).forward(pass, theta, x, kept, y);
    }

    fn vjp(
        &self,
        theta: &[T],
        tape: Tape<'_, T>,
        ybar: RowsMut<'_, T>,
        xbar: Option<RowsMut<'_, T>>,
        thetabar: &mut [T],
        scratch: RowsMut<'_, T>,
    ) {
        (**self).vjp(theta, tape, ybar, xbar, thetabar, scratch);
    }

    fn culprit(&self, tape: Tape<'_, T>) -> Option<String> {
        (**self).culprit(tape)
    }
}

/// What the forward direction has left.
#[derive(Debug, Clone, Copy)]
pub struct Tape<'a, T> {
    /// What went in.
    pub x: Rows<'a, T>,
    /// What was kept.
    pub kept: Rows<'a, T>,
    /// What came out.
    pub y: Rows<'a, T>,
}

/// A named array of parameters.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// Its name, with those of the layers around it: `0.weight`.
    pub name: String,
    /// Its sizes, the last of which counts fastest.
    pub shape: Vec<usize>,
}

impl Block {
    /// A block with a name and sizes.
    pub fn new(name: &str, shape: &[usize]) -> Self {
        Self { name: name.to_owned(), shape: shape.to_vec() }
    }

    /// Number of parameters.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The same block within a layer that has a name itself.
    #[must_use]
    pub fn within(self, name: &str) -> Self {
        Self { name: format!("{name}.{}", self.name), ..self }
    }
}
