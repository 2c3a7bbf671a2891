//! Formulas: TeX in the source, MathML in what is read. Browsers show it without a script or the network.
//!
//! Sources have `#[doc = formula!("name", r"TeX")]`, one formula a line. The macro, of hpfracc-special, expands to the
//! TeX, and in rustdoc to the file `formulas/name.html` of the crate, which this module writes.

use crate::run::{Outcome, root};
use pulldown_latex::config::{DisplayMode, RenderConfig};
use pulldown_latex::{Event, Parser, Storage, push_mathml};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

const OPENING: &str = "[doc = formula!(\"";

/// Writes the files of all crates.
pub(crate) fn run() -> Outcome {
    let (root, made) = (root(), made(&root())?);
    for path in left_over(&root, &made)? {
        fs::remove_file(root.join(&path)).map_err(|e| format!("{}: {e}", path.display()))?;
    }
    for (path, html) in &made {
        let file = root.join(path);
        let folder = file.parent().unwrap_or(&root);
        fs::create_dir_all(folder)
            .and_then(|()| fs::write(&file, html))
            .map_err(|e| format!("{}: {e}", path.display()))?;
    }
    eprintln!("formulas: {} files", made.len());
    Ok(())
}

/// Files that differ from what the sources say.
pub(crate) fn check(root: &Path) -> Result<Vec<String>, String> {
    let made = made(root)?;
    let stale = made.iter().filter(|(path, html)| {
        fs::read_to_string(root.join(path)).map_or(true, |found| found != **html)
    });
    let stale = stale.map(|(path, _)| path.clone()).chain(left_over(root, &made)?);
    let say =
        |path: PathBuf| format!("{}: not of this source: cargo xtask formulas", path.display());
    Ok(stale.map(say).collect())
}

/// All files that there should be, by path from the root.
fn made(root: &Path) -> Result<BTreeMap<PathBuf, String>, String> {
    let mut files = BTreeMap::new();
    for folder in crates(root)? {
        let mut sources = Vec::new();
        collect(&root.join(&folder).join("src"), &mut sources)?;
        for source in sources {
            let text = read(&source)?;
            let shown = source.strip_prefix(root).unwrap_or(&source).display();
            for formula in formulas(&text) {
                let (name, tex) = formula.map_err(|reason| format!("{shown}: {reason}"))?;
                let html = block(tex).map_err(|reason| format!("{shown}: {name}: {reason}"))?;
                let path = folder.join("formulas").join(format!("{name}.html"));
                if files.insert(path, html).is_some() {
                    return Err(format!("{shown}: a second formula called {name}"));
                }
            }
        }
    }
    Ok(files)
}

/// The names of a source's formulas, and what they are.
fn formulas(text: &str) -> impl Iterator<Item = Result<(&str, &str), String>> {
    text.split(OPENING).skip(1).map(|rest| {
        let (name, rest) = rest.split_once('"').unwrap_or((rest, ""));
        // What stands further below belongs to something else.
        let tex = rest.strip_prefix(", r\"").and_then(|rest| rest.split_once('"'));
        tex.map(|(tex, _)| (name, tex))
            .ok_or_else(|| format!("{name}: no `, r\"TeX\"` behind the name"))
    })
}

/// Files of formulas that no source has.
fn left_over(root: &Path, made: &BTreeMap<PathBuf, String>) -> Result<Vec<PathBuf>, String> {
    let mut found = Vec::new();
    for folder in crates(root)?.into_iter().map(|folder| folder.join("formulas")) {
        let Ok(listing) = fs::read_dir(root.join(&folder)) else { continue };
        for entry in listing {
            let entry = entry.map_err(|e| format!("{}: {e}", folder.display()))?;
            found.push(folder.join(entry.file_name()));
        }
    }
    found.retain(|path| !made.contains_key(path));
    Ok(found)
}

fn crates(root: &Path) -> Result<Vec<PathBuf>, String> {
    let listing = fs::read_dir(root.join("crates")).map_err(|e| format!("crates: {e}"))?;
    let names = listing.map(|entry| Ok(Path::new("crates").join(entry?.file_name())));
    names.collect::<Result<_, std::io::Error>>().map_err(|e| format!("crates: {e}"))
}

fn collect(folder: &Path, sources: &mut Vec<PathBuf>) -> Outcome {
    let listing = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    for entry in listing {
        let path = entry.map_err(|e| format!("{}: {e}", folder.display()))?.path();
        if path.is_dir() {
            collect(&path, sources)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            sources.push(path);
        }
    }
    Ok(())
}

fn read(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))
}

/// Lines of formulas as one block of HTML. rustdoc has no style for them: room above and below, and a bar
/// to scroll only where one is too long for the page.
fn block(tex: &str) -> Result<String, String> {
    let lines: Result<Vec<String>, String> = tex.lines().map(|line| mathml(line.trim())).collect();
    let lines = lines?.join("</div><div style=\"padding: 0.3em 0\">");
    let style = "margin: 0.5em 0; overflow: auto hidden";
    Ok(format!("<div style=\"{style}\"><div style=\"padding: 0.3em 0\">{lines}</div></div>\n"))
}

/// A formula in TeX as MathML that stands by itself.
pub(crate) fn mathml(tex: &str) -> Result<String, String> {
    let storage = Storage::new();
    let events: Result<Vec<Event<'_>>, _> = Parser::new(tex, &storage).collect();
    let events = events.map_err(|error| format!("`{tex}`: {error}"))?;
    let config = RenderConfig { display_mode: DisplayMode::Block, ..RenderConfig::default() };
    let mut mathml = String::new();
    push_mathml(&mut mathml, events.into_iter().map(Ok::<_, pulldown_latex::ParserError>), config)
        .map_err(|error| format!("`{tex}`: {error}"))?;
    // A block of HTML ends at the first empty line, and a sign is no tag.
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
