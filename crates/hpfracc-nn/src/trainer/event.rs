use hpfracc_checkpoint::Damage;
use serde::Serialize;
use std::path::Path;

/// Event of a training, passed to the observer (progress hook).
///
/// The metrics file has a JSON object in a line for each step and epoch, without wall-clock times:
/// the same training writes the same bytes, with or without interruptions.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A damaged checkpoint was renamed.
    Damaged {
        /// The file.
        path: &'a Path,
        /// The damage.
        damage: Damage,
    },
    /// Training resumed from a checkpoint.
    Resumed {
        /// Its number of steps.
        step: u64,
        /// Its number of finished epochs.
        epoch: u64,
    },
    /// A step was taken, or skipped.
    Step(Step),
    /// An epoch has ended.
    Epoch(Epoch),
    /// A checkpoint was written.
    Saved {
        /// The file.
        path: &'a Path,
    },
}

/// A step of a training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "step")]
pub struct Step {
    /// Its number, from 0.
    pub step: u64,
    /// The epoch, from 0.
    pub epoch: u64,
    /// The batch within the epoch, from 0.
    pub batch: u64,
    /// Batches of an epoch.
    #[serde(skip)]
    pub batches: u64,
    /// The mean loss of the batch, before the step.
    pub loss: f64,
    /// Norm of the gradient before clipping; none if the step was skipped for an overflow.
    pub norm: Option<f64>,
    /// The learning rate.
    pub rate: f64,
    /// Samples per second since the training began or resumed.
    #[serde(skip)]
    pub samples_per_second: f64,
}

/// An epoch of a training.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
#[serde(tag = "kind", rename = "epoch")]
pub struct Epoch {
    /// Its number, from 0.
    pub epoch: u64,
    /// Steps so far.
    pub step: u64,
    /// Mean loss of its samples, each before its step.
    pub loss: f64,
    /// Validation loss, if computed.
    pub validation: Option<f64>,
    /// True if the validation loss is the smallest so far.
    pub best: bool,
}
