//! Committed inputs.

use crate::Target;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Folder of the inputs, with one folder per target.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Names and bytes of the inputs of a target, sorted by name.
///
/// # Errors
/// I/O errors.
pub fn inputs(target: &Target) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder().join(target.name))? {
        let entry = entry?;
        inputs.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?));
    }
    inputs.sort();
    Ok(inputs)
}
