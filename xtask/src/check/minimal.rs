//! The workspace compiles with the oldest versions of its dependencies that the manifests allow.
//!
//! A copy of the workspace in `target/minimal` has its own lock file, with the minimal version of
//! every direct dependency. The committed lock file stays unchanged.

use crate::files::failed;
use crate::metadata::{self, folder, packages, target};
use crate::run::{Outcome, cargo_command, finish, root};
use serde_json::Value;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

/// Files and folders that the build needs besides the members.
const PARTS: [&str; 4] = ["Cargo.toml", "Cargo.lock", "README.md", "docs"];

pub(super) fn check() -> Outcome {
    let metadata = metadata::read()?;
    let target = target(&metadata);
    let copy = target.join("minimal");
    if copy.exists() {
        fs::remove_dir_all(&copy).map_err(failed(&copy))?;
    }
    fs::create_dir_all(&copy).map_err(failed(&copy))?;
    for part in PARTS.map(PathBuf::from).into_iter().chain(members(&metadata, &root())) {
        duplicate(&root().join(&part), &copy.join(&part)).map_err(failed(&part))?;
    }
    // The option is unstable; the build does not use it.
    let mut update = cargo_command();
    update.current_dir(&copy).env("RUSTC_BOOTSTRAP", "1");
    update.args(["update", "-Z", "direct-minimal-versions"]);
    finish(update, "cargo update -Z direct-minimal-versions")?;
    let mut check = cargo_command();
    check.current_dir(&copy).args(["check", "--workspace", "--all-features", "--locked"]);
    // Dependencies whose oldest version is the locked one are already compiled.
    check.arg("--target-dir").arg(&target);
    finish(check, "cargo check with the oldest versions")
}

/// Folders of the members, relative to the root.
fn members(metadata: &Value, root: &Path) -> Vec<PathBuf> {
    let folders = packages(metadata).map(folder);
    folders.filter_map(|folder| folder.strip_prefix(root).ok().map(PathBuf::from)).collect()
}

/// Copies a file or a folder with its content and their modification times, so that unchanged files
/// are not compiled again.
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
    fn a_copy_has_the_time_of_its_source() {
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

    #[test]
    fn members_are_relative_to_the_root() {
        let metadata = serde_json::json!({"packages": [
            {"manifest_path": "/w/crates/a/Cargo.toml"}, {"manifest_path": "/w/fuzz/Cargo.toml"},
        ]});
        let expected = ["crates/a", "fuzz"].map(PathBuf::from);
        assert_eq!(members(&metadata, Path::new("/w")), expected);
    }
}
