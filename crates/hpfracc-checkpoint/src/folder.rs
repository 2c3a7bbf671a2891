use crate::files::{replace, sync_folder};
use crate::{CheckpointError, Damage};
use std::ffi::OsStr;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

const ENDING: &str = ".checkpoint";
/// Extension of an unfinished checkpoint.
const PART: &str = ".checkpoint.part";

/// A folder of numbered checkpoints, of which the newest remain.
///
/// Checkpoints are atomic: written and synced to a temporary file, then renamed. The folder itself
/// does not exclude a second writer; [`lock`](crate::lock) a file for that.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CheckpointFolder {
    path: PathBuf,
    keep: NonZeroUsize,
}

/// The newest intact checkpoint of a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Newest<V> {
    /// Its state; none in a folder without checkpoints.
    pub state: Option<V>,
    /// Damaged files that are newer. [`lay_aside`](crate::lay_aside) renames them.
    pub damaged: Vec<(PathBuf, Damage)>,
}

impl CheckpointFolder {
    /// Opens or creates the folder, in which the newest `keep` checkpoints remain.
    ///
    /// # Errors
    /// [`CheckpointError::File`]
    pub fn open(path: impl Into<PathBuf>, keep: NonZeroUsize) -> Result<Self, CheckpointError> {
        let path = path.into();
        fs::create_dir_all(&path).map_err(CheckpointError::file("make", &path))?;
        path.parent().map_or(Ok(()), sync_folder)?;
        Ok(Self { path, keep })
    }

    /// The newest checkpoint that `read` accepts. Damaged ones are passed over if an older one is
    /// intact.
    ///
    /// # Errors
    /// [`CheckpointError::Damaged`] if all are damaged, any other error of `read` at once, and
    /// [`CheckpointError::File`].
    pub fn newest<V>(
        &self,
        mut read: impl FnMut(&Path, &[u8]) -> Result<V, CheckpointError>,
    ) -> Result<Newest<V>, CheckpointError> {
        let mut damaged = Vec::new();
        for path in self.list(ENDING)?.into_iter().rev() {
            let bytes = fs::read(&path).map_err(CheckpointError::file("read", &path))?;
            match read(&path, &bytes) {
                Ok(state) => return Ok(Newest { state: Some(state), damaged }),
                Err(CheckpointError::Damaged { path, damage }) => damaged.push((path, damage)),
                Err(error) => return Err(error),
            }
        }
        match damaged.pop() {
            None => Ok(Newest { state: None, damaged }),
            Some((path, damage)) => Err(CheckpointError::Damaged { path, damage }),
        }
    }

    /// Removes what a killed process leaves: unfinished checkpoints, and old ones that it had not
    /// removed yet. There must be no other writer.
    ///
    /// # Errors
    /// [`CheckpointError::File`]
    pub fn clear(&self) -> Result<(), CheckpointError> {
        for path in self.list(PART)? {
            fs::remove_file(&path).map_err(CheckpointError::file("remove", &path))?;
        }
        self.prune()
    }

    /// Writes a checkpoint, whose age is the order of its numbers, and removes the oldest ones.
    ///
    /// # Errors
    /// [`CheckpointError::File`]
    pub fn save(&self, numbers: &[u64], bytes: &[u8]) -> Result<PathBuf, CheckpointError> {
        // Twenty digits fit any number, so that names sort by number.
        let names: Vec<String> = numbers.iter().map(|number| format!("{number:020}")).collect();
        let path = self.path.join(format!("{}{ENDING}", names.join("-")));
        replace(&path, bytes)?;
        self.prune()?;
        Ok(path)
    }

    /// Files with an extension, oldest first.
    fn list(&self, ending: &str) -> Result<Vec<PathBuf>, CheckpointError> {
        let failed = || CheckpointError::file("read", &self.path);
        let mut found = Vec::new();
        for entry in fs::read_dir(&self.path).map_err(failed())? {
            let path = entry.map_err(failed())?.path();
            let ends = |name: &OsStr| name.as_encoded_bytes().ends_with(ending.as_bytes());
            if path.file_name().is_some_and(ends) {
                found.push(path);
            }
        }
        found.sort();
        Ok(found)
    }

    /// Removes all checkpoints but the newest ones that remain.
    fn prune(&self) -> Result<(), CheckpointError> {
        let all = self.list(ENDING)?;
        for old in &all[..all.len().saturating_sub(self.keep.get())] {
            fs::remove_file(old).map_err(CheckpointError::file("remove", old))?;
        }
        Ok(())
    }
}
