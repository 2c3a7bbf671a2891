//! Every published crate carries what a registry and a reader need.

use super::{Complaint, packages, text};
use serde_json::Value;
use std::path::Path;

pub(super) fn check(metadata: &Value) -> Vec<Complaint> {
    packages(metadata)
        // `publish = false` reads as an empty list of registries.
        .filter(|package| package["publish"].as_array().is_none_or(|list| !list.is_empty()))
        .flat_map(complaints)
        .collect()
}

fn complaints(package: &Value) -> Vec<Complaint> {
    let name = text(package, "name");
    let mut found = Vec::new();
    for key in ["description", "license", "repository", "readme", "rust_version"] {
        if text(package, key).is_empty() {
            found.push(format!("{name}: Cargo.toml lacks `{key}`"));
        }
    }
    let keywords = package["keywords"].as_array().map_or(0, Vec::len);
    if !(1..=5).contains(&keywords) {
        found.push(format!("{name}: {keywords} keywords, a registry takes 1 to 5"));
    }
    let folder = Path::new(text(package, "manifest_path")).parent();
    if !folder.is_some_and(|folder| folder.join("README.md").is_file()) {
        found.push(format!("{name}: no README.md"));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn unpublished_crates_are_left_alone() {
        assert!(check(&json!({"packages": [{"name": "xtask", "publish": []}]})).is_empty());
    }

    #[test]
    fn published_crates_are_asked_for_everything() {
        let bare = json!({"packages": [{"name": "bare", "publish": null}]});
        assert_eq!(check(&bare).len(), 7);
    }
}
