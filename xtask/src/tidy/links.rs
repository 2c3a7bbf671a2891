//! Relative links and anchors in the pages of the repository and of the book have targets.

use super::Complaint;
use crate::files::{entries, has_extension, read};
use crate::snippets::resolved;
use std::collections::HashMap;
use std::path::{Path, PathBuf};

/// Table of contents of the book.
const SUMMARY: &str = "docs/SUMMARY.md";

pub(super) fn check(root: &Path) -> Result<Vec<Complaint>, String> {
    let mut pages = pages(root)?;
    pages.extend(pages_of(root, Path::new("docs"))?);
    let mut found = Vec::new();
    for page in &pages {
        let text = read(&root.join(page))?;
        for (number, line) in prose(&text) {
            for target in targets(line) {
                if let Err(reason) = follow(root, page, target) {
                    found.push(format!("{}:{number}: `{target}`: {reason}", page.display()));
                }
            }
        }
    }
    found.extend(unlisted(&read(&root.join(SUMMARY))?, &pages));
    Ok(found)
}

/// Pages at the root and of the members of the workspace.
fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut members = entries(&root.join("crates"))?;
    members.extend(["benches", "examples", "fuzz", "xtask"].map(|member| root.join(member)));
    let mut found = pages_of(root, Path::new(""))?;
    for member in members.iter().filter(|member| member.is_dir()) {
        found.extend(pages_of(root, member.strip_prefix(root).unwrap_or(member))?);
    }
    Ok(found)
}

/// Pages in a folder, without its subfolders, as paths from the root.
fn pages_of(root: &Path, folder: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = entries(&root.join(folder))?;
    found.retain(|path| has_extension(path, &["md"]));
    let names = found.iter().filter_map(|path| path.file_name());
    Ok(names.map(|name| folder.join(name)).collect())
}

/// Pages of the book that are missing in the table of contents.
fn unlisted(summary: &str, pages: &[PathBuf]) -> Vec<Complaint> {
    let listed: Vec<&str> = summary.lines().flat_map(targets).collect();
    let chapters = pages.iter().filter_map(|page| page.strip_prefix("docs").ok()?.to_str());
    let absent = chapters.filter(|name| *name != "SUMMARY.md" && !listed.contains(name));
    absent.map(|name| format!("{SUMMARY}: docs/{name} is not listed")).collect()
}

/// Numbered lines outside fenced code.
fn prose(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut fenced = false;
    (1..).zip(text.lines()).filter(move |(_, line)| {
        let fence = line.trim_start().starts_with("```");
        fenced ^= fence;
        !fenced && !fence
    })
}

/// Targets of links and pictures in a line, `[..](target)`, outside code spans.
fn targets(line: &str) -> Vec<&str> {
    let outside = line.split('`').step_by(2);
    // The text of a link may contain code; its closing bracket is then in a later piece.
    outside
        .flat_map(|piece| piece.match_indices("](").map(move |(at, _)| &piece[at + 2..]))
        .filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
        .collect()
}

