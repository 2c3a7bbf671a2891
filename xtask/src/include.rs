//! Code that a page takes from a program: the lines between `ANCHOR: name` and `ANCHOR_END: name`.

use std::path::{Component, Path, PathBuf};

/// The argument of a line `{{#include path:anchor}}`.
pub(crate) fn argument(line: &str) -> Option<&str> {
    Some(line.split_once("{{#include ")?.1.split_once("}}")?.0.trim())
}

/// What an include of a page stands for, moved to the left as far as it goes.
///
/// # Errors
/// Why it stands for nothing.
pub(crate) fn included(root: &Path, page: &Path, argument: &str) -> Result<String, String> {
    let (path, anchor) = argument.split_once(':').ok_or("an include names an anchor")?;
    let file = root.join(beside(page, path));
    let text = std::fs::read_to_string(file).map_err(|_| "no such file")?;
    let at = |word: &str| {
        let mark = format!("{word}: {anchor}");
        text.lines().position(|line| line.trim_start_matches([' ', '/']) == mark)
    };
    match (at("ANCHOR"), at("ANCHOR_END")) {
        (Some(first), Some(last)) if first + 1 < last => {
            let lines = text.lines().skip(first + 1).take(last - first - 1);
            // Anchors may lie within each other.
            Ok(to_the_left(lines.filter(|line| !line.contains("// ANCHOR")).collect()))
        }
        _ => Err("no such anchor, or nothing in it".to_owned()),
    }
}

fn to_the_left(lines: Vec<&str>) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(indent).min().unwrap_or(0);
    let moved = lines.iter().map(|line| line.get(least..).unwrap_or_default());
    moved.collect::<Vec<_>>().join("\n")
}

/// A path that a page names, from the root.
pub(crate) fn beside(page: &Path, path: &str) -> PathBuf {
    let mut from_root = PathBuf::new();
    for part in page.parent().unwrap_or(page).join(path).components() {
        match part {
            Component::ParentDir => drop(from_root.pop()),
            Component::CurDir => {}
            part => from_root.push(part),
        }
    }
    from_root
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_moves_to_the_left() {
        assert_eq!(to_the_left(vec!["    a", "", "      b"]), "a\n\n  b");
        assert_eq!(argument("{{#include ../a.rs:b}}"), Some("../a.rs:b"));
        assert_eq!(argument("{{include}}"), None);
        assert_eq!(beside(Path::new("docs/a.md"), "../b/./c.rs"), Path::new("b/c.rs"));
    }
}
