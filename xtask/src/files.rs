//! Files and folders; an error names the path.

use crate::run::Outcome;
use std::fs;
use std::io::Error;
use std::path::{Path, PathBuf};

/// Message of an I/O error at this path.
pub(crate) fn failed(path: &Path) -> impl Fn(Error) -> String {
    let shown = path.display().to_string();
    move |error| format!("{shown}: {error}")
}

/// Text of a file.
pub(crate) fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(failed(path))
}

/// Writes a file; creates its folder.
pub(crate) fn write(path: &Path, contents: impl AsRef<[u8]>) -> Outcome {
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(failed(path))?;
    fs::write(path, contents).map_err(failed(path))
}

/// Paths of the files and folders in a folder, sorted.
pub(crate) fn entries(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let listing = fs::read_dir(folder).map_err(failed(folder))?;
    let paths: Result<Vec<PathBuf>, Error> = listing.map(|entry| Ok(entry?.path())).collect();
    let mut paths = paths.map_err(failed(folder))?;
    paths.sort();
    Ok(paths)
}

/// Files with one of these extensions, in a folder and below it, sorted within each folder.
pub(crate) fn below(folder: &Path, extensions: &[&str]) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for path in entries(folder)? {
        if path.is_dir() {
            found.extend(below(&path, extensions)?);
        } else if has_extension(&path, extensions) {
            found.push(path);
        }
    }
    Ok(found)
}

/// Whether the file name ends with one of these extensions.
pub(crate) fn has_extension(path: &Path, extensions: &[&str]) -> bool {
    path.extension().is_some_and(|own| extensions.iter().any(|extension| own == *extension))
}

/// Last part of a path as text.
pub(crate) fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Path as shown in messages: relative to the root of the workspace.
pub(crate) fn shown(path: &Path, root: &Path) -> String {
    path.strip_prefix(root).unwrap_or(path).display().to_string()
}
