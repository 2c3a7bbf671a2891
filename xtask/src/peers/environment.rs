//! The Python environment in target/peers/venv, with the packages of benches/peers/requirements.txt.

use crate::run::root;
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Packages that another one cannot do without, beyond what its own installation brings.
const NEEDS: &[(&str, &str)] = &[("torchsde", "torch")];

/// Which packages there are, and why others are not.
pub(super) struct Environment {
    /// The interpreter, or why there is none.
    python: Result<PathBuf, String>,
    absent: BTreeMap<String, String>,
}

impl Environment {
    /// Makes the environment where it is not yet, and installs what is missing of the packages wanted.
    pub(super) fn prepare(folder: &Path, wanted: &[&str]) -> Self {
        match interpreter(folder) {
            Err(reason) => Self { python: Err(reason), absent: BTreeMap::new() },
            Ok(python) => {
                let absent = install(&python, wanted);
                Self { python: Ok(python), absent }
            }
        }
    }

    /// The interpreter for a package.
    ///
    /// # Errors
    /// Says why there is no such interpreter or no such package.
    pub(super) fn python_with(&self, package: &str) -> Result<&Path, String> {
        let python = self.python.as_deref().map_err(Clone::clone)?;
        let needs = NEEDS.iter().filter(|(name, _)| *name == package).map(|(_, needs)| *needs);
        match std::iter::once(package).chain(needs).find_map(|name| self.absent.get(name)) {
            Some(reason) => Err(reason.clone()),
            None => Ok(python),
        }
    }
}

/// The environment's interpreter, made if need be.
fn interpreter(folder: &Path) -> Result<PathBuf, String> {
    let inside = if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" };
    let python = folder.join(inside);
    let runs = |python: &Path| {
        let output = Command::new(python).args(["-m", "pip", "--version"]).output();
        output.is_ok_and(|output| output.status.success())
    };
    if runs(&python) {
        return Ok(python);
    }
    eprintln!("> making a Python environment in {}", folder.display());
    let made = ["python3", "python"].iter().any(|name| {
        let status = Command::new(name).args(["-m", "venv"]).arg(folder).status();
        status.is_ok_and(|status| status.success())
    });
    match made && runs(&python) {
        true => Ok(python),
        false => Err("no python3 in the path that can make an environment".to_owned()),
    }
}

/// Installs each wanted package on its own, and returns why those that are not there are not.
fn install(python: &Path, wanted: &[&str]) -> BTreeMap<String, String> {
    let file = root().join("benches/peers/requirements.txt");
    let text = match std::fs::read_to_string(&file) {
        Ok(text) => text,
        Err(error) => {
            let reason = format!("{}: {error}", file.display());
            return wanted.iter().map(|name| ((*name).to_owned(), reason.clone())).collect();
        }
    };
    let pinned = requirements(&text);
    let mut absent = BTreeMap::new();
    let present = versions(python);
    for name in wanted {
        let Some(version) = pinned.get(*name) else {
            absent.insert((*name).to_owned(), "not in benches/peers/requirements.txt".to_owned());
            continue;
        };
        if present.get(*name) == Some(version) {
            continue;
        }
        eprintln!("> pip install {name}=={version}");
        if let Err(reason) = pip(python, &file, &format!("{name}=={version}")) {
            eprintln!("  {reason}");
            absent.insert((*name).to_owned(), reason);
        }
    }
    absent
}

/// The packages and versions of a file of requirements.
fn requirements(text: &str) -> BTreeMap<&str, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once("=="));
    pairs.map(|(name, version)| (name, version.to_owned())).collect()
}

/// What is installed.
fn versions(python: &Path) -> BTreeMap<String, String> {
    const LIST: &str = "import json; from importlib.metadata import distributions; \
        print(json.dumps({d.metadata['Name'].lower(): d.version for d in distributions()}))";
    let output = Command::new(python).args(["-c", LIST]).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let found: Option<Value> = serde_json::from_slice(&text).ok();
    let pairs = found.as_ref().and_then(Value::as_object).into_iter().flatten();
    pairs.filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned()))).collect()
}

/// Installs one package, none of the others moved; what pip says of a failure in one line.
fn pip(python: &Path, constraints: &Path, requirement: &str) -> Result<(), String> {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(["--no-input", "--prefer-binary", "--constraint"]).arg(constraints);
    let output = command.arg(requirement).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("pip did not start: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    Err(reason(&said).unwrap_or_else(|| format!("pip ended with {}", output.status)))
}

/// The line of pip's that says most.
fn reason(said: &str) -> Option<String> {
    let error = said.lines().find(|line| line.contains("ERROR"));
    error.or(said.lines().last()).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::problems::{PROBLEMS, Program};
    use super::*;

    #[test]
    fn all_peers_are_pinned() {
        let text = std::fs::read_to_string(root().join("benches/peers/requirements.txt")).unwrap();
        let pinned = requirements(&text);
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(lines.count(), pinned.len());
        for contender in PROBLEMS.iter().flat_map(|problem| problem.peers) {
            let wants = matches!(contender.program, Program::Python(_));
            assert!(!wants || pinned.contains_key(contender.peer), "{}", contender.peer);
        }
    }

    #[test]
    fn what_is_absent_has_a_reason_and_so_has_what_needs_it() {
        let absent = [("torch".to_owned(), "no wheel".to_owned())].into();
        let environment = Environment { python: Ok("python".into()), absent };
        assert_eq!(environment.python_with("torchsde"), Err("no wheel".to_owned()));
        assert_eq!(environment.python_with("numpy"), Ok(Path::new("python")));
        let none = Environment { python: Err("no python3".into()), absent: BTreeMap::new() };
        assert_eq!(none.python_with("numpy"), Err("no python3".to_owned()));
    }

    #[test]
    fn reasons_of_pip_are_lines_with_an_error() {
        let said = "WARNING: retrying\nERROR: No matching distribution found\nnotice\n";
        assert_eq!(reason(said).as_deref(), Some("ERROR: No matching distribution found"));
        assert_eq!(reason("killed\n").as_deref(), Some("killed"));
        assert_eq!(reason(""), None);
    }
}
