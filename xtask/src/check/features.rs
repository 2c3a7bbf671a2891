//! Every published crate compiles alone, with each set of its features.

use crate::metadata::{self, published, text};
use crate::run::{Outcome, cargo};
use serde_json::Value;

/// Maximum number of features of which every set is tried.
const ALL_SETS: usize = 3;

pub(super) fn check() -> Outcome {
    for package in published(&metadata::read()?) {
        for set in sets(&features(package)) {
            let (name, set) = (text(package, "name"), set.join(","));
            // `cargo check` cannot deny warnings without rebuilding dependencies.
            cargo(&format!(
                "clippy --quiet --locked -p {name} --no-default-features --features={set} -- -Dwarnings"
            ))?;
        }
    }
    Ok(())
}

/// Names of a package's features without `default`.
fn features(package: &Value) -> Vec<String> {
    let features = package["features"].as_object().into_iter().flatten();
    features.map(|(name, _)| name.clone()).filter(|name| name != "default").collect()
}

/// Sets of features to try: none, each alone and all, or every set of a few.
fn sets(features: &[String]) -> Vec<Vec<&str>> {
    let names = || features.iter().map(String::as_str);
    if features.len() <= ALL_SETS {
        let chosen = |set: usize| (0..).zip(names()).filter(move |(bit, _)| set >> bit & 1 == 1);
        return (0..1 << features.len()).map(|set| chosen(set).map(|(_, f)| f).collect()).collect();
    }
    let mut sets = vec![vec![]];
    sets.extend(names().map(|feature| vec![feature]));
    sets.push(names().collect());
    sets
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn few_features_are_tried_in_every_set() {
        let features = |n: usize| ["a", "b", "c", "d"].map(str::to_owned)[..n].to_vec();
        assert_eq!(sets(&features(0)), [vec![""; 0]]);
        assert_eq!(sets(&features(2)), [vec![], vec!["a"], vec!["b"], vec!["a", "b"]]);
        assert_eq!(sets(&features(3)).len(), 8);
        let four = features(4);
        assert_eq!(sets(&four).len(), 6);
        assert_eq!(sets(&four)[5], ["a", "b", "c", "d"]);
    }

    #[test]
    fn the_default_is_no_feature_of_its_own() {
        let package = json!({"features": {"default": ["rayon"], "rayon": ["dep:rayon"]}});
        assert_eq!(features(&package), ["rayon"]);
    }
}
