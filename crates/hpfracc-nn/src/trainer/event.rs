use super::error::Damage;
use std::path::Path;

/// What an observer of a training is told.
///
/// In the metrics a step and an epoch are an object in a line each, without anything that depends on
/// the clock: the same training writes the same bytes, whatever came between.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A checkpoint that cannot be read, and is laid aside.
    Damaged {
        /// The file.
        path: &'a Path,
        /// What is wrong with it.
        damage: Damage,
    },
    /// Training goes on from a checkpoint.
    Resumed {
        /// Steps that it has.
        step: u64,
        /// Epochs that it has finished.
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
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step {
    /// Its number, from 0.
    pub step: u64,
    /// The epoch, from 0.
    pub epoch: u64,
    /// The batch within the epoch, from 0.
    pub batch: u64,
    /// Batches of an epoch.
    pub batches: u64,
    /// The mean loss of the batch, before the step.
    pub loss: f64,
    /// The norm of its gradient before clipping; none if the step was skipped for an overflow.
    pub norm: Option<f64>,
    /// The learning rate.
    pub rate: f64,
    /// Samples gone through in a second since training began or went on.
    pub samples_per_second: f64,
}

/// An epoch of a training.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Epoch {
    /// Its number, from 0.
    pub epoch: u64,
    /// Steps so far.
    pub step: u64,
    /// The mean of its samples' losses, each before the step that it took part in.
    pub loss: f64,
    /// The mean loss of the samples to judge by, if it was computed.
    pub validation: Option<f64>,
    /// Whether it is the smallest so far.
    pub best: bool,
}
