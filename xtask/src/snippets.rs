//! Code blocks of the book: copied into the pages from the programs of `examples/`, which run with the tests.
//!
//! Two comments enclose a block that this module writes:
//!
//! ```text
//! <!-- code: ../examples/book/start.rs:uses,derivative -->
//! <!-- end of code -->
//! ```
//!
//! Each name stands for the lines between `ANCHOR: name` and `ANCHOR_END: name`.

use crate::figures::pages;
use crate::run::{Outcome, root};
use std::path::{Component, Path, PathBuf};

const CODE: &str = "<!-- code: ";
const END: &str = "<!-- end of code -->";

/// Writes the code of all pages.
pub(crate) fn run() -> Outcome {
    let mut complaints = Vec::new();
    for page in pages(&root())? {
        let text = read(&root().join(&page))?;
        match filled(&root(), &page, &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                std::fs::write(root().join(&page), new)
                    .map_err(|error| format!("{}: {error}", page.display()))?;
                eprintln!("{}: code of the programs", page.display());
            }
            Err(complaint) => complaints.push(complaint),
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Pages whose code is not that of the programs.
pub(crate) fn complaints(root: &Path) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for page in pages(root)? {
        let text = read(&root.join(&page))?;
        match filled(root, &page, &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                let same = text.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
                let what = "not what the program has; `cargo xtask snippets` writes it";
                found.push(format!("{}:{}: {what}", page.display(), same + 1));
            }
            Err(complaint) => found.push(complaint),
        }
    }
    Ok(found)
}

fn read(path: &Path) -> Result<String, String> {
    std::fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))
}

/// A page with the code of the programs.
fn filled(root: &Path, page: &Path, text: &str) -> Result<String, String> {
    let mut made = String::new();
    let mut lines = (1..).zip(text.lines());
    while let Some((number, line)) = lines.next() {
        made += &format!("{line}\n");
        let complaint = |reason: &str| format!("{}:{number}: {reason}", page.display());
        let asked = line.strip_prefix(CODE).and_then(|rest| rest.strip_suffix(" -->"));
        let Some(asked) = asked else {
            // What would otherwise stay as it is, unnoticed and untested.
            if line.contains(CODE.trim_end()) || line == END {
                return Err(complaint("code begins and ends with lines of their own"));
            }
            if line == "```rust" && page.starts_with("docs") {
                return Err(complaint(&format!("code of no program: `{CODE}FILE:ANCHOR -->`")));
            }
            continue;
        };
        let code = taken(root, page, asked).map_err(|why| complaint(&format!("{asked}: {why}")))?;
        if !lines.by_ref().any(|(_, line)| line == END) {
            return Err(complaint(&format!("no `{END}` follows")));
        }
        made += &format!("```rust\n{code}\n```\n{END}\n");
    }
    Ok(made)
}

/// The lines that a page names, moved to the left as far as they go.
fn taken(root: &Path, page: &Path, asked: &str) -> Result<String, String> {
    let (path, anchors) = asked.split_once(':').ok_or("it names no anchor")?;
    let text =
        std::fs::read_to_string(root.join(beside(page, path))).map_err(|_| "no such file")?;
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
            // Anchors may lie within each other.
            Ok(to_the_left(lines.filter(|line| !line.contains("// ANCHOR")).collect()))
        }
        _ => Err(format!("no such anchor as `{anchor}`, or nothing in it")),
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

    const PROGRAM: &str = "// ANCHOR: uses\nuse a::b;\n// ANCHOR_END: uses\nfn f() {\n    // ANCHOR: good\n    \
                           1\n    // ANCHOR: inner\n      2\n    // ANCHOR_END: inner\n    // ANCHOR_END: good\n}\n// ANCHOR: open\n";

    /// A page of this text beside the program, with its code.
    fn page(text: &str) -> Result<String, String> {
        let unique = format!("hpfracc-snippets-{}-{:x}", std::process::id(), text.len());
        let root = std::env::temp_dir().join(unique);
        std::fs::create_dir_all(&root).unwrap();
        std::fs::write(root.join("code.rs"), PROGRAM).unwrap();
        let made = filled(&root, Path::new("docs/a.md"), text);
        std::fs::remove_dir_all(&root).unwrap();
        made
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
    fn paths_are_taken_from_the_page() {
        assert_eq!(beside(Path::new("docs/a.md"), "../b/./c.rs"), Path::new("b/c.rs"));
    }
}
