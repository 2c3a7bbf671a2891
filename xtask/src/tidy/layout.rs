//! Rules about the folders of a crate: few entries on a level, and no cycles of modules.

use super::Complaint;
use crate::files::{entries, shown};
use crate::modules;
use crate::run::Outcome;
use std::path::Path;

/// Maximum number of files and folders in a folder.
const MAX_ENTRIES: usize = 14;

/// Folders of lists, with one file per entry.
const LISTS: [&str; 2] = ["definitions", "models"];

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut found = Vec::new();
    for src in modules::crates(root)? {
        let (shown, cycles) = (shown(&src, root), modules::of_crate(&src)?);
        found.extend(cycles.iter().map(|cycle| format!("{shown}: {cycle}")));
        crowded(&src, root, &mut found)?;
    }
    Ok(found)
}

/// Folders with too many entries, in `folder` and below it.
fn crowded(folder: &Path, root: &Path, found: &mut Vec<Complaint>) -> Outcome {
    let entries = entries(folder)?;
    let list = LISTS.iter().any(|name| folder.file_name().is_some_and(|own| own == *name));
    if entries.len() > MAX_ENTRIES && !list {
        let (shown, count) = (shown(folder, root), entries.len());
        found.push(format!("{shown}: {count} files and folders, more than {MAX_ENTRIES}"));
    }
    entries.iter().filter(|entry| entry.is_dir()).try_for_each(|entry| crowded(entry, root, found))
}
