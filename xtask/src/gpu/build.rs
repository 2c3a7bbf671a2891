//! Programs of the stages: built here, or copied to a folder for another machine.

use super::stages::{BENCHES, TESTS};
use crate::files::{failed, read, write};
use crate::run::{Outcome, build, first_line};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

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
pub(super) fn programs(deadline: Option<Instant>) -> Result<Programs, String> {
    let mut args = vec!["--release", "--locked"];
    args.extend(["-p", BENCHES, "--bin", BENCHES, "--features", "hpfracc-benches/gpu"]);
    args.extend(["-p", "hpfracc-wgpu", "-p", "hpfracc", "--features", "hpfracc/gpu"]);
    args.extend(TESTS.iter().flat_map(|test| ["--test", test]));
    let paths = build(&args, deadline)?;
    let origin = json!({
        "commit": first_line("git", &["rev-parse", "HEAD"]),
        "compiler": first_line("rustc", &["--version"]),
    });
    Ok(Programs { paths, origin })
}

/// Most bytes of all programs without symbols: they travel to another machine.
const MOST_BYTES: u64 = 150_000_000;

/// Builds the programs and copies them to a folder, without symbols where there is `strip`.
///
/// Fails if they are larger than [`MOST_BYTES`].
pub(super) fn into_folder(folder: &Path) -> Outcome {
    let programs = programs(None)?;
    let own = std::env::current_exe().map_err(|error| format!("own path: {error}"))?;
    let all = programs.paths.iter().map(|(name, path)| (name.as_str(), path.as_path()));
    std::fs::create_dir_all(folder).map_err(failed(folder))?;
    let mut bytes = 0;
    for (name, path) in all.chain([("xtask", own.as_path())]) {
        let to = folder.join(name);
        std::fs::copy(path, &to).map_err(failed(&to))?;
        let stripped = Command::new("strip").arg(&to).stderr(Stdio::null()).status();
        let stripped = stripped.is_ok_and(|status| status.success());
        if !stripped {
            eprintln!("{}: symbols are kept, `strip` failed", to.display());
        }
        let size = std::fs::metadata(&to).map_err(failed(&to))?.len();
        bytes += if stripped { size } else { 0 };
        eprintln!("{}: {:.1} MB", to.display(), size as f64 / 1e6);
    }
    let origin = serde_json::to_string_pretty(&programs.origin).map_err(|e| e.to_string())?;
    write(&folder.join(ORIGIN), origin)?;
    check_size(bytes)
}

fn check_size(bytes: u64) -> Outcome {
    let [size, most] = [bytes, MOST_BYTES].map(|bytes| bytes as f64 / 1e6);
    eprintln!("all programs: {size:.1} MB");
    if bytes <= MOST_BYTES {
        return Ok(());
    }
    Err(format!("the programs have {size:.1} MB, more than {most:.0} MB"))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_have_a_largest_size() {
        assert!(check_size(MOST_BYTES).is_ok());
        assert!(check_size(MOST_BYTES + 100_000).is_err_and(|said| said.contains("150.1 MB")));
    }
}
