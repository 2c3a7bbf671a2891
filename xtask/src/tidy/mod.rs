//! The rules of ARCHITECTURE.md that a program can check.

mod directions;
mod links;
mod manifests;
mod sources;

use crate::run::{Outcome, cargo_command, root};
use serde_json::Value;

/// One broken rule: where, and which.
type Complaint = String;

pub(crate) fn run() -> Outcome {
    let metadata = metadata()?;
    let mut complaints = directions::check(&metadata);
    complaints.extend(manifests::check(&metadata));
    complaints.extend(sources::check(&root())?);
    complaints.extend(links::check(&root())?);
    complaints.extend(crate::formulas::check(&root())?);
    answer(&complaints)
}

/// The links of the README and of the book alone.
pub(crate) fn links() -> Outcome {
    answer(&links::check(&root())?)
}

fn answer(complaints: &[Complaint]) -> Outcome {
    if complaints.is_empty() {
        eprintln!("tidy: nothing to complain about");
        Ok(())
    } else {
        Err(format!("tidy:\n  {}", complaints.join("\n  ")))
    }
}

fn metadata() -> Result<Value, String> {
    let output = cargo_command()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|error| format!("cargo metadata did not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

/// The workspace's packages.
fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}
