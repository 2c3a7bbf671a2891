//! Crates depend only downward, along the arrows of ARCHITECTURE.md, and use every crate that they name.

use super::Complaint;
use super::sources::files;
use crate::metadata::{folder, packages, text};
use serde_json::Value;
use std::path::Path;

/// What each crate of the workspace may depend on. Development dependencies on the testkit are
/// free; every other arrow is listed.
const ALLOWED: &[(&str, &[&str])] = &[
    ("hpfracc-types", &[]),
    ("hpfracc-special", &[]),
    // The second for tests alone: what the normal distribution is held against.
    ("hpfracc-lanes", &["hpfracc-types", "hpfracc-special"]),
    ("hpfracc-backend", &["hpfracc-types"]),
    ("hpfracc-cpu", &["hpfracc-lanes", "hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-wgpu", &["hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-selector", &["hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-operators", &["hpfracc-special", "hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-transforms", &["hpfracc-special", "hpfracc-types"]),
    (
        "hpfracc-ode",
        &[
            "hpfracc-operators",
            "hpfracc-backend",
            "hpfracc-lanes",
            "hpfracc-special",
            "hpfracc-types",
        ],
    ),
    // hpfracc-ode for tests alone: the equations without noise.
    (
        "hpfracc-sde",
        &["hpfracc-operators", "hpfracc-lanes", "hpfracc-special", "hpfracc-types", "hpfracc-ode"],
    ),
    (
        "hpfracc-nn",
        &[
            "hpfracc-sde",
            "hpfracc-operators",
            "hpfracc-special",
            "hpfracc-backend",
            "hpfracc-lanes",
            "hpfracc-types",
        ],
    ),
    (
        "hpfracc",
        &[
            "hpfracc-nn",
            "hpfracc-ode",
            "hpfracc-sde",
            "hpfracc-operators",
            "hpfracc-transforms",
            "hpfracc-cpu",
            "hpfracc-wgpu",
            "hpfracc-selector",
            "hpfracc-special",
            "hpfracc-backend",
            "hpfracc-types",
        ],
    ),
    ("hpfracc-cli", &["hpfracc"]),
    ("hpfracc-testkit", &[]),
    ("xtask", &[]),
    (
        "hpfracc-benches",
        &[
            "hpfracc",
            "hpfracc-cli",
            "hpfracc-lanes",
            "hpfracc-ode",
            "hpfracc-sde",
            "hpfracc-operators",
            "hpfracc-transforms",
            "hpfracc-cpu",
            "hpfracc-wgpu",
            "hpfracc-selector",
            "hpfracc-special",
            "hpfracc-backend",
            "hpfracc-types",
        ],
    ),
    ("hpfracc-examples", &["hpfracc", "hpfracc-cli"]),
    ("hpfracc-fuzz", &["hpfracc", "hpfracc-cli"]),
];

pub(super) fn check(metadata: &Value) -> Result<Vec<Complaint>, String> {
    let mut found = arrows(metadata);
    for package in packages(metadata) {
        let sources = sources(&folder(package))?;
        let absent = dependencies(metadata, package).map(|(target, _)| target);
        let absent = absent.filter(|target| !sources.contains(&target.replace('-', "_")));
        let name = text(package, "name");
        found.extend(
            absent.map(|target| format!("{name}: no source names its dependency {target}")),
        );
    }
    Ok(found)
}

/// Dependencies that are not permitted, and permits without a dependency.
fn arrows(metadata: &Value) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for package in packages(metadata) {
        let name = text(package, "name");
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            complaints
                .push(format!("{name}: list in xtask/src/tidy/directions.rs what it may use"));
            continue;
        };
        let used: Vec<(&str, bool)> = dependencies(metadata, package).collect();
        let forbidden = used.iter().filter(|(target, development)| {
            !(allowed.contains(target) || *development && *target == "hpfracc-testkit")
        });
        complaints
            .extend(forbidden.map(|(target, _)| format!("{name} must not depend on {target}")));
        let unused =
            allowed.iter().filter(|allowed| used.iter().all(|(target, _)| target != *allowed));
        complaints.extend(unused.map(|target| {
            format!("{name} may depend on {target} and does not: xtask/src/tidy/directions.rs")
        }));
    }
    complaints
}

/// Crates of the workspace that a package depends on, and whether for tests alone.
fn dependencies<'a>(
    metadata: &'a Value,
    package: &'a Value,
) -> impl Iterator<Item = (&'a str, bool)> {
    let ours = |target: &str| packages(metadata).any(|other| text(other, "name") == target);
    let listed = package["dependencies"].as_array().into_iter().flatten();
    let all = listed.map(|found| (text(found, "name"), found["kind"] == "dev"));
    all.filter(move |(target, _)| ours(target))
}

/// The sources of a package as one text.
fn sources(folder: &Path) -> Result<String, String> {
    let mut all = String::new();
    for file in files(folder)? {
        all += &std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, dependency: &str, kind: Value) -> Value {
        json!({"name": name, "dependencies": [{"name": dependency, "kind": kind}]})
    }

    /// Forbidden arrows and packages without a row.
    fn complaints(name: &str, dependency: &str, kind: Value) -> usize {
        let target = json!({"name": dependency, "dependencies": []});
        let found = arrows(&json!({"packages": [package(name, dependency, kind), target]}));
        found.iter().filter(|complaint| !complaint.contains("and does not")).count()
    }

    #[test]
    fn arrows_go_downward_only() {
        assert_eq!(complaints("hpfracc-operators", "hpfracc-special", Value::Null), 0);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-cpu", Value::Null), 1);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-cpu", json!("dev")), 1);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-testkit", json!("dev")), 0);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-testkit", Value::Null), 1);
        assert_eq!(complaints("hpfracc-types", "hpfracc", Value::Null), 1);
        // A crate without a row, and an arrow to it.
        assert_eq!(complaints("hpfracc-types", "hpfracc-new", Value::Null), 2);
    }

    #[test]
    fn permits_without_a_dependency_are_found() {
        let backend = json!({"name": "hpfracc-types", "dependencies": []});
        let used = package("hpfracc-backend", "hpfracc-types", Value::Null);
        assert_eq!(arrows(&json!({"packages": [used, backend]})), [""; 0]);
        let unused = json!({"name": "hpfracc-backend", "dependencies": []});
        let found = arrows(&json!({"packages": [unused]}));
        assert!(found.len() == 1 && found[0].contains("hpfracc-types and does not"), "{found:?}");
    }
}
