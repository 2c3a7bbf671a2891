//! Rules about files and names: short files, meaningful names, no ignored tests.

use super::Complaint;
use crate::files::{below, read, shown};
use std::path::{Path, PathBuf};

/// Maximum number of lines: a longer file has more than one concept.
const MAX_LINES: usize = 500;

/// Words of praise or without meaning.
const BANNED: [&str; 15] = [
    "optimized",
    "optimised",
    "advanced",
    "intelligent",
    "unified",
    "enhanced",
    "robust",
    "fast",
    "smart",
    "manager",
    "engine",
    "helper",
    "helpers",
    "utils",
    "common",
];

const DEFINITIONS: [&str; 7] = ["fn ", "struct ", "enum ", "trait ", "mod ", "type ", "const "];

/// Forbidden fragments of lines, with reasons. Split so that this file passes.
const FORBIDDEN: [(&str, &str, &str); 3] = [
    ("#[ign", "ore", "a test that does not run has not passed"),
    ("todo", "!(", "nothing is left to do in a finished file"),
    ("dbg", "!(", "left over from debugging"),
];

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut complaints = Vec::new();
    for folder in ["crates", "xtask", "benches", "examples", "fuzz"] {
        for path in sources(&root.join(folder))? {
            complaints.extend(file(&shown(&path, root), &read(&path)?));
        }
    }
    Ok(complaints)
}

/// Rust, shader and Python sources below a folder.
pub(super) fn sources(folder: &Path) -> Result<Vec<PathBuf>, String> {
    below(folder, &["rs", "wgsl", "py"])
}

/// Lines of a Python source without its documentation.
fn code_lines(content: &str) -> usize {
    let mut documentation = false;
    let mut count = 0;
    for line in content.lines() {
        let delimiters = line.matches("\"\"\"").count();
        count += usize::from(!documentation && delimiters == 0);
        documentation ^= delimiters % 2 == 1;
    }
    count
}

fn file(path: &str, content: &str) -> Vec<Complaint> {
    let mut found = Vec::new();
    let lines = if path.ends_with(".py") { code_lines(content) } else { content.lines().count() };
    let generated = content.lines().take(3).any(|line| line.starts_with("Written by `"));
    if lines > MAX_LINES && !generated {
        found.push(format!("{path}: {lines} lines, more than {MAX_LINES}"));
    }
    let stem = Path::new(path).file_stem().and_then(|s| s.to_str()).unwrap_or_default();
    if let Some(word) = banned_word(stem) {
        found.push(format!("{path}: `{word}` in the file name"));
    }
    for (number, line) in (1..).zip(content.lines()) {
        for (start, end, reason) in FORBIDDEN {
            if line.contains(&[start, end].concat()) {
                found.push(format!("{path}:{number}: `{start}{end}`: {reason}"));
            }
        }
        if let Some((name, word)) = defined_name(line).and_then(|n| Some((n, banned_word(n)?))) {
            found.push(format!("{path}:{number}: `{word}` in the name `{name}`"));
        }
    }
    found.extend(unguarded(path, content));
    if path.ends_with("/src/lib.rs") {
        for (number, line) in (1..).zip(content.lines()) {
            let code = ["fn ", "struct ", "enum ", "trait ", "impl ", "impl<", "const ", "static "];
            // The only allowed item: its documentation test is the example of the README.
            let defines = |keyword: &&str| stripped(line).starts_with(*keyword);
            if line != "struct Readme;" && code.iter().any(defines) {
                found.push(format!("{path}:{number}: lib.rs is documentation and re-exports"));
            }
        }
    }
    found
}

/// Unwraps in a library: invalid input is an error, and `expect` states an invariant. Tests, at the
/// end of a file, in `tests.rs` or in folders of their own, may unwrap.
fn unguarded(path: &str, content: &str) -> Vec<Complaint> {
    let library = path.starts_with("crates/") && path.contains("/src/");
    if !library || path.contains("testkit") || path.ends_with("/tests.rs") {
        return Vec::new();
    }
    library_lines(content)
        .filter(|(_, line)| line.contains(".unwrap()") && !line.trim_start().starts_with("//"))
        .map(|(number, _)| format!("{path}:{number}: unwrap in a library"))
        .collect()
}

/// Numbered lines of a file without its tests: lines before the module of tests, without single
/// items under `#[cfg(test)]`.
pub(super) fn library_lines(content: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut lines = (1..).zip(content.lines());
    std::iter::from_fn(move || {
        loop {
            let (number, line) = lines.next()?;
            if line.trim_start() != "#[cfg(test)]" {
                return Some((number, line));
            }
            let indent = line.len() - line.trim_start().len();
            // In formatted code an item ends at a line with its own indent.
            let mut item = lines
                .by_ref()
                .map(|(_, line)| line)
                .filter(|line| line.len() - line.trim_start().len() == indent)
                .filter(|line| !line.trim_start().starts_with(['#', '/']) && !line.ends_with(']'));
            let first = item.next()?;
            if stripped(first).starts_with("mod ") && first.ends_with('{') {
                return None;
            }
            let ended = |line: &str| line.ends_with([';', '}', ',']);
            if !ended(first) {
                item.find(|line| ended(line))?;
            }
        }
    })
}

