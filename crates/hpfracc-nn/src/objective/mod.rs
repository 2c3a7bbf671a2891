mod order_estimate;

pub use order_estimate::OrderEstimate;

use crate::layer::initialise;
use crate::{Block, ParameterBlock, Pass, Scalar, TrainingError};
use hpfracc_communicator::Ranks;
use hpfracc_sde::noise::Normals;
use std::ops::Range;

/// The mean loss of a batch, or the reason that it or its gradient cannot be computed.
pub type LossResult = Result<f64, TrainingError>;

/// A training objective: the mean of a loss over numbered samples, with its gradient.
///
/// Models implement it over their data; a trainer needs nothing else of them. All random numbers
/// derive from the batch's `draw` and the positions of samples in the batch, so that a step is
/// reproducible and independent of the number of threads.
///
/// The ranks of a batch share its evaluation: each calls it with the same arguments and has the
/// same result, with the bits of one process. An objective that ignores them is evaluated by each
/// rank alone, which is as good, but not faster.
pub trait Objective<T: Scalar>: Sync {
    /// The blocks of parameters in their order in the flat slice, with their initial values.
    fn parameter_blocks(&self) -> Vec<ParameterBlock>;

    /// Number of samples.
    fn samples(&self) -> usize;

    /// The mean loss of a batch: without `thetabar` in evaluation mode (no dropout), with it in
    /// training mode. Writes the gradient times [`Batch::scale`] to `thetabar`; the returned loss
    /// is not scaled. Collective over the ranks of the batch.
    ///
    /// # Errors
    /// [`TrainingError`] if the loss or the gradient cannot be computed; on all ranks if it cannot
    /// be on one.
    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult;

    /// The mean loss of a batch in evaluation mode.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn loss(&self, theta: &[T], batch: Batch<'_>) -> LossResult {
        self.evaluate(theta, batch, None)
    }

    /// The mean loss of a batch in training mode; writes its gradient to `thetabar`.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn gradient(&self, theta: &[T], batch: Batch<'_>, thetabar: &mut [T]) -> LossResult {
        self.evaluate(theta, batch, Some(thetabar))
    }

    /// Names and shapes of the blocks of parameters.
    fn blocks(&self) -> Vec<Block> {
        self.parameter_blocks().into_iter().map(|parameters| parameters.block).collect()
    }

    /// Number of parameters.
    fn parameters(&self) -> usize {
        self.blocks().iter().map(Block::len).sum()
    }

    /// Writes the initial values of the parameters.
    fn initialise(&self, seed: u64, theta: &mut [T]) {
        initialise(&self.parameter_blocks(), &Normals::new(seed), 0, theta);
    }

    /// The parameters that are learned orders of an equation, which may have a learning rate of
    /// their own.
    fn orders(&self) -> Range<usize> {
        0..0
    }

    /// Estimates the learned orders from the data of these samples, before a training. If all are
    /// identifiable, writes them to `theta`, and a network that belongs to them. Empty, and nothing
    /// written, if orders are not learned or there is no such estimate.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn estimate_orders(
        &self,
        samples: &[usize],
        theta: &mut [T],
    ) -> Result<Vec<OrderEstimate>, TrainingError> {
        let _ = (samples, theta);
        Ok(Vec::new())
    }

    /// The name of the first layer or quantity that is not finite, if any. Diagnostic after an
    /// evaluation in this mode whose result is not finite. Not collective: the ranks of the batch
    /// are not used.
    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        let _ = (theta, batch, pass);
        None
    }
}

/// Samples of an [`Objective`] and the seed of their random numbers.
#[derive(Debug, Clone, Copy)]
pub struct Batch<'a> {
    /// Indices of the samples.
    pub samples: &'a [usize],
    /// Seed of all random numbers; each training step has its own.
    pub draw: u64,
    /// Factor of all cotangents, against underflow at low precision. Losses are not scaled.
    pub scale: f64,
    /// Ranks that share the evaluation; by default the process is alone.
    pub ranks: Ranks<'a>,
}

impl<'a> Batch<'a> {
    /// A batch with scale 1, for one process.
    pub fn new(samples: &'a [usize], draw: u64) -> Self {
        Self { samples, draw, scale: 1.0, ranks: Ranks::ALONE }
    }

    /// This batch for one process.
    pub(crate) fn alone(self) -> Self {
        Self { ranks: Ranks::ALONE, ..self }
    }

    /// The mode of a forward pass for a loss, or for a gradient.
    pub fn pass(&self, gradient: bool) -> Pass {
        if gradient { Pass::Train { draw: self.draw, first_sample: 0 } } else { Pass::Evaluate }
    }
}
