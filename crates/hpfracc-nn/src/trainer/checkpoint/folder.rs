use super::{Identity, read, write};
use crate::checks::at_least_one;
use crate::trainer::error::TrainerError;
use crate::trainer::event::Event;
use crate::trainer::metrics::Metrics;
use crate::trainer::settings::Training;
use crate::trainer::state::State;
use crate::{OutOfRange, Scalar};
use hpfracc_checkpoint::{CheckpointFolder, Newest, lay_aside, sync_folder};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

/// Folder of a training: the file `metrics.jsonl` and the folder `checkpoints`.
///
/// Checkpoints are sealed and atomic (see [`hpfracc_checkpoint`]). A checkpoint is the complete state
/// of a training, so that a training killed at any moment ends with the same bits after it is
/// resumed; metrics after the checkpoint are rewritten.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RunFolder {
    /// The folder; created if it does not exist.
    pub path: PathBuf,
    /// Steps between checkpoints, at least 1, besides those at the start and after every epoch.
    pub every: Option<u64>,
    /// Number of newest checkpoints that remain, at least 1.
    pub keep: usize,
}

impl RunFolder {
    /// A folder with a checkpoint for each of the last three epochs.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self { path: path.into(), every: None, keep: 3 }
    }

    /// The file of metrics.
    pub fn metrics(&self) -> PathBuf {
        self.path.join("metrics.jsonl")
    }

    /// The folder of checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.path.join("checkpoints")
    }

    /// True if a checkpoint is due within an epoch.
    pub(in crate::trainer) fn due(&self, step: u64) -> bool {
        self.every.is_some_and(|every| step.is_multiple_of(every))
    }

    /// Opens the folder for a training; a new training requires an unused folder.
    pub(in crate::trainer) fn open(&self, resume: bool) -> Result<Open, TrainerError> {
        let steps = self.every.unwrap_or(1);
        at_least_one("every, the steps from one checkpoint to the next,", steps)?;
        let what = "keep, the number of checkpoints,";
        let keep = NonZeroUsize::new(self.keep);
        let keep = keep.ok_or_else(|| OutOfRange::new(what, self.keep, "at least 1"))?;
        let folder = self.checkpoints();
        if !resume {
            let occupied = |path: &PathBuf| path.exists();
            if let Some(path) = [self.metrics(), folder.clone()].into_iter().find(occupied) {
                return Err(TrainerError::Occupied { path });
            }
        }
        let folder = CheckpointFolder::open(folder, keep)?;
        let metrics = Metrics::open(&self.metrics())?;
        sync_folder(&self.path)?;
        Ok(Open { folder, metrics })
    }
}

/// A folder locked by a training.
pub(in crate::trainer) struct Open {
    folder: CheckpointFolder,
    /// The lock on the metrics excludes other writers.
    pub(in crate::trainer) metrics: Metrics,
}

impl Open {
    /// Resumes the newest intact checkpoint, or begins the folder; true for a checkpoint. Damaged files
    /// that are newer are laid aside, and what a killed training leaves is removed.
    pub(in crate::trainer) fn resume<T: Scalar>(
        &mut self,
        (identity, training): (&Identity, &Training),
        state: &mut State<T>,
        tell: &mut dyn FnMut(&Event<'_>),
    ) -> Result<bool, TrainerError> {
        let read = |path: &Path, bytes: &[u8]| read(identity, training, path, bytes);
        let Newest { state: newest, damaged } = self.folder.newest(read)?;
        for (path, damage) in damaged {
            lay_aside(&path)?;
            tell(&Event::Damaged { path: &path, damage });
        }
        self.folder.clear()?;
        let Some(newest) = newest else {
            self.metrics.begin()?;
            let path = self.save(identity, state)?;
            tell(&Event::Saved { path: &path });
            return Ok(false);
        };
        *state = newest;
        self.metrics.rewind(state.metrics)?;
        tell(&Event::Resumed { step: state.step, epoch: state.epoch });
        Ok(true)
    }

    /// Writes a checkpoint and removes the oldest ones.
    pub(in crate::trainer) fn save<T: Scalar>(
        &mut self,
        identity: &Identity,
        state: &mut State<T>,
    ) -> Result<PathBuf, TrainerError> {
        state.metrics = self.metrics.settle()?;
        Ok(self.folder.save(&[state.epoch, state.step], &write(identity, state))?)
    }
}
