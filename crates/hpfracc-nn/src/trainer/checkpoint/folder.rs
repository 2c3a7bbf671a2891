use super::{Identity, read, write};
use crate::Scalar;
use crate::checks::at_least_one;
use crate::trainer::error::{Damage, TrainerError};
use crate::trainer::metrics::Metrics;
use crate::trainer::settings::Training;
use crate::trainer::state::State;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};

/// Folder of a training: the file `metrics.jsonl` and the folder `checkpoints`.
///
/// Checkpoints are atomic: written and synced to a temporary file, then renamed. A checkpoint is
/// the complete state of a training, so that a training killed at any moment ends with the same
/// bits after it is resumed; metrics after the checkpoint are rewritten.
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

    /// Opens the folder for a training; a new training requires an unused folder.
    pub(in crate::trainer) fn open(&self, resume: bool) -> Result<Open<'_>, TrainerError> {
        let steps = self.every.unwrap_or(1);
        at_least_one("every, the steps from one checkpoint to the next,", steps)?;
        at_least_one("keep, the number of checkpoints,", self.keep as u64)?;
        let folder = self.checkpoints();
        if !resume {
            let occupied = |path: &PathBuf| path.exists();
            if let Some(path) = [self.metrics(), folder.clone()].into_iter().find(occupied) {
                return Err(TrainerError::Occupied { path });
            }
        }
        fs::create_dir_all(&folder).map_err(TrainerError::file("make", &folder))?;
        let metrics = Metrics::open(&self.metrics())?;
        sync_folder(&self.path)?;
        Ok(Open { of: self, folder, metrics })
    }
}

/// A folder locked by a training.
pub(in crate::trainer) struct Open<'a> {
    of: &'a RunFolder,
    folder: PathBuf,
    pub(in crate::trainer) metrics: Metrics,
}

const ENDING: &str = ".checkpoint";
/// Extension of an unfinished checkpoint.
const PART: &str = ".checkpoint.part";

impl Open<'_> {
    /// The newest intact state, with the damaged files that are newer; none in an empty folder.
    #[expect(clippy::type_complexity, reason = "a state and the files passed over")]
    pub(in crate::trainer) fn newest<T: Scalar>(
        &mut self,
        identity: &Identity,
        training: &Training,
    ) -> Result<(Option<State<T>>, Vec<(PathBuf, Damage)>), TrainerError> {
        let mut damaged = Vec::new();
        for path in self.list(ENDING)?.into_iter().rev() {
            let bytes = fs::read(&path).map_err(TrainerError::file("read", &path))?;
            match read(identity, training, &path, &bytes) {
                Ok(state) => return Ok((Some(state), damaged)),
                Err(TrainerError::Damaged { path, damage }) => damaged.push((path, damage)),
                Err(error) => return Err(error),
            }
        }
        match damaged.pop() {
            None => Ok((None, damaged)),
            Some((path, damage)) => Err(TrainerError::Damaged { path, damage }),
        }
    }

    /// Removes what a killed training leaves: unfinished checkpoints, and those that it had not
    /// removed yet. The lock on the metrics excludes other writers.
    pub(in crate::trainer) fn clear(&self) -> Result<(), TrainerError> {
        for path in self.list(PART)? {
            fs::remove_file(&path).map_err(TrainerError::file("remove", &path))?;
        }
        self.prune()
    }

    /// Files with an extension, oldest first.
    fn list(&self, ending: &str) -> Result<Vec<PathBuf>, TrainerError> {
        let failed = || TrainerError::file("read", &self.folder);
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.folder).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            let ends = |name: &OsStr| name.as_encoded_bytes().ends_with(ending.as_bytes());
            if path.file_name().is_some_and(ends) {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }

    /// Writes a checkpoint and removes the oldest ones.
    pub(in crate::trainer) fn save<T: Scalar>(
        &mut self,
        identity: &Identity,
        state: &mut State<T>,
    ) -> Result<PathBuf, TrainerError> {
        state.metrics = self.metrics.settle()?;
        // Twenty digits fit any number, so that names sort by step.
        let path = self.folder.join(format!("{:020}-{:020}{ENDING}", state.epoch, state.step));
        write_file(&path, &write(identity, state))?;
        self.prune()?;
        Ok(path)
    }

    /// Removes all checkpoints but the newest ones that remain.
    fn prune(&self) -> Result<(), TrainerError> {
        let all = self.list(ENDING)?;
        for old in &all[..all.len().saturating_sub(self.of.keep)] {
            fs::remove_file(old).map_err(TrainerError::file("remove", old))?;
        }
        Ok(())
    }

    /// True if a checkpoint is due within an epoch.
    pub(in crate::trainer) fn due(&self, step: u64) -> bool {
        self.of.every.is_some_and(|every| step.is_multiple_of(every))
    }
}

/// Renames a damaged file, so that it is not overwritten.
pub(in crate::trainer) fn lay_aside(path: &Path) -> Result<(), TrainerError> {
    let mut name = path.as_os_str().to_owned();
    name.push(".damaged");
    fs::rename(path, name).map_err(TrainerError::file("rename", path))
}

/// Writes a file atomically, and syncs it to disk.
fn write_file(path: &Path, bytes: &[u8]) -> Result<(), TrainerError> {
    let failed = |action| TrainerError::file(action, path);
    let mut beside = path.as_os_str().to_owned();
    beside.push(".part");
    let write = || {
        let mut file = File::create(&beside)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(failed("write"))?;
    fs::rename(&beside, path).map_err(failed("rename"))?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Syncs the names in a folder to disk; only supported on Unix.
fn sync_folder(folder: &Path) -> Result<(), TrainerError> {
    if cfg!(not(unix)) || folder.as_os_str().is_empty() {
        return Ok(());
    }
    let folder_of = File::open(folder).and_then(|folder| folder.sync_all());
    folder_of.map_err(TrainerError::file("write", folder))
}
