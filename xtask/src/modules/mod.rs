//! Cyclic dependencies between the files of a crate, with the names that cause them.

mod cycles;
mod graph;
mod source;
mod tokens;

use crate::files::entries;
use crate::run::{Outcome, root};
use cycles::Cycle;
use std::path::{Path, PathBuf};

/// Prints the cycles of one crate, given by its name or its folder of sources, or of all crates.
pub(crate) fn run(args: &[&str]) -> Outcome {
    let folders = match args {
        [] => crates(&root())?,
        [one] if Path::new(one).is_dir() => vec![PathBuf::from(one)],
        [one] => vec![root().join("crates").join(one).join("src")],
        _ => return Err("usage: cargo xtask cycles [CRATE | FOLDER OF SOURCES]".to_owned()),
    };
    for folder in folders {
        let found = of_crate(&folder)?;
        println!("{}: {} cycles", folder.display(), found.len());
        for cycle in found {
            println!("  {cycle}");
        }
    }
    Ok(())
}

/// Cycles of the crate with the folder of sources `src`.
pub(crate) fn of_crate(src: &Path) -> Result<Vec<Cycle>, String> {
    let graph = graph::read(src)?;
    let mut found = cycles::of_files(&graph);
    found.extend(cycles::of_folders(&graph));
    found.extend(cycles::upward(&graph));
    Ok(found)
}

/// Folders of the sources of all crates, sorted.
pub(crate) fn crates(root: &Path) -> Result<Vec<PathBuf>, String> {
    Ok(entries(&root.join("crates"))?.iter().map(|folder| folder.join("src")).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicU32, Ordering};

    static FOLDERS: AtomicU32 = AtomicU32::new(0);

    /// Graph of a crate with these files.
    pub(super) fn graph(files: &[(&str, &str)]) -> graph::Graph {
        let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
        let unique = format!("hpfracc-modules-{}-{number}", std::process::id());
        let src = std::env::temp_dir().join(unique);
        for (path, text) in files {
            let path = src.join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let graph = graph::read(&src).unwrap();
        std::fs::remove_dir_all(&src).unwrap();
        graph
    }
}
