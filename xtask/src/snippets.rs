//! Code blocks of the book, copied into the pages from the programs of `examples/`, which run with
//! the tests.
//!
//! Two comments enclose a block that this module writes:
//!
//! ```text
//! <!-- code: ../examples/book/start.rs:uses,derivative -->
//! <!-- end of code -->
//! ```
//!
//! Each name stands for the lines between `ANCHOR: name` and `ANCHOR_END: name`.

use crate::documents::{differences, update};
use crate::run::{Outcome, root};
use std::path::{Component, Path, PathBuf};

const CODE: &str = "<!-- code: ";
const END: &str = "<!-- end of code -->";

/// Writes the code of all pages.
pub(crate) fn run() -> Outcome {
    let root = root();
    update(&|page, text| filled(&root, page, text), "code of the programs")
}

/// Pages whose code differs from the programs.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let why = "differs from the program; `cargo xtask snippets` writes it";
    differences(root, &|page, text| filled(root, page, text), why)
}

/// Page with the code of the programs.
fn filled(root: &Path, page: &Path, text: &str) -> Result<String, Vec<String>> {
    let mut new = String::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        new += &format!("{line}\n");
        let complaint = |reason: &str| vec![format!("{}:{number}: {reason}", page.display())];
        let Some(source) = line.strip_prefix(CODE).and_then(|rest| rest.strip_suffix(" -->"))
        else {
            // A malformed mark would otherwise stay unnoticed and untested.
            if line.contains(CODE.trim_end()) || line == END {
                return Err(complaint("code begins and ends with lines of their own"));
            }
            if line == "```rust" && page.starts_with("docs") {
                return Err(complaint(&format!("code of no program: `{CODE}FILE:ANCHOR -->`")));
            }
            continue;
        };
        let code =
            copied(root, page, source).map_err(|why| complaint(&format!("{source}: {why}")))?;
        if !lines.by_ref().any(|(_, line)| line == END) {
            return Err(complaint(&format!("no `{END}` follows")));
        }
        new += &format!("```rust\n{code}\n```\n{END}\n");
    }
    Ok(new)
}

/// Lines of `FILE:ANCHOR,...`, unindented.
fn copied(root: &Path, page: &Path, source: &str) -> Result<String, String> {
    let (path, anchors) = source.split_once(':').ok_or("it names no anchor")?;
    let text =
        std::fs::read_to_string(root.join(resolved(page, path))).map_err(|_| "no such file")?;
    let parts = anchors.split(',').map(|anchor| anchored(&text, anchor.trim()));
    Ok(parts.collect::<Result<Vec<String>, String>>()?.join("\n\n"))
}

fn anchored(text: &str, anchor: &str) -> Result<String, String> {
    let at = |word: &str| {
        let mark = format!("{word}: {anchor}");
        text.lines().position(|line| line.trim_start_matches([' ', '/']) == mark)
    };
    match (at("ANCHOR"), at("ANCHOR_END")) {
        (Some(first), Some(last)) if first + 1 < last => {
            let lines = text.lines().skip(first + 1).take(last - first - 1);
            // Anchors may be nested.
            Ok(unindented(lines.filter(|line| !line.contains("// ANCHOR")).collect()))
        }
        _ => Err(format!("no such anchor as `{anchor}`, or it is empty")),
    }
}

fn unindented(lines: Vec<&str>) -> String {
    let indent = |line: &&str| line.len() - line.trim_start().len();
    let filled = lines.iter().filter(|line| !line.trim().is_empty());
    let least = filled.map(indent).min().unwrap_or(0);
    let moved = lines.iter().map(|line| line.get(least..).unwrap_or_default());
    moved.collect::<Vec<_>>().join("\n")
}

/// Path from the root of a path relative to a page.
pub(crate) fn resolved(page: &Path, path: &str) -> PathBuf {
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

    const PROGRAM: &str = "// ANCHOR: uses\nuse a::b;\n// ANCHOR_END: uses\nfn f() {\n    // ANCHOR: good\n    \
                           1\n    // ANCHOR: inner\n      2\n    // ANCHOR_END: inner\n    // ANCHOR_END: good\n}\n// ANCHOR: open\n";

    /// Page of this text, filled from the program.
    fn page(text: &str) -> Result<String, String> {
        let unique = format!("hpfracc-snippets-{}-{:x}", std::process::id(), text.len());
        let root = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("code.rs"), PROGRAM).unwrap();
        let made = filled(&root, Path::new("docs/a.md"), text);
        std::fs::remove_dir_all(&root).unwrap();
        made.map_err(|found| found.concat())
    }

    #[test]
    fn code_comes_from_the_program() {
        let text =
            "a\n<!-- code: ../code.rs:uses,good -->\n```rust\nold\n```\n<!-- end of code -->\nb\n";
        let made = page(text).unwrap();
        let expected = "a\n<!-- code: ../code.rs:uses,good -->\n```rust\nuse a::b;\n\n1\n  2\n```\n\
                        <!-- end of code -->\nb\n";
        assert_eq!(made, expected);
        assert_eq!(page(&made).unwrap(), made);
    }

    #[test]
    fn each_mistake_is_found() {
        for (wrong, reason) in [
            ("<!-- code: ../code.rs:absent -->\n<!-- end of code -->", "no such anchor"),
            ("<!-- code: ../code.rs:open -->\n<!-- end of code -->", "no such anchor"),
            ("<!-- code: ../none.rs:good -->\n<!-- end of code -->", "no such file"),
            ("<!-- code: ../code.rs -->\n<!-- end of code -->", "names no anchor"),
            ("<!-- code: ../code.rs:good -->\n```rust\n```", "no `<!-- end of code -->` follows"),
            ("a <!-- code: ../code.rs:good -->", "lines of their own"),
            ("<!-- end of code -->", "lines of their own"),
            ("```rust\nuntested();\n```", "code of no program"),
        ] {
            let found = page(wrong).unwrap_err();
            assert!(found.starts_with("docs/a.md:1: ") && found.contains(reason), "{found}");
        }
    }

    #[test]
    fn paths_are_relative_to_the_page() {
        assert_eq!(resolved(Path::new("docs/a.md"), "../b/./c.rs"), Path::new("b/c.rs"));
    }
}
