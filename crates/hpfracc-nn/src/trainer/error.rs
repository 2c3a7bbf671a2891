use super::RecordError;
use crate::{OptimiserError, TrainingError};
use std::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Why training cannot begin or go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainerError {
    /// The loss or its gradient cannot be computed, or is not finite. The last checkpoint stays.
    #[error("{at}: {source}{}", Culprit(at.culprit.as_deref()))]
    Batch {
        /// Where it happened.
        at: Box<At>,
        /// What happened.
        source: TrainingError,
    },
    /// An objective that cannot be trained at all.
    #[error(transparent)]
    Objective(#[from] TrainingError),
    /// A setting of the optimiser or the schedule, or a step it refuses.
    #[error(transparent)]
    Optimiser(#[from] OptimiserError),
    /// A record that cannot be trained on.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// Another setting out of its range.
    #[error("{what} is {value}, expected {expected}")]
    Setting {
        /// Its name.
        what: String,
        /// Its value.
        value: f64,
        /// The range, in words.
        expected: String,
    },
    /// A folder or a file that cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// What was to be done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A folder that another training has written to already.
    #[error("{} is there already: resume that training, or name another folder", path.display())]
    Occupied {
        /// What is there.
        path: PathBuf,
    },
    /// A folder that another process trains in now.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The file that it holds.
        path: PathBuf,
    },
    /// A file that is damaged, and no other in its place.
    #[error("{} {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        damage: Damage,
    },
    /// A file of another version of this format.
    #[error("{} has the version {found}, this program knows {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The version known.
        expected: u32,
    },
    /// A file of another training or another model.
    #[error("{} is of another training: {what} was {found}, now it is {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        what: String,
        /// What the file has.
        found: String,
        /// What the training has.
        expected: String,
    },
    /// Metrics of a training that has left no checkpoint.
    #[error(
        "{} has {found} bytes, but there is no checkpoint to go on from: name another folder",
        path.display()
    )]
    NoCheckpoint {
        /// The file of metrics.
        path: PathBuf,
        /// Its length.
        found: u64,
    },
    /// A fact that is given twice, or is one of the training's own.
    #[error("the fact `{fact}` is given twice")]
    Twice {
        /// Its name.
        fact: String,
    },
    /// Metrics that end before the checkpoint does.
    #[error("{} has {found} bytes, fewer than the {expected} of the checkpoint", path.display())]
    Metrics {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The length it had.
        expected: u64,
    },
}

struct Culprit<'a>(Option<&'a str>);

impl fmt::Display for Culprit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |culprit| write!(f, "; the first that is not finite is `{culprit}`"))
    }
}

/// Where in a training something happened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The epoch, from 0.
    pub epoch: u64,
    /// The batch within the epoch, or within the validation after it, from 0.
    pub batch: u64,
    /// Whether it was a validation.
    pub validation: bool,
    /// The numbers of the batch's samples.
    pub samples: Vec<usize>,
    /// The first layer or quantity that was not finite, if it is known.
    pub culprit: Option<String>,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// As many samples are named.
        const NAMED: usize = 8;
        let Self { epoch, batch, validation, samples, .. } = self;
        let place = if *validation { "validation after epoch" } else { "epoch" };
        write!(f, "{place} {epoch}, batch {batch} (samples")?;
        samples.iter().take(NAMED).try_for_each(|sample| write!(f, " {sample}"))?;
        match samples.len().saturating_sub(NAMED) {
            0 => write!(f, ")"),
            more => write!(f, " and {more} more)"),
        }
    }
}

impl TrainerError {
    pub(super) fn setting(what: &str, value: f64, expected: &str) -> Self {
        Self::Setting { what: what.to_owned(), value, expected: expected.to_owned() }
    }

    /// Of a file, as the system says it.
    pub(super) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}

/// Why bytes cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Damage {
    /// There are fewer bytes than there should be, or more.
    #[error("has {found} bytes, expected {expected}")]
    Length {
        /// The bytes there are.
        found: u64,
        /// The bytes there should be.
        expected: u64,
    },
    /// Another kind of file.
    #[error("begins with other bytes than a file of its kind")]
    Kind,
    /// Bytes have changed.
    #[error("has the checksum {found:016x}, expected {expected:016x}")]
    Checksum {
        /// That of the bytes.
        found: u64,
        /// The one that was written.
        expected: u64,
    },
    /// The checksum is right and the contents are not: written by a program with an error.
    #[error("does not contain what its version has")]
    Contents,
}
