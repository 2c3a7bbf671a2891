//! Crates depend on each other along the arrows of ARCHITECTURE.md, and use each of their
//! dependencies.

use super::Complaint;
use super::sources::sources;
use crate::files::read;
use crate::metadata::{folder, packages, text};
use serde_json::Value;

/// Crates of the workspace that each crate may use, without the prefix `hpfracc-`; `hpfracc` is the
/// facade. Development dependencies on the testkit are always allowed.
const ALLOWED: [(&str, &str); 30] = [
    ("types", ""),
    ("checkpoint", "types"),
    ("communicator", ""),
    ("mpi", "communicator"),
    ("special", "lanes"),
    // special for tests only.
    ("lanes", "types special"),
    ("equation", "lanes special types"),
    ("backend", "types"),
    ("cpu", "lanes backend types"),
    // lanes for tests only.
    ("wgpu", "nn equation communicator lanes backend types"),
    ("selector", "backend types"),
    ("operators", "special lanes backend types"),
    ("transforms", "special types"),
    ("series", "lanes special"),
    ("spatial", "operators special types backend"),
    ("ode", "equation operators backend lanes special types"),
    // ode for tests of equations without noise only.
    ("sde", "equation operators lanes special types communicator ode"),
    ("pde", "equation ode sde spatial special types"),
    ("nn", "sde equation operators special backend lanes checkpoint communicator types"),
    (
        "hpfracc",
        "nn fit series pde ode sde communicator equation operators spatial transforms cpu wgpu selector special backend types plot",
    ),
    ("fit", "equation pde ode spatial lanes checkpoint communicator types"),
    ("plot", "types"),
    ("cli", "hpfracc mpi plot"),
    ("python", "hpfracc lanes"),
    ("web", "hpfracc"),
    ("testkit", ""),
    ("xtask", ""),
    (
        "benches",
        "hpfracc plot equation lanes ode sde operators transforms cpu wgpu selector special backend types",
    ),
    ("examples", "hpfracc cli plot"),
    ("fuzz", "hpfracc cli"),
];

pub(super) fn check(metadata: &Value) -> Result<Vec<Complaint>, String> {
    let mut found = arrows(metadata);
    for package in packages(metadata) {
        let texts: Vec<String> =
            sources(&folder(package))?.iter().map(|file| read(file)).collect::<Result<_, _>>()?;
        let unnamed = |target: &&str| {
            let name = target.replace('-', "_");
            !texts.iter().any(|text| text.contains(&name))
        };
        let unused = dependencies(metadata, package).map(|(target, _)| target).filter(unnamed);
        let name = text(package, "name");
        found
            .extend(unused.map(|target| format!("{name}: no source uses its dependency {target}")));
    }
    Ok(found)
}

/// Forbidden dependencies, and permissions without a dependency.
fn arrows(metadata: &Value) -> Vec<Complaint> {
    let short = |name: &'_ str| name.strip_prefix("hpfracc-").unwrap_or(name).to_owned();
    let mut complaints = Vec::new();
    for package in packages(metadata) {
        let name = text(package, "name");
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == short(name)) else {
            complaints.push(format!("{name}: no entry in xtask/src/tidy/directions.rs"));
            continue;
        };
        let used: Vec<(String, bool)> = dependencies(metadata, package)
            .map(|(target, development)| (short(target), development))
            .collect();
        let allowed: Vec<&str> = allowed.split_whitespace().collect();
        let forbidden = used.iter().filter(|(target, development)| {
            !(allowed.contains(&target.as_str()) || *development && target == "testkit")
        });
        complaints
            .extend(forbidden.map(|(target, _)| format!("{name} must not depend on {target}")));
        let unused = allowed.iter().filter(|allowed| used.iter().all(|(used, _)| used != *allowed));
        complaints.extend(unused.map(|target| {
            format!("{name} may depend on {target} and does not: xtask/src/tidy/directions.rs")
        }));
    }
    complaints
}

/// Crates of the workspace that a package depends on, and whether only for tests.
fn dependencies<'a>(
    metadata: &'a Value,
    package: &'a Value,
) -> impl Iterator<Item = (&'a str, bool)> {
    let ours = |target: &str| packages(metadata).any(|other| text(other, "name") == target);
    let listed = package["dependencies"].as_array().into_iter().flatten();
    let all = listed.map(|found| (text(found, "name"), found["kind"] == "dev"));
    all.filter(move |(target, _)| ours(target))
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
    fn unused_permissions_are_found() {
        let backend = json!({"name": "hpfracc-types", "dependencies": []});
        let used = package("hpfracc-backend", "hpfracc-types", Value::Null);
        assert_eq!(arrows(&json!({"packages": [used, backend]})), [""; 0]);
        let unused = json!({"name": "hpfracc-backend", "dependencies": []});
        let found = arrows(&json!({"packages": [unused]}));
        assert!(found.len() == 1 && found[0].contains("types and does not"), "{found:?}");
    }
}
