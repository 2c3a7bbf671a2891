//! Table of the problems: `benches/peers/problems.toml`.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::sync::LazyLock;

/// All problems.
pub(crate) static PROBLEMS: LazyLock<Vec<Problem>> = LazyLock::new(|| {
    let table: Table = toml::from_str(include_str!("../../../benches/peers/problems.toml"))
        .expect("benches/peers/problems.toml is a table of problems");
    table.problem
});

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Table {
    problem: Vec<Problem>,
}

/// Problem that several libraries solve.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Problem {
    /// Name in the programs.
    pub(crate) name: String,
    /// The problem and its error, for readers.
    pub(crate) says: String,
    /// Unit of the sizes.
    size: String,
    pub(crate) sizes: Vec<usize>,
    /// Number of sizes in a quick run.
    pub(crate) quick: usize,
    /// Work in one unit of the size, shown per second.
    work: Option<Work>,
    /// Methods of this library; the others are compared with the first one.
    pub(crate) ours: Vec<Method>,
    pub(crate) peers: Vec<Contender>,
}

#[derive(Serialize, Deserialize)]
struct Work {
    unit: String,
    per: f64,
}

/// Method by its name in the program, and its label for readers.
#[derive(Debug, Deserialize)]
pub(crate) struct Method {
    #[serde(rename = "method")]
    pub(crate) name: String,
    pub(crate) label: String,
}

/// Solution by another library.
#[derive(Deserialize)]
pub(crate) struct Contender {
    /// Package or program.
    pub(crate) peer: String,
    /// Program in `benches/peers`: Python, or Octave by its extension `.m`.
    pub(crate) file: String,
    #[serde(flatten)]
    pub(crate) method: Method,
}

impl Problem {
    /// Description in records.
    pub(crate) fn json(&self) -> Value {
        json!({"says": self.says, "size": self.size, "work": self.work})
    }
}

impl Contender {
    /// Whether its program runs in Octave, otherwise in Python.
    pub(crate) fn is_octave(&self) -> bool {
        self.file.ends_with(".m")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::files::{below, read};
    use crate::run::root;

    #[test]
    fn each_program_is_in_the_tree_and_knows_its_method() {
        let read = |path: &str| read(&root().join(path)).unwrap();
        let ours = below(&root().join("benches/src/bin/peers"), &["rs"]).unwrap();
        let ours: String = ours.iter().map(|path| crate::files::read(path).unwrap()).collect();
        for problem in PROBLEMS.iter() {
            let name = format!("\"{}\"", problem.name);
            assert!(!problem.ours.is_empty() && ours.contains(&name), "{name}");
            for Method { name: method, .. } in &problem.ours {
                assert!(ours.contains(&format!("\"{method}\"")), "{name}: no method {method}");
            }
            assert!((1..=problem.sizes.len()).contains(&problem.quick), "{name}");
            for contender in &problem.peers {
                let file = &contender.file;
                let text = read(&format!("benches/peers/{file}"));
                assert!(text.contains(&problem.name), "{file} does not know {name}");
                if !contender.is_octave() {
                    let method = format!("\"{}\"", contender.method.name);
                    assert!(text.contains(&method), "{file} does not know {method}");
                }
            }
        }
    }

    #[test]
    fn no_two_rows_have_one_name() {
        for problem in PROBLEMS.iter() {
            let mut methods: Vec<_> =
                problem.peers.iter().map(|c| (&c.peer, &c.method.name)).collect();
            methods.sort_unstable();
            let all = methods.len();
            methods.dedup();
            assert_eq!(methods.len(), all, "{}", problem.name);
        }
    }
}