/// Line without the keywords before a definition.
fn stripped(line: &str) -> &str {
    let before = ["pub(crate) ", "pub(super) ", "pub ", "async ", "unsafe "];
    let next = before.iter().find_map(|word| line.strip_prefix(word));
    let next = next.or_else(|| line.strip_prefix("const ").filter(|rest| rest.starts_with("fn ")));
    next.map_or(line, stripped)
}

/// Name that a line of Rust defines.
fn defined_name(line: &str) -> Option<&str> {
    let code = stripped(line.trim_start());
    let rest = DEFINITIONS.iter().find_map(|keyword| code.strip_prefix(keyword))?;
    rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
}

/// First banned word in a name in snake or camel case.
fn banned_word(name: &str) -> Option<&'static str> {
    let mut words = String::new();
    for c in name.chars() {
        if c.is_uppercase() || c == '_' || c == '-' {
            words.push(' ');
        }
        words.extend(c.to_lowercase().filter(|c| c.is_alphanumeric()));
    }
    words.split(' ').find_map(|word| BANNED.iter().find(|banned| **banned == word).copied())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn documentation_in_python_does_not_count() {
        let quotes = "\"\"\"";
        let text = format!("{quotes}One.{quotes}\nx = 1\n{quotes}Two\n\nlines.\n{quotes}\ny = 2\n");
        assert_eq!(code_lines(&text), 2);
        assert_eq!(code_lines(""), 0);
    }

    #[test]
    fn names_are_read_word_by_word() {
        assert_eq!(banned_word("FastConvolution"), Some("fast"));
        assert_eq!(banned_word("string_utils"), Some("utils"));
        assert_eq!(banned_word("breakfast"), None);
        assert_eq!(defined_name("    pub(crate) fn smart_choice(x: f64) {"), Some("smart_choice"));
        assert_eq!(defined_name("pub const fn smart() {"), Some("smart"));
        assert_eq!(defined_name("pub(crate) async fn fast() {"), Some("fast"));
        assert_eq!(defined_name("let fast = 1;"), None);
    }

    #[test]
    fn each_violation_is_found() {
        assert_eq!(file("a.rs", &"x\n".repeat(MAX_LINES)).len(), 0);
        assert_eq!(file("a.rs", &"x\n".repeat(MAX_LINES + 1)).len(), 1);
        assert_eq!(file("helper.rs", "").len(), 1);
        assert_eq!(file("a.rs", "struct CacheManager;").len(), 1);
        assert_eq!(file("a.rs", &["    #[ign", "ore]"].concat()).len(), 1);
        assert_eq!(file("crates/a/src/lib.rs", "fn main() {}").len(), 1);
        assert_eq!(file("crates/a/src/lib.rs", "pub fn run() {}").len(), 1);
        assert_eq!(file("crates/a/src/lib.rs", "mod a;\npub use a::A;").len(), 0);
        assert_eq!(file("crates/a/src/b.rs", "x.unwrap();").len(), 1);
        assert_eq!(file("crates/a/src/b/tests.rs", "x.unwrap();").len(), 0);
        let tests = "/// x.unwrap();\n#[cfg(test)]\nmod tests {\nx.unwrap()\n}";
        assert_eq!(file("crates/a/src/b.rs", tests).len(), 0);
    }

    #[test]
    fn lines_after_a_test_item_are_checked() {
        let below = |item: &str| -> Vec<usize> {
            let text = format!("use a;\n{item}\nx.unwrap();\n#[cfg(test)]\nmod tests {{\n}}\ny");
            library_lines(&text).map(|(number, _)| number).collect()
        };
        assert_eq!(below("#[cfg(test)]\nmod tests;"), [1, 4]);
        assert_eq!(below("#[cfg(test)]\npub(crate) use b::C;"), [1, 4]);
        assert_eq!(below("#[cfg(test)]\nfn f(\n    a: A,\n) -> B {\n    b\n}"), [1, 8]);
        assert_eq!(below("#[cfg(test)]\n#[derive(\n    A\n)]\nstruct S;"), [1, 7]);
        assert_eq!(
            below("impl A {\n    #[cfg(test)]\n    fn f() {\n        1\n    }\n}"),
            [1, 2, 7, 8]
        );
        let same = "#[cfg(test)]\n#[expect(unused, reason = \"b\")]\nmod tests {\nx.unwrap();\n}";
        assert_eq!(below(same), [1]);
    }
}
