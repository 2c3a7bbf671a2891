use super::RecordError;
use crate::{OptimiserError, OutOfRange, TrainingError};
use hpfracc_checkpoint::{CheckpointError, Damage};
use hpfracc_communicator::CommunicatorError;
use hpfracc_types::MemoryError;
use std::fmt;
use std::io;
use std::path::PathBuf;
use thiserror::Error;

/// Error of a training.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TrainerError {
    /// The loss or its gradient cannot be computed, or is not finite. The last checkpoint stays.
    #[error("{at}: {source}{}", Culprit(at.culprit.as_deref()))]
    Batch {
        /// Position in the training.
        at: Box<At>,
        /// Cause.
        source: TrainingError,
    },
    /// An invalid objective.
    #[error(transparent)]
    Objective(#[from] TrainingError),
    /// Ranks with different trainings, ranks that do not work together, or an error of another
    /// rank, such as that of a file of rank 0.
    #[error(transparent)]
    Ranks(#[from] CommunicatorError),
    /// A step that the optimiser rejects, or a setting out of the range of its scalar.
    #[error(transparent)]
    Optimiser(#[from] OptimiserError),
    /// A training that needs more memory than is available.
    #[error("the parameters and their optimiser: {0}")]
    Memory(#[from] MemoryError),
    /// A time series that cannot be standardised.
    #[error(transparent)]
    Record(#[from] RecordError),
    /// A setting outside its range.
    #[error(transparent)]
    OutOfRange(#[from] OutOfRange),
    /// A folder or a file that cannot be read or written.
    #[error("cannot {action} {}: {source}", path.display())]
    File {
        /// The action.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// I/O error.
        source: io::Error,
    },
    /// A folder with another training.
    #[error("{} exists already: resume that training, or choose another folder", path.display())]
    Occupied {
        /// The existing file.
        path: PathBuf,
    },
    /// A folder in use by another process.
    #[error("{} is in use by another process", path.display())]
    InUse {
        /// The locked file.
        path: PathBuf,
    },
    /// A damaged file without an intact alternative.
    #[error("{} {damage}", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The damage.
        damage: Damage,
    },
    /// A file in another version of the format.
    #[error("{} has the version {found}, expected {expected}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
        /// The expected version.
        expected: u32,
    },
    /// A file of another training or model.
    #[error("{} is of another training: {what} was {found}, now it is {expected}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// The difference.
        what: String,
        /// Value in the file.
        found: String,
        /// Value in the training.
        expected: String,
    },
    /// Metrics without a checkpoint.
    #[error(
        "{} has {found} bytes, but there is no checkpoint to resume from: choose another folder",
        path.display()
    )]
    NoCheckpoint {
        /// The file of metrics.
        path: PathBuf,
        /// Its length.
        found: u64,
    },
    /// A duplicate fact.
    #[error("the fact `{fact}` is given twice")]
    Twice {
        /// Its name.
        fact: String,
    },
    /// Metrics shorter than the checkpoint records.
    #[error("{} has {found} bytes, fewer than the {expected} of the checkpoint", path.display())]
    Metrics {
        /// The file.
        path: PathBuf,
        /// Its length.
        found: u64,
        /// The recorded length.
        expected: u64,
    },
}

struct Culprit<'a>(Option<&'a str>);

impl fmt::Display for Culprit<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.map_or(Ok(()), |culprit| write!(f, "; the first that is not finite is `{culprit}`"))
    }
}

/// Position in a training.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct At {
    /// The epoch, from 0.
    pub epoch: u64,
    /// The batch within the epoch or its validation, from 0.
    pub batch: u64,
    /// True for a validation.
    pub validation: bool,
    /// Indices of the batch's samples.
    pub samples: Vec<usize>,
    /// The first layer or quantity that was not finite, if known.
    pub culprit: Option<String>,
}

impl fmt::Display for At {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        /// Largest number of samples in the message.
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
    pub(super) fn file(
        action: &'static str,
        path: impl Into<PathBuf>,
    ) -> impl FnOnce(io::Error) -> Self {
        let path = path.into();
        move |source| Self::File { action, path, source }
    }
}

impl From<CheckpointError> for TrainerError {
    fn from(error: CheckpointError) -> Self {
        match error {
            CheckpointError::File { action, path, source } => Self::File { action, path, source },
            CheckpointError::InUse { path } => Self::InUse { path },
            CheckpointError::Damaged { path, damage } => Self::Damaged { path, damage },
            CheckpointError::Version { path, found, expected } => {
                Self::Version { path, found, expected }
            }
            CheckpointError::Foreign { path, what, found, expected } => {
                Self::Foreign { path, what, found, expected }
            }
            CheckpointError::Twice { fact } => Self::Twice { fact },
        }
    }
}
