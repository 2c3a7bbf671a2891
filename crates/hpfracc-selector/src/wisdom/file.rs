//! Reading and replacing wisdom files.

use crate::error::WisdomError;
use serde::Serialize;
use std::fs::{self, File};
use std::io::{BufWriter, IntoInnerError, Read};
use std::path::Path;

/// Largest number of bytes read or written.
pub(super) const LONGEST: u64 = 64 << 20;

/// Reads a file of at most [`LONGEST`] bytes.
pub(super) fn read(path: &Path) -> Result<String, WisdomError> {
    let refuse = |source| WisdomError::File { path: path.to_owned(), source };
    let file = File::open(path).map_err(refuse)?;
    // The length that the file system reports may change, or be missing.
    let reported = file.metadata().map_or(0, |about| about.len()).min(LONGEST);
    let mut bytes = Vec::with_capacity(reported as usize + 1);
    file.take(LONGEST + 1).read_to_end(&mut bytes).map_err(refuse)?;
    let found = bytes.len() as u64;
    if found > LONGEST {
        return Err(WisdomError::Long { found, limit: LONGEST });
    }
    String::from_utf8(bytes)
        .map_err(|error| refuse(std::io::Error::new(std::io::ErrorKind::InvalidData, error)))
}

/// Locks out other writers until the file returned is dropped.
pub(super) fn lock(path: &Path) -> Result<File, WisdomError> {
    let lock_file_name = path.with_added_extension("lock");
    let refuse = |source| WisdomError::File { path: lock_file_name.clone(), source };
    let file = File::options().create(true).truncate(false).write(true).open(&lock_file_name);
    let file = file.map_err(refuse)?;
    file.lock().map_err(refuse)?;
    Ok(file)
}

/// Replaces the file atomically by a value as JSON: readers find the old text or the new one. The
/// caller holds the [`lock`], so that the temporary file has one writer, and the next one replaces
/// what a killed process has left of it.
pub(super) fn replace(path: &Path, value: &impl Serialize) -> Result<(), WisdomError> {
    let refuse = |source| WisdomError::File { path: path.to_owned(), source };
    let part = path.with_added_extension("part");
    let mut writer = BufWriter::new(File::create(&part).map_err(refuse)?);
    serde_json::to_writer(&mut writer, value).map_err(|error| refuse(error.into()))?;
    let file = writer.into_inner().map_err(IntoInnerError::into_error).map_err(refuse)?;
    file.sync_all().map_err(refuse)?;
    fs::rename(&part, path).map_err(refuse)
}
