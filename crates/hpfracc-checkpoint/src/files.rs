//! Single files: locked, replaced atomically, renamed when damaged.

use crate::CheckpointError;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Write};
use std::path::Path;

/// Opens or creates a file for reading and writing, and locks it until it is dropped.
///
/// Some file systems have no locks: two processes are then not excluded.
///
/// # Errors
/// [`CheckpointError::InUse`] if another process has the lock, [`CheckpointError::File`].
pub fn lock(path: &Path) -> Result<File, CheckpointError> {
    let mut options = OpenOptions::new();
    let file = options.read(true).write(true).create(true).truncate(false).open(path);
    let file = file.map_err(CheckpointError::file("open", path))?;
    match file.try_lock() {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(CheckpointError::InUse { path: path.to_owned() }),
        Err(TryLockError::Error(e)) if e.kind() == ErrorKind::Unsupported => Ok(file),
        Err(TryLockError::Error(e)) => Err(CheckpointError::file("lock", path)(e)),
    }
}

/// Replaces a file atomically, and syncs it to disk: after a kill it has the old bytes or the new
/// ones. The temporary file has the same name with `.part` appended.
///
/// # Errors
/// [`CheckpointError::File`]
pub fn replace(path: &Path, bytes: &[u8]) -> Result<(), CheckpointError> {
    let failed = |action| CheckpointError::file(action, path);
    let part = path.with_added_extension("part");
    let write = || {
        let mut file = File::create(&part)?;
        file.write_all(bytes)?;
        file.sync_all()
    };
    write().map_err(failed("write"))?;
    fs::rename(&part, path).map_err(failed("rename"))?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Renames a damaged file to its name with `.damaged` appended, so that it is not overwritten.
///
/// # Errors
/// [`CheckpointError::File`]
pub fn lay_aside(path: &Path) -> Result<(), CheckpointError> {
    let aside = path.with_added_extension("damaged");
    fs::rename(path, aside).map_err(CheckpointError::file("rename", path))
}

/// Syncs the names in a folder to disk; only supported on Unix.
///
/// # Errors
/// [`CheckpointError::File`]
pub fn sync_folder(folder: &Path) -> Result<(), CheckpointError> {
    if cfg!(not(unix)) || folder.as_os_str().is_empty() {
        return Ok(());
    }
    let synced = File::open(folder).and_then(|folder| folder.sync_all());
    synced.map_err(CheckpointError::file("write", folder))
}
