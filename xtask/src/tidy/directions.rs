//! Crates depend only downward, as design says: the arrows of ARCHITECTURE.md.

use super::Complaint;
use crate::metadata::{packages, text};
use serde_json::Value;

/// What each crate of the workspace may depend on. Development dependencies on the testkit are
/// free; every other arrow is listed.
const ALLOWED: &[(&str, &[&str])] = &[
    ("hpfracc-types", &[]),
    ("hpfracc-special", &["hpfracc-types"]),
    // The second for tests alone: what the normal distribution is held against.
    ("hpfracc-lanes", &["hpfracc-types", "hpfracc-special"]),
    ("hpfracc-backend", &["hpfracc-types"]),
    ("hpfracc-cpu", &["hpfracc-lanes", "hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-wgpu", &["hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-selector", &["hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-operators", &["hpfracc-special", "hpfracc-backend", "hpfracc-types"]),
    ("hpfracc-transforms", &["hpfracc-special", "hpfracc-types"]),
    ("hpfracc-ode", &["hpfracc-operators", "hpfracc-lanes", "hpfracc-special", "hpfracc-types"]),
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
    ("hpfracc-testkit", &["hpfracc-types"]),
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

pub(super) fn check(metadata: &Value) -> Vec<Complaint> {
    let ours: Vec<&str> = packages(metadata).map(|package| text(package, "name")).collect();
    let mut complaints = Vec::new();
    for package in packages(metadata) {
        let name = text(package, "name");
        let Some((_, allowed)) = ALLOWED.iter().find(|(known, _)| *known == name) else {
            complaints.push(format!("{name}: say in xtask/src/tidy/directions.rs what it may use"));
            continue;
        };
        for dependency in package["dependencies"].as_array().into_iter().flatten() {
            let target = text(dependency, "name");
            let development = dependency["kind"] == "dev";
            if !ours.contains(&target) || allowed.contains(&target) {
                continue;
            }
            if !(development && target == "hpfracc-testkit") {
                complaints.push(format!("{name} must not depend on {target}"));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn package(name: &str, dependency: &str, kind: Value) -> Value {
        json!({"name": name, "dependencies": [{"name": dependency, "kind": kind}]})
    }

    fn complaints(name: &str, dependency: &str, kind: Value) -> usize {
        let target = json!({"name": dependency, "dependencies": []});
        check(&json!({"packages": [package(name, dependency, kind), target]})).len()
    }

    #[test]
    fn arrows_go_downward_only() {
        assert_eq!(complaints("hpfracc-operators", "hpfracc-special", Value::Null), 0);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-cpu", Value::Null), 1);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-cpu", json!("dev")), 1);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-testkit", json!("dev")), 0);
        assert_eq!(complaints("hpfracc-operators", "hpfracc-testkit", Value::Null), 1);
        assert_eq!(complaints("hpfracc-types", "hpfracc", Value::Null), 1);
        // A crate nobody has placed, and an arrow to it.
        assert_eq!(complaints("hpfracc-types", "hpfracc-new", Value::Null), 2);
    }
}
