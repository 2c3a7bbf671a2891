//! Python environments with packages of pinned versions, and with the Python package of this workspace.

use crate::files::read;
use crate::run::{root, wait_until};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::Instant;

/// Requirements of packages beyond those of their installation.
const NEEDS: &[(&str, &str)] = &[("torchsde", "torch")];

/// The Python package of this workspace, which is installed from the sources.
pub(crate) const PACKAGE: &str = "hpfracc-python";

/// Interpreter and packages.
pub(crate) struct Environment {
    /// Interpreter, or the reason why there is none.
    python: Result<PathBuf, String>,
    /// Missing packages with the reason.
    absent: BTreeMap<String, String>,
}

impl Environment {
    /// Creates the environment if necessary, and installs missing packages in the versions of a file of requirements. What
    /// is not installed at the deadline is missing.
    pub(crate) fn prepare(
        folder: &Path,
        requirements: &Path,
        packages: &[&str],
        deadline: Option<Instant>,
    ) -> Self {
        match interpreter(folder) {
            Err(reason) => Self { python: Err(reason), absent: BTreeMap::new() },
            Ok(python) => {
                let absent = install(&python, requirements, packages, deadline);
                Self { python: Ok(python), absent }
            }
        }
    }

    /// Interpreter that has a package.
    ///
    /// # Errors
    /// Reason why the interpreter or the package is missing.
    pub(crate) fn python_with(&self, package: &str) -> Result<&Path, String> {
        let python = self.python.as_deref().map_err(Clone::clone)?;
        let needs = NEEDS.iter().filter(|(name, _)| *name == package).map(|(_, needs)| *needs);
        match std::iter::once(package).chain(needs).find_map(|name| self.absent.get(name)) {
            Some(reason) => Err(reason.clone()),
            None => Ok(python),
        }
    }
}

/// Interpreter of the environment, created if necessary.
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
    eprintln!("> creating a Python environment in {}", folder.display());
    let made = ["python3", "python"].iter().any(|name| {
        let status = Command::new(name).args(["-m", "venv"]).arg(folder).status();
        status.is_ok_and(|status| status.success())
    });
    match made && runs(&python) {
        true => Ok(python),
        false => Err("no python3 in the path can create an environment".to_owned()),
    }
}

/// Installs each package separately; returns the missing ones with the reason.
fn install(
    python: &Path,
    file: &Path,
    packages: &[&str],
    deadline: Option<Instant>,
) -> BTreeMap<String, String> {
    let text = match read(file) {
        Ok(text) => text,
        Err(reason) => {
            return packages.iter().map(|name| ((*name).to_owned(), reason.clone())).collect();
        }
    };
    let pinned = requirements(&text);
    let mut absent = BTreeMap::new();
    let present = versions(python);
    for name in packages {
        let requirement = match pinned.get(*name) {
            _ if *name == PACKAGE => root().join("crates/hpfracc-python").display().to_string(),
            Some(version) if present.get(*name) == Some(version) => continue,
            Some(version) => format!("{name}=={version}"),
            None => {
                absent.insert((*name).to_owned(), format!("not in {}", file.display()));
                continue;
            }
        };
        eprintln!("> pip install {name}");
        if let Err(reason) = pip(python, file, &requirement, deadline) {
            eprintln!("  {reason}");
            absent.insert((*name).to_owned(), reason);
        }
    }
    absent
}

/// Packages and versions of a requirements file.
fn requirements(text: &str) -> BTreeMap<&str, String> {
    let lines = text.lines().map(str::trim).filter(|line| !line.starts_with('#'));
    let pairs = lines.filter_map(|line| line.split_once("=="));
    pairs.map(|(name, version)| (name, version.to_owned())).collect()
}

/// Installed packages with their versions.
fn versions(python: &Path) -> BTreeMap<String, String> {
    const LIST: &str = "import json; from importlib.metadata import distributions; \
        print(json.dumps({d.metadata['Name'].lower(): d.version for d in distributions()}))";
    let output = Command::new(python).args(["-c", LIST]).output();
    let text = output.map(|output| output.stdout).unwrap_or_default();
    let versions: Option<Value> = serde_json::from_slice(&text).ok();
    let pairs = versions.as_ref().and_then(Value::as_object).into_iter().flatten();
    pairs.filter_map(|(name, version)| Some((name.clone(), version.as_str()?.to_owned()))).collect()
}

/// Installs one package without changing others; the error is one line of pip.
fn pip(
    python: &Path,
    constraints: &Path,
    requirement: &str,
    deadline: Option<Instant>,
) -> Result<(), String> {
    let mut command = Command::new(python);
    command.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    command.args(["--no-input", "--prefer-binary", "--constraint"]).arg(constraints);
    let child = command.arg(requirement).stdin(Stdio::null()).stderr(Stdio::piped()).spawn();
    let mut child = child.map_err(|error| format!("pip did not start: {error}"))?;
    let errors = child.stderr.take();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        errors.map_or(Ok(0), |mut errors| errors.read_to_string(&mut text)).map(|_| text)
    });
    match wait_until(&mut child, deadline)? {
        Some(status) if status.success() => Ok(()),
        Some(status) => {
            let stderr = reader.join().ok().and_then(Result::ok).unwrap_or_default();
            Err(reason(&stderr).unwrap_or_else(|| format!("pip ended with {status}")))
        }
        None => Err("pip was not finished within the time limit".to_owned()),
    }
}

/// Most informative line of the output of pip.
fn reason(output: &str) -> Option<String> {
    let error = output.lines().find(|line| line.contains("ERROR"));
    error.or(output.lines().last()).map(|line| line.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::peers::problems::PROBLEMS;

    #[test]
    fn all_peers_are_pinned() {
        let text = std::fs::read_to_string(root().join("benches/peers/requirements.txt")).unwrap();
        let pinned = requirements(&text);
        let lines = text.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
        assert_eq!(lines.count(), pinned.len());
        for contender in PROBLEMS.iter().flat_map(|problem| &problem.peers) {
            let peer = contender.peer.as_str();
            assert!(
                contender.is_octave() || peer == PACKAGE || pinned.contains_key(peer),
                "{peer}"
            );
        }
    }

    #[test]
    fn missing_requirements_have_a_reason() {
        let absent = [("torch".to_owned(), "no wheel".to_owned())].into();
        let environment = Environment { python: Ok("python".into()), absent };
        assert_eq!(environment.python_with("torchsde"), Err("no wheel".to_owned()));
        assert_eq!(environment.python_with("numpy"), Ok(Path::new("python")));
        let none = Environment { python: Err("no python3".into()), absent: BTreeMap::new() };
        assert_eq!(none.python_with("numpy"), Err("no python3".to_owned()));
    }

    #[test]
    fn reasons_of_pip_are_lines_with_an_error() {
        let output = "WARNING: retrying\nERROR: No matching distribution found\nnotice\n";
        assert_eq!(reason(output).as_deref(), Some("ERROR: No matching distribution found"));
        assert_eq!(reason("killed\n").as_deref(), Some("killed"));
        assert_eq!(reason(""), None);
    }
}
