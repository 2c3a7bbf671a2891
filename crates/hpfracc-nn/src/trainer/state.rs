use super::Training;
use crate::{LossScale, OptimiserError, OptimiserState};
use crate::{Objective, Scalar};

/// All that a training knows after some step, and nothing that depends on how it got there.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State<T> {
    pub(super) theta: Vec<T>,
    pub(super) optimiser: OptimiserState<T>,
    pub(super) scale: Option<LossScale>,
    /// Batches gone through, those skipped for an overflow among them.
    pub(super) step: u64,
    pub(super) epoch: u64,
    /// Batches of the epoch gone through.
    pub(super) batch: u64,
    /// Losses of the epoch's samples so far.
    pub(super) sum: f64,
    pub(super) samples: u64,
    pub(super) best: Option<Best<T>>,
    /// Validations since the best one.
    pub(super) stale: u64,
    /// Bytes of the metrics so far.
    pub(super) metrics: u64,
}

/// The parameters with the smallest loss in a validation.
#[derive(Debug, Clone, PartialEq)]
pub struct Best<T> {
    /// The parameters.
    pub theta: Vec<T>,
    /// Their loss.
    pub loss: f64,
    /// The epoch that they were found after.
    pub epoch: u64,
}

impl<T: Scalar> State<T> {
    pub(super) fn start(
        objective: &dyn Objective<T>,
        training: &Training,
    ) -> Result<Self, OptimiserError> {
        let mut theta = vec![T::zero(); objective.parameters()];
        objective.initialise(training.seed, &mut theta);
        Ok(Self {
            optimiser: training.optimiser.state(theta.len())?,
            theta,
            scale: training.loss_scale,
            step: 0,
            epoch: 0,
            batch: 0,
            sum: 0.0,
            samples: 0,
            best: None,
            stale: 0,
            metrics: 0,
        })
    }

    /// Whether nothing is left to do, and why.
    pub(super) fn end(&self, training: &Training) -> Option<End> {
        match training {
            Training { patience: Some(patience), .. } if self.stale >= *patience => {
                Some(End::Patience)
            }
            Training { epochs, .. } if self.epoch >= *epochs => Some(End::Epochs),
            Training { steps: Some(steps), .. } if self.step >= *steps => Some(End::Steps),
            _ => None,
        }
    }
}

/// Why training has ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All epochs are done.
    Epochs,
    /// All steps are done.
    Steps,
    /// Validations have not become better for too long.
    Patience,
    /// The observer wanted no more.
    Cancelled,
}
