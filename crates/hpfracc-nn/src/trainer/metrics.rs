use super::error::TrainerError;
use serde::Serialize;
use serde_json::json;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// File of JSON objects, one for each line, written unbuffered by one process.
#[derive(Debug)]
pub(super) struct Metrics {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Metrics {
    /// Opens or creates the file, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, TrainerError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(TrainerError::file("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TrainerError::InUse { path: path.to_owned() });
            }
            // Some file systems have no locks: two processes are then not excluded.
            Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(TrainerError::file("lock", path)(e)),
        }
        Ok(Self { file, path: path.to_owned(), length: 0 })
    }

    /// Starts a file, which must be empty.
    pub(super) fn begin(&mut self) -> Result<(), TrainerError> {
        let found = self.file.metadata().map_err(TrainerError::file("read", &self.path))?.len();
        match found {
            0 => Ok(()),
            _ => Err(TrainerError::NoCheckpoint { path: self.path.clone(), found }),
        }
    }

    /// Truncates the file to `length` bytes; it must not be shorter.
    pub(super) fn rewind(&mut self, length: u64) -> Result<(), TrainerError> {
        let failed = |action| TrainerError::file(action, &self.path);
        let found = self.file.metadata().map_err(failed("read"))?.len();
        if found < length {
            let path = self.path.clone();
            return Err(TrainerError::Metrics { path, found, expected: length });
        }
        self.file.set_len(length).map_err(failed("cut"))?;
        self.file.seek(SeekFrom::Start(length)).map_err(failed("write"))?;
        self.length = length;
        Ok(())
    }

    /// Writes a record as a line, its names in alphabetical order.
    pub(super) fn write(&mut self, record: &impl Serialize) -> Result<(), TrainerError> {
        let line = format!("{}\n", json!(record));
        self.file.write_all(line.as_bytes()).map_err(TrainerError::file("write", &self.path))?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Syncs the file to disk; returns its length.
    pub(super) fn settle(&self) -> Result<u64, TrainerError> {
        self.file.sync_data().map_err(TrainerError::file("write", &self.path))?;
        Ok(self.length)
    }
}
