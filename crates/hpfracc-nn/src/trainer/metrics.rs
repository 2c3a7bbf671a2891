use super::error::TrainerError;
use hpfracc_checkpoint::{Damage, crc64_append, lock};
use serde::Serialize;
use serde_json::json;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// File of JSON objects, one for each line, written unbuffered by one process.
#[derive(Debug)]
pub(super) struct Metrics {
    file: File,
    path: PathBuf,
    written: Settled,
}

/// Length and checksum of what is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Settled {
    pub(super) length: u64,
    pub(super) checksum: u64,
}

impl Settled {
    fn append(&mut self, bytes: &[u8]) {
        self.length += bytes.len() as u64;
        self.checksum = crc64_append(self.checksum, bytes);
    }
}

impl Metrics {
    /// Opens or creates the file, and locks it.
    pub(super) fn open(path: &Path) -> Result<Self, TrainerError> {
        Ok(Self { file: lock(path)?, path: path.to_owned(), written: Settled::default() })
    }

    /// Starts a file, which must be empty.
    pub(super) fn begin(&mut self) -> Result<(), TrainerError> {
        let found = self.file.metadata().map_err(TrainerError::file("read", &self.path))?.len();
        match found {
            0 => Ok(()),
            _ => Err(TrainerError::NoCheckpoint { path: self.path.clone(), found }),
        }
    }

    /// Truncates the file to what was settled; it must not be shorter, nor have other bytes.
    pub(super) fn rewind(&mut self, settled: Settled) -> Result<(), TrainerError> {
        let failed = |action| TrainerError::file(action, &self.path);
        let Settled { length, checksum: expected } = settled;
        let found = self.file.metadata().map_err(failed("read"))?.len();
        if found < length {
            let path = self.path.clone();
            return Err(TrainerError::Metrics { path, found, expected: length });
        }
        self.file.seek(SeekFrom::Start(0)).map_err(failed("read"))?;
        let (mut read, mut bytes) = (Settled::default(), vec![0; 1 << 16]);
        while read.length < length {
            let most = bytes.len().min((length - read.length) as usize);
            self.file.read_exact(&mut bytes[..most]).map_err(failed("read"))?;
            read.append(&bytes[..most]);
        }
        if read.checksum != expected {
            let damage = Damage::Checksum { found: read.checksum, expected };
            return Err(TrainerError::Damaged { path: self.path.clone(), damage });
        }
        self.file.set_len(length).map_err(failed("cut"))?;
        self.written = settled;
        Ok(())
    }

    /// Writes a record as a line, its names in alphabetical order.
    pub(super) fn write(&mut self, record: &impl Serialize) -> Result<(), TrainerError> {
        let line = format!("{}\n", json!(record));
        self.file.write_all(line.as_bytes()).map_err(TrainerError::file("write", &self.path))?;
        self.written.append(line.as_bytes());
        Ok(())
    }

    /// Syncs the file to disk.
    pub(super) fn settle(&self) -> Result<Settled, TrainerError> {
        self.file.sync_data().map_err(TrainerError::file("write", &self.path))?;
        Ok(self.written)
    }
}
