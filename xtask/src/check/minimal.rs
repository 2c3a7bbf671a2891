//! The oldest versions that the manifests admit are enough.
//!
//! A copy of the workspace under `target/minimal` has a lock file of its own, in which every direct
//! dependency is as old as it may be. The committed one is never touched.

use crate::metadata::{self, target};
use crate::run::{Outcome, cargo_command, finish, root};
use std::fs::{self, File};
use std::path::Path;

/// What the build of a workspace takes.
const PARTS: [&str; 8] =
    ["Cargo.toml", "Cargo.lock", "README.md", "docs", "crates", "xtask", "benches", "examples"];

pub(super) fn check() -> Outcome {
    let target = target(&metadata::read()?);
    let copy = target.join("minimal");
    let failed = |error| format!("{}: {error}", copy.display());
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(failed)?;
    }
    fs::create_dir_all(&copy).map_err(failed)?;
    for part in PARTS {
        duplicate(&root().join(part), &copy.join(part)).map_err(|e| format!("{part}: {e}"))?;
    }
    // An option that only unreleased compilers have by themselves; the build is without it.
    let mut update = cargo_command();
    update.current_dir(&copy).env("RUSTC_BOOTSTRAP", "1");
    update.args(["update", "-Z", "direct-minimal-versions"]);
    finish(update, "cargo update -Z direct-minimal-versions")?;
    let mut check = cargo_command();
    check.current_dir(&copy).args(["check", "--workspace", "--all-features", "--locked"]);
    // Dependencies whose oldest version is the locked one too are built already.
    check.arg("--target-dir").arg(&target);
    finish(check, "cargo check with the oldest versions")
}

/// Copies a file, or a folder with all in it, with the times at which they were changed: what has
/// not changed since the last build is not built again.
fn duplicate(from: &Path, to: &Path) -> std::io::Result<()> {
    if from.is_dir() {
        fs::create_dir_all(to)?;
        for entry in fs::read_dir(from)? {
            let entry = entry?;
            duplicate(&entry.path(), &to.join(entry.file_name()))?;
        }
        return Ok(());
    }
    fs::copy(from, to)?;
    File::options().write(true).open(to)?.set_modified(fs::metadata(from)?.modified()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_is_as_old_as_its_source() {
        let folder = std::env::temp_dir().join(format!("hpfracc-copy-{}", std::process::id()));
        let (from, to) = (folder.join("from"), folder.join("to"));
        fs::create_dir_all(from.join("inner")).unwrap();
        fs::write(from.join("inner/a.rs"), "1").unwrap();
        let long_ago = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1 << 30);
        File::options()
            .write(true)
            .open(from.join("inner/a.rs"))
            .and_then(|file| file.set_modified(long_ago))
            .unwrap();
        duplicate(&from, &to).unwrap();
        assert_eq!(fs::read_to_string(to.join("inner/a.rs")).unwrap(), "1");
        assert_eq!(fs::metadata(to.join("inner/a.rs")).unwrap().modified().unwrap(), long_ago);
        fs::remove_dir_all(&folder).unwrap();
    }
}
