//! Programs of the stages: built here, or copied to a folder for another machine.

use super::stages::{BENCHES, TESTS};
use crate::files::{failed, read, write};
use crate::run::{Outcome, cargo_command, executables, root};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// File with the origin of the programs in their folder.
const ORIGIN: &str = "origin.json";

/// Programs by name, and what they were built from.
pub(super) struct Programs {
    paths: BTreeMap<String, PathBuf>,
    pub(super) origin: Value,
}

impl Programs {
    pub(super) fn path(&self, name: &str) -> Result<PathBuf, String> {
        self.paths.get(name).cloned().ok_or_else(|| format!("there is no program `{name}`"))
    }
}

/// Builds the programs in one call of cargo, so that they share their dependencies.
pub(super) fn programs() -> Result<Programs, String> {
    let mut command = cargo_command();
    command.args(["build", "--release", "--locked", "--message-format=json-render-diagnostics"]);
    command.args(["-p", BENCHES, "--bin", BENCHES, "--features", "hpfracc-benches/gpu"]);
    command.args(["-p", "hpfracc-wgpu", "-p", "hpfracc", "--features", "hpfracc/gpu"]);
    command.args(TESTS.iter().flat_map(|test| ["--test", test]));
    eprintln!("> cargo build --release (benches, tests of shaders)");
    let output = command.stderr(Stdio::inherit()).output();
    let output = output.map_err(|error| format!("cargo did not start: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo build failed: {}", output.status));
    }
    let messages = String::from_utf8_lossy(&output.stdout);
    let paths = executables(&messages);
    let origin = json!({
        "commit": first_line("git", &["rev-parse", "HEAD"]),
        "compiler": first_line("rustc", &["--version"]),
    });
    Ok(Programs { paths, origin })
}

/// Builds the programs and copies them to a folder, without symbols where there is `strip`.
pub(super) fn into_folder(folder: &Path) -> Outcome {
    let programs = programs()?;
    let own = std::env::current_exe().map_err(|error| format!("own path: {error}"))?;
    let all = programs.paths.iter().map(|(name, path)| (name.as_str(), path.as_path()));
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    for (name, path) in all.chain([("xtask", own.as_path())]) {
        let to = folder.join(name);
        std::fs::copy(path, &to).map_err(failed(&to))?;
        let stripped = Command::new("strip").arg(&to).stderr(Stdio::null()).status();
        if !stripped.is_ok_and(|status| status.success()) {
            eprintln!("{}: symbols are kept, `strip` failed", to.display());
        }
        let size = std::fs::metadata(&to).map_err(failed(&to))?.len();
        eprintln!("{}: {:.1} MB", to.display(), size as f64 / 1e6);
    }
    let origin = serde_json::to_string_pretty(&programs.origin).map_err(|e| e.to_string())?;
    write(&folder.join(ORIGIN), origin)
}

/// Programs in a folder.
pub(super) fn in_folder(folder: &Path) -> Result<Programs, String> {
    let folder = folder.canonicalize().map_err(failed(folder))?;
    let origin = read(&folder.join(ORIGIN))?;
    let origin = serde_json::from_str(&origin).map_err(|e| format!("{ORIGIN}: {e}"))?;
    let names = TESTS.into_iter().chain([BENCHES]);
    let paths = names.map(|name| (name.to_owned(), folder.join(name))).collect();
    Ok(Programs { paths, origin })
}

fn first_line(program: &str, args: &[&str]) -> String {
    let output = Command::new(program).args(args).current_dir(root()).output();
    let text = output.map(|output| String::from_utf8_lossy(&output.stdout).into_owned());
    text.unwrap_or_default().lines().next().unwrap_or_default().to_owned()
}
