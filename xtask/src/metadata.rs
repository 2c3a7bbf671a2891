//! Output of `cargo metadata` for this workspace.

use crate::run::cargo_command;
use serde_json::Value;
use std::path::PathBuf;

/// Metadata of the workspace's packages, without dependencies.
pub(crate) fn read() -> Result<Value, String> {
    let output = cargo_command()
        .args(["metadata", "--format-version", "1", "--no-deps"])
        .output()
        .map_err(|error| format!("cargo metadata did not start: {error}"))?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into_owned());
    }
    serde_json::from_slice(&output.stdout).map_err(|error| format!("cargo metadata: {error}"))
}

pub(crate) fn packages(metadata: &Value) -> impl Iterator<Item = &Value> {
    metadata["packages"].as_array().into_iter().flatten()
}

/// Packages that are published to a registry.
pub(crate) fn published(metadata: &Value) -> impl Iterator<Item = &Value> {
    // `publish = false` reads as an empty list of registries.
    packages(metadata)
        .filter(|package| package["publish"].as_array().is_none_or(|list| !list.is_empty()))
}

pub(crate) fn text<'a>(value: &'a Value, key: &str) -> &'a str {
    value[key].as_str().unwrap_or_default()
}

/// Folder of a package's `Cargo.toml`.
pub(crate) fn folder(package: &Value) -> PathBuf {
    let manifest = PathBuf::from(text(package, "manifest_path"));
    manifest.parent().map(PathBuf::from).unwrap_or_default()
}

/// Folder of build outputs.
pub(crate) fn target(metadata: &Value) -> PathBuf {
    PathBuf::from(text(metadata, "target_directory"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn published_packages_are_told_from_others() {
        let metadata = json!({"packages": [
            {"name": "a", "publish": null}, {"name": "b", "publish": []},
            {"name": "c", "publish": ["registry"], "manifest_path": "/w/c/Cargo.toml"},
        ]});
        let names: Vec<&str> = published(&metadata).map(|package| text(package, "name")).collect();
        assert_eq!(names, ["a", "c"]);
        assert_eq!(folder(&metadata["packages"][2]), PathBuf::from("/w/c"));
    }
}
