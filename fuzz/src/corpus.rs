//! The inputs that are kept.

use crate::Target;
use std::path::{Path, PathBuf};
use std::{fs, io};

/// Where they lie, a folder for each target.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus")
}

/// Names and bytes of a target's inputs, in the order of the names.
///
/// # Errors
/// If the folder or a file cannot be read.
pub fn inputs(target: &Target) -> io::Result<Vec<(String, Vec<u8>)>> {
    let mut inputs = Vec::new();
    for entry in fs::read_dir(folder().join(target.name))? {
        let entry = entry?;
        inputs.push((entry.file_name().to_string_lossy().into_owned(), fs::read(entry.path())?));
    }
    inputs.sort();
    Ok(inputs)
}
