use super::metrics::Settled;
use super::{TrainerError, Training};
use crate::{LossScale, Objective, OptimiserState, Scalar};
use hpfracc_types::check_memory;

/// The complete state of a training after a step, independent of interruptions.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct State<T> {
    pub(super) theta: Vec<T>,
    pub(super) optimiser: OptimiserState<T>,
    pub(super) scale: Option<LossScale>,
    /// Processed batches, including those skipped for an overflow.
    pub(super) step: u64,
    pub(super) epoch: u64,
    /// Processed batches of the epoch.
    pub(super) batch: u64,
    /// Sum of the losses of the epoch's samples so far.
    pub(super) sum: f64,
    pub(super) samples: u64,
    pub(super) best: Option<Best<T>>,
    /// Validations since the best one.
    pub(super) stale: u64,
    /// Metrics written up to this state.
    pub(super) metrics: Settled,
}

/// Parameters with the smallest validation loss.
#[derive(Debug, Clone, PartialEq)]
pub struct Best<T> {
    /// The parameters.
    pub theta: Vec<T>,
    /// Their loss.
    pub loss: f64,
    /// Epoch after which they were found.
    pub epoch: u64,
}

impl<T: Scalar> State<T> {
    /// Initial state, refused where the memory of the whole training, with `copies` of the state in
    /// checkpoints, exceeds what is available.
    pub(super) fn start(
        objective: &dyn Objective<T>,
        training: &Training,
        copies: usize,
    ) -> Result<Self, TrainerError> {
        let parameters = objective.parameters();
        // The parameters, the best ones, and the numbers of the optimiser; the gradient.
        let optimiser = training.optimiser.remembered(parameters) as f64;
        let state = 2.0 * parameters as f64 + optimiser;
        let numbers = state * (1.0 + copies as f64) + parameters as f64;
        check_memory(numbers * size_of::<T>() as f64 / 8.0)?;
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
            metrics: Settled::default(),
        })
    }

    /// The reason to end, if any.
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

/// Reason for the end of a training.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum End {
    /// All epochs are done.
    Epochs,
    /// All steps are done.
    Steps,
    /// Early stopping: no smaller validation loss within the patience.
    Patience,
    /// Cancelled by the observer.
    Cancelled,
}
