//! Rules about the folders of a crate: few entries on one level, and no circles of modules.

use super::Complaint;
use crate::modules;
use std::path::Path;

/// Most files and folders that one folder holds.
const MAX_ENTRIES: usize = 14;

/// Folders with an entry for each thing of a kind.
const LISTS: [&str; 2] = ["definitions", "models"];

/// Crates that still have circles of modules. The list only gets shorter.
const CIRCLES_LEFT: [&str; 1] = ["hpfracc-cli"];

/// Crates that still have folders with more entries. The list only gets shorter.
const ENTRIES_LEFT: [&str; 1] = ["hpfracc-cli"];

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut found = Vec::new();
    for src in modules::crates(root)? {
        let shown = src.strip_prefix(root).unwrap_or(&src).display().to_string();
        let listed = |list: &[&str]| list.iter().any(|name| shown == format!("crates/{name}/src"));
        if !listed(&CIRCLES_LEFT) {
            let circles = modules::of_crate(&src)?;
            found.extend(circles.iter().map(|circle| format!("{shown}: {circle}")));
        }
        if !listed(&ENTRIES_LEFT) {
            crowded(&src, &shown, &mut found)?;
        }
    }
    Ok(found)
}

/// Folders with too many entries, in `folder` and below it.
fn crowded(folder: &Path, shown: &str, found: &mut Vec<Complaint>) -> Result<(), String> {
    let failed = |error: std::io::Error| format!("{shown}: {error}");
    let mut entries = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(failed)? {
        entries.push(entry.map_err(failed)?.path());
    }
    entries.sort();
    let list = LISTS.iter().any(|name| folder.file_name().is_some_and(|own| own == *name));
    if entries.len() > MAX_ENTRIES && !list {
        let count = entries.len();
        found.push(format!("{shown}: {count} files and folders, more than {MAX_ENTRIES}"));
    }
    for entry in entries.iter().filter(|entry| entry.is_dir()) {
        let name = entry.file_name().unwrap_or_default().display();
        crowded(entry, &format!("{shown}/{name}"), found)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_with_many_entries_is_found() {
        let temporary = std::env::temp_dir().join(format!("hpfracc-layout-{}", std::process::id()));
        for (folder, entries) in [("a", 14), ("a/b", 15), ("a/models", 20)] {
            let folder = temporary.join(folder);
            std::fs::create_dir_all(&folder).unwrap();
            let own = std::fs::read_dir(&folder).unwrap().count();
            for entry in own..entries - usize::from(folder.ends_with("a")) * 2 {
                std::fs::write(folder.join(format!("{entry}.rs")), "").unwrap();
            }
        }
        let mut found = Vec::new();
        crowded(&temporary, "src", &mut found).unwrap();
        std::fs::remove_dir_all(&temporary).unwrap();
        assert_eq!(found, ["src/a/b: 15 files and folders, more than 14"]);
    }
}