/// Checks that a link of a page leads to a file, and its anchor to a heading.
fn follow(root: &Path, page: &Path, target: &str) -> Result<(), String> {
    if target.contains("://") || target.starts_with("mailto:") {
        return Ok(());
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    let to = if path.is_empty() { page.to_path_buf() } else { resolved(page, path) };
    // Links to programs are rewritten for the book: see `pages`.
    let program = to.extension().is_some_and(|extension| extension == "rs");
    if page.starts_with("docs") && !to.starts_with("docs") && !program {
        return Err("outside docs, which the book does not contain".to_owned());
    }
    if !root.join(&to).exists() {
        return Err("no such file".to_owned());
    }
    if anchor.is_empty() || headings(&read(&root.join(&to))?).iter().any(|h| h == anchor) {
        Ok(())
    } else {
        Err("no such heading".to_owned())
    }
}

/// Anchors of the headings of a page, as mdbook and the repository's website name them.
fn headings(text: &str) -> Vec<String> {
    let mut times: HashMap<String, usize> = HashMap::new();
    let titles = prose(text).filter_map(|(_, line)| {
        let title = line.trim_start_matches('#');
        (title.len() < line.len()).then(|| title.strip_prefix(' '))?
    });
    let mut anchors = Vec::new();
    for title in titles {
        let anchor = slug(title);
        let before = times.entry(anchor.clone()).or_insert(0);
        anchors.push(if *before == 0 { anchor } else { format!("{anchor}-{before}") });
        *before += 1;
    }
    anchors
}

fn slug(title: &str) -> String {
    let characters = title.trim().chars().filter_map(|c| match c {
        ' ' => Some('-'),
        c if c.is_alphanumeric() || c == '-' || c == '_' => Some(c),
        _ => None,
    });
    characters.flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn links_are_found_outside_code() {
        assert_eq!(targets("a [b](c.md) and ![d](e.svg)"), ["c.md", "e.svg"]);
        assert_eq!(targets("[`code`](f.md#g) `[not](this)`"), ["f.md#g"]);
        let text = "[a](b)\n```\n[c](d)\n```\n[e](f)";
        assert_eq!(prose(text).flat_map(|(_, line)| targets(line)).collect::<Vec<_>>(), ["b", "f"]);
    }

    #[test]
    fn headings_become_anchors() {
        let text =
            "# How exact, how fast?\n```\n# no heading\n```\n## On a GPU\n## On a GPU\n#none";
        assert_eq!(headings(text), ["how-exact-how-fast", "on-a-gpu", "on-a-gpu-1"]);
        assert_eq!(slug("`hpfracc diff`"), "hpfracc-diff");
        assert_eq!(slug("L1: order 2 - alpha"), "l1-order-2---alpha");
    }

    /// A workspace of two pages, of which `changed` replaces the second.
    fn complaints(changed: &str) -> Vec<Complaint> {
        let unique = format!("hpfracc-links-{}-{:x}", std::process::id(), changed.len());
        let root = std::env::temp_dir().join(unique);
        fs::create_dir_all(root.join("docs")).unwrap();
        fs::create_dir_all(root.join("crates/a")).unwrap();
        let write = |name: &str, text: &str| fs::write(root.join(name), text).unwrap();
        write("README.md", "[book](docs/a.md#two-words)");
        write("crates/a/README.md", "[a](../../docs/a.md) [b](../../code.rs)");
        write("docs/SUMMARY.md", "- [A](a.md)");
        write("docs/a.md", changed);
        write("code.rs", "");
        let found = check(&root).unwrap();
        fs::remove_dir_all(&root).unwrap();
        found
    }

    #[test]
    fn each_broken_link_is_found() {
        let good = "# Two words\n[up](#two-words) [away](https://a.b/c#d) [program](../code.rs)";
        assert_eq!(complaints(good), Vec::<Complaint>::new());
        for (wrong, reason) in [
            ("# Two words\n[x](b.md)", "no such file"),
            ("# Two words\n[x](#three)", "no such heading"),
            ("# Two words\n[x](../README.md)", "outside docs"),
            ("# Two words\n[x](../none.rs)", "no such file"),
            ("# Other", "no such heading"),
        ] {
            let found = complaints(wrong);
            assert!(found.len() == 1 && found[0].contains(reason), "{wrong}: {found:?}");
        }
    }

    #[test]
    fn pages_of_members_are_checked() {
        let root = std::env::temp_dir().join(format!("hpfracc-pages-{}", std::process::id()));
        fs::create_dir_all(root.join("crates/a")).unwrap();
        fs::create_dir_all(root.join("benches")).unwrap();
        for page in ["ARCHITECTURE.md", "crates/a/README.md", "benches/README.md", "benches/a.txt"]
        {
            fs::write(root.join(page), "").unwrap();
        }
        let expected = ["ARCHITECTURE.md", "crates/a/README.md", "benches/README.md"];
        assert_eq!(pages(&root).unwrap(), expected.map(PathBuf::from));
        fs::remove_dir_all(&root).unwrap();
    }

    #[test]
    fn an_unlisted_page_is_found() {
        let pages = ["docs/SUMMARY.md", "docs/a.md", "docs/b.md", "README.md"].map(PathBuf::from);
        assert_eq!(unlisted("- [A](a.md)", &pages).len(), 1);
    }
}
