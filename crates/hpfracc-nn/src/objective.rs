use crate::{Block, Pass, Scalar, TrainingError};

/// What training makes small: the mean of a loss over numbered samples, with its gradient.
///
/// Models are objectives over their data; a trainer knows no more of them. Everything drawn at
/// random is drawn from the batch's `draw` and the places of samples in the batch, so that a step can be
/// taken again, and does not depend on the number of threads.
pub trait Objective<T: Scalar>: Sync {
    /// What the parameters are, in their order in the flat slice.
    fn blocks(&self) -> Vec<Block>;

    /// Number of parameters.
    fn parameters(&self) -> usize {
        self.blocks().iter().map(Block::len).sum()
    }

    /// Number of samples.
    fn samples(&self) -> usize;

    /// Writes starting values of the parameters.
    fn initialise(&self, seed: u64, theta: &mut [T]);

    /// The mean loss of a batch, as it is used to judge: nothing is dropped out.
    ///
    /// # Errors
    /// [`TrainingError`] for what cannot be computed.
    fn loss(&self, theta: &[T], batch: Batch<'_>) -> Result<f64, TrainingError>;

    /// The mean loss of a batch, and writes its gradient times [`Batch::scale`]. The loss that is returned
    /// does not carry the scale.
    ///
    /// # Errors
    /// [`TrainingError`] for what cannot be computed.
    fn gradient(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: &mut [T],
    ) -> Result<f64, TrainingError>;

    /// The first layer or quantity of the computation that is not finite, by name, if there is one: asked
    /// for when what was asked for before is not.
    fn culprit(&self, theta: &[T], batch: Batch<'_>, asked: Asked) -> Option<String> {
        let _ = (theta, batch, asked);
        None
    }
}

/// What an [`Objective`] is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Asked {
    /// [`loss`](Objective::loss), by which nothing is dropped out.
    Loss,
    /// [`gradient`](Objective::gradient).
    Gradient,
}

impl Asked {
    /// What layers are run for.
    pub(crate) fn pass(self, draw: u64, first_sample: usize) -> Pass {
        match self {
            Self::Loss => Pass::Evaluate,
            Self::Gradient => Pass::Train { draw, first_sample: first_sample as u64 },
        }
    }
}

/// Some samples of an [`Objective`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Batch<'a> {
    /// Their numbers.
    pub samples: &'a [usize],
    /// What random numbers are drawn with, one number for each step.
    pub draw: u64,
    /// What cotangents are multiplied by, so that small ones are not lost in a storage of few bits. Losses
    /// are not.
    pub scale: f64,
}

impl<'a> Batch<'a> {
    /// With cotangents as they are.
    pub fn new(samples: &'a [usize], draw: u64) -> Self {
        Self { samples, draw, scale: 1.0 }
    }
}
