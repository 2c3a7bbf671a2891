//! Manifests and files that a registry and a reader need, in every published crate.

use super::Complaint;
use crate::metadata::{folder, published, text};
use serde_json::Value;

pub(super) fn check(metadata: &Value) -> Vec<Complaint> {
    published(metadata).flat_map(complaints).collect()
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
        found.push(format!("{name}: {keywords} keywords, expected 1 to 5"));
    }
    // Without this key docs.rs omits the items of features.
    let features = package["features"].as_object().is_some_and(|features| !features.is_empty());
    if features && package["metadata"]["docs"]["rs"]["all-features"] != true {
        found.push(format!(
            "{name}: Cargo.toml lacks [package.metadata.docs.rs] all-features = true"
        ));
    }
    for file in ["README.md", "LICENSE-APACHE", "LICENSE-MIT"] {
        if !folder(package).join(file).is_file() {
            found.push(format!("{name}: no {file}"));
        }
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
    fn published_crates_need_all_keys_and_files() {
        let bare = json!({"packages": [{"name": "bare", "publish": null}]});
        assert_eq!(check(&bare).len(), 9);
    }

    #[test]
    fn features_belong_in_the_documentation() {
        let missing = |features: Value, metadata: Value| {
            let package = json!({"name": "a", "features": features, "metadata": metadata});
            check(&json!({"packages": [package]}))
                .iter()
                .any(|complaint| complaint.contains("docs.rs"))
        };
        assert!(!missing(json!({}), Value::Null));
        assert!(missing(json!({"serde": []}), Value::Null));
        assert!(!missing(json!({"serde": []}), json!({"docs": {"rs": {"all-features": true}}})));
    }
}
