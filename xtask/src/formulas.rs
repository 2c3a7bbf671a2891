//! Formulas: TeX in the source, MathML in the documentation, which browsers show without a script
//! or the network.
//!
//! Sources have `#[doc = formula!("name", r"TeX")]`, one formula a line. The macro of
//! hpfracc-special expands to the TeX, and in rustdoc to the file `formulas/name.html` of the
//! crate, which this module writes.

use crate::files::{below, entries, failed, read, shown, write};
use crate::run::{Outcome, root};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, Storage, push_mathml};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const OPENING: &str = "[doc = formula!(\"";

/// Writes the files of all crates.
pub(crate) fn run() -> Outcome {
    let root = root();
    let files = rendered(&root)?;
    for path in unused(&root, &files)? {
        fs::remove_file(&path).map_err(failed(&path))?;
    }
    files.iter().try_for_each(|(path, html)| write(path, html))?;
    eprintln!("formulas: {} files", files.len());
    Ok(())
}

/// Files that differ from the sources.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let files = rendered(root)?;
    let stale = files
        .iter()
        .filter(|(path, html)| fs::read_to_string(path).map_or(true, |found| found != **html));
    let stale = stale.map(|(path, _)| path.clone()).chain(unused(root, &files)?);
    let complaint = |path: PathBuf| {
        format!("{}: differs from the source; `cargo xtask formulas` writes it", shown(&path, root))
    };
    Ok(stale.map(complaint).collect())
}

/// Content of the files of all formulas by path.
fn rendered(root: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut files = BTreeMap::new();
    for folder in entries(&root.join("crates"))? {
        for source in below(&folder.join("src"), &["rs"])? {
            let (text, shown) = (read(&source)?, shown(&source, root));
            for formula in formulas(&text) {
                let (name, tex) = formula.map_err(|reason| format!("{shown}: {reason}"))?;
                let html = block(tex).map_err(|reason| format!("{shown}: {name}: {reason}"))?;
                let path = folder.join("formulas").join(format!("{name}.html"));
                if files.insert(path, html).is_some() {
                    return Err(format!("{shown}: a second formula named {name}"));
                }
            }
        }
    }
    Ok(files)
}

/// Name and TeX of each formula in a source.
fn formulas(text: &str) -> impl Iterator<Item = Result<(&str, &str), String>> {
    text.split(OPENING).skip(1).map(|rest| {
        let (name, rest) = rest.split_once('"').unwrap_or((rest, ""));
        // A string further below does not belong to the formula.
        let tex = rest.strip_prefix(", r\"").and_then(|rest| rest.split_once('"'));
        tex.map(|(tex, _)| (name, tex))
            .ok_or_else(|| format!("{name}: no `, r\"TeX\"` after the name"))
    })
}

/// Files of formulas that no source has.
fn unused(root: &Path, files: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>, String> {
    let folders = entries(&root.join("crates"))?.into_iter().map(|folder| folder.join("formulas"));
    let found = folders.filter(|folder| folder.is_dir()).map(|folder| entries(&folder));
    let found: Vec<Vec<PathBuf>> = found.collect::<Result<_, _>>()?;
    Ok(found.concat().into_iter().filter(|path| !files.contains_key(path)).collect())
}

/// Lines of formulas as one block of HTML. rustdoc has no style for them: margins above and below,
/// and a scroll bar only where a formula is too long for the page.
fn block(tex: &str) -> Result<String, String> {
    let lines: Result<Vec<String>, String> = tex.lines().map(|line| mathml(line.trim())).collect();
    let lines = lines?.join("</div><div style=\"padding: 0.3em 0\">");
    let style = "margin: 0.5em 0; overflow: auto hidden";
    Ok(format!("<div style=\"{style}\"><div style=\"padding: 0.3em 0\">{lines}</div></div>\n"))
}

/// TeX formula as displayed MathML.
pub(crate) fn mathml(tex: &str) -> Result<String, String> {
    let storage = Storage::new();
    let events: Result<Vec<Event<'_>>, _> = Parser::new(tex, &storage).collect();
    let events = events.map_err(|error| format!("`{tex}`: {error}"))?;
    let config = RenderConfig { display_mode: DisplayMode::Block, ..RenderConfig::default() };
    let mut mathml = String::new();
    push_mathml(&mut mathml, events.into_iter().map(Ok::<_, pulldown_latex::ParserError>), config)
        .map_err(|error| format!("`{tex}`: {error}"))?;
    // A block of HTML ends at the first empty line, and `<` must not start a tag.
    Ok(mathml.replace('\n', " ").replace("<mo><</mo>", "<mo>&lt;</mo>"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_become_mathml() {
        let made = mathml(r"\frac{1}{\Gamma(1-\alpha)}").unwrap();
        assert!(made.starts_with("<math") && made.contains("<mfrac>"), "{made}");
        assert!(mathml("a < b").unwrap().contains("<mo>&lt;</mo>"));
        assert!(mathml(r"\frac{1}{").is_err());
        assert!(mathml(r"\nosuchthing").is_err());
        assert_eq!(block("a\n    b").unwrap().matches("<math").count(), 2);
    }

    #[test]
    fn formulas_are_found_in_a_source() {
        let text =
            "//! A.\n#![doc = formula!(\"a\", r\"x^2\")]\n#[doc = formula!(\"b\", r\"y\nz\")]";
        let found: Result<Vec<_>, _> = formulas(text).collect();
        assert_eq!(found.unwrap(), [("a", "x^2"), ("b", "y\nz")]);
        for wrong in ["#[doc = formula!(\"a\", \"x\")]\nlet b = r\"y\";", "#[doc = formula!(\"a"] {
            assert!(
                formulas(wrong).next().unwrap().is_err_and(|e| e.starts_with("a: no")),
                "{wrong}"
            );
        }
    }

    #[test]
    fn what_is_missing_stale_or_left_over_is_found() {
        let root = std::env::temp_dir().join(format!("hpfracc-formulas-{}", std::process::id()));
        let (source, folder) = (root.join("crates/a/src"), root.join("crates/a/formulas"));
        fs::create_dir_all(&source).unwrap();
        fs::create_dir_all(&folder).unwrap();
        fs::write(source.join("lib.rs"), "#[doc = formula!(\"a\", r\"x\")]").unwrap();
        let complaints = || check(&root).unwrap().len();
        assert_eq!(complaints(), 1);
        fs::write(folder.join("a.html"), block("x").unwrap()).unwrap();
        assert_eq!(complaints(), 0);
        fs::write(folder.join("b.html"), "").unwrap();
        assert_eq!(complaints(), 1);
        fs::write(folder.join("a.html"), block("y").unwrap()).unwrap();
        assert_eq!(complaints(), 2);
        fs::remove_dir_all(&root).unwrap();
    }
}
