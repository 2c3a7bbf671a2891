//! Pages of README and book with generated parts: `cargo xtask figures` and `snippets`.

use crate::files::{entries, has_extension, read, write};
use crate::run::{Outcome, root};
use std::path::{Path, PathBuf};

/// Generates the parts of a page: the new text from the path of the page from the root and its text.
///
/// # Errors
/// Errors of the page, with line numbers.
pub(crate) type Fill<'a> = &'a dyn Fn(&Path, &str) -> Result<String, Vec<String>>;

/// README and the pages of the book, as paths from the root.
pub(crate) fn pages(root: &Path) -> Result<Vec<PathBuf>, String> {
    let mut found = entries(&root.join("docs"))?;
    found.retain(|path| has_extension(path, &["md"]));
    found.push(root.join("README.md"));
    let mut found: Vec<PathBuf> =
        found.iter().map(|path| path.strip_prefix(root).unwrap_or(path).to_path_buf()).collect();
    found.sort();
    Ok(found)
}

/// Writes the pages that change; `what` names the new parts.
pub(crate) fn update(fill: Fill<'_>, what: &str) -> Outcome {
    let mut complaints = Vec::new();
    for page in pages(&root())? {
        let path = root().join(&page);
        let text = read(&path)?;
        match fill(&page, &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                write(&path, new)?;
                eprintln!("{}: {what}", page.display());
            }
            Err(found) => complaints.extend(found),
        }
    }
    if complaints.is_empty() { Ok(()) } else { Err(complaints.join("\n")) }
}

/// Errors of all pages, and the first line of each page that would change, with the reason `why`.
pub(crate) fn differences(root: &Path, fill: Fill<'_>, why: &str) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for page in pages(root)? {
        let text = read(&root.join(&page))?;
        match fill(&page, &text) {
            Ok(new) if new == text => {}
            Ok(new) => {
                let same = text.lines().zip(new.lines()).take_while(|(a, b)| a == b).count();
                found.push(format!("{}:{}: {why}", page.display(), same + 1));
            }
            Err(complaints) => found.extend(complaints),
        }
    }
    Ok(found)
}
