use super::error::TrainerError;
use super::event::{Epoch, Step};
use serde_json::{Value, json};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// A file of JSON objects, one in a line, that is written to without delay, by one process.
#[derive(Debug)]
pub(super) struct Metrics {
    file: File,
    path: PathBuf,
    length: u64,
}

impl Metrics {
    /// Opens the file, or makes it, and keeps others from doing so.
    pub(super) fn open(path: &Path) -> Result<Self, TrainerError> {
        let mut options = OpenOptions::new();
        let file = options.read(true).write(true).create(true).truncate(false).open(path);
        let file = file.map_err(TrainerError::file("open", path))?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(TrainerError::InUse { path: path.to_owned() });
            }
            // Some file systems have no locks; then nothing keeps two processes apart.
            Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => {}
            Err(TryLockError::Error(e)) => return Err(TrainerError::file("lock", path)(e)),
        }
        Ok(Self { file, path: path.to_owned(), length: 0 })
    }

    /// Begins a file that must be empty.
    pub(super) fn begin(&mut self) -> Result<(), TrainerError> {
        let found = self.file.metadata().map_err(TrainerError::file("read", &self.path))?.len();
        match found {
            0 => Ok(()),
            _ => Err(TrainerError::NoCheckpoint { path: self.path.clone(), found }),
        }
    }

    /// Cuts off what comes after so many bytes, of which there must be no fewer.
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

    pub(super) fn step(&mut self, record: &Step) -> Result<(), TrainerError> {
        let Step { step, epoch, batch, loss, norm, rate, .. } = record;
        self.write(&json!({
            "kind": "step", "step": step, "epoch": epoch, "batch": batch, "loss": loss,
            "norm": norm, "rate": rate,
        }))
    }

    pub(super) fn epoch(&mut self, record: &Epoch) -> Result<(), TrainerError> {
        let Epoch { epoch, step, loss, validation, best } = record;
        self.write(&json!({
            "kind": "epoch", "epoch": epoch, "step": step, "loss": loss,
            "validation": validation, "best": best,
        }))
    }

    fn write(&mut self, record: &Value) -> Result<(), TrainerError> {
        let line = format!("{record}\n");
        self.file.write_all(line.as_bytes()).map_err(TrainerError::file("write", &self.path))?;
        self.length += line.len() as u64;
        Ok(())
    }

    /// Makes what was written last, and tells how long it is.
    pub(super) fn settle(&self) -> Result<u64, TrainerError> {
        self.file.sync_data().map_err(TrainerError::file("write", &self.path))?;
        Ok(self.length)
    }
}
