//! The book: its programs run, its pictures are drawn, and mdbook makes pages of `docs/`.

use crate::run::{Outcome, cargo, finish, root};
use std::fmt;
use std::path::PathBuf;
use std::process::Command;

/// What is installed where there is no mdbook.
const VERSION: &str = "0.5.4";

/// Why there is no mdbook.
#[derive(Debug, PartialEq, Eq)]
struct NoMdbook {
    reason: String,
}

impl fmt::Display for NoMdbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason } = self;
        write!(
            f,
            "there is no mdbook in the path or in target/tools, and none could be installed: \
             {reason}\n`cargo install mdbook --version {VERSION} --locked` has to succeed once"
        )
    }
}

/// Runs the programs of the chapters, takes their pictures, and builds the pages in target/book.
pub(crate) fn run() -> Outcome {
    crate::tidy::links()?;
    for program in programs()? {
        cargo(&["run", "--quiet", "-p", "hpfracc-examples", "--example", &program])?;
    }
    take_pictures()?;
    let mut mdbook = Command::new(mdbook().map_err(|error| error.to_string())?);
    mdbook.args(["build", "docs"]).current_dir(root());
    finish(mdbook, "mdbook build docs")?;
    eprintln!("the book: target/book/index.html");
    Ok(())
}

/// The examples whose names begin with `book_`.
fn programs() -> Result<Vec<String>, String> {
    let file = root().join("examples/Cargo.toml");
    let manifest =
        std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(named(&manifest))
}

fn named(manifest: &str) -> Vec<String> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("name = \"book_"));
    names.filter_map(|rest| Some(format!("book_{}", rest.strip_suffix('"')?))).collect()
}

/// Pictures of the book that a program has drawn anew replace those beside the chapters.
fn take_pictures() -> Outcome {
    let (drawn, shown) = (root().join("target/gallery"), root().join("docs/images"));
    let listing = std::fs::read_dir(&shown).map_err(|e| format!("{}: {e}", shown.display()))?;
    for entry in listing {
        let name = entry.map_err(|e| format!("{}: {e}", shown.display()))?.file_name();
        let picture = drawn.join(&name);
        if picture.is_file() {
            let copied = std::fs::copy(&picture, shown.join(&name));
            copied.map_err(|e| format!("{}: {e}", picture.display()))?;
        }
    }
    Ok(())
}

/// An mdbook that runs: the one in the path, the one in target/tools, or one installed there.
fn mdbook() -> Result<PathBuf, NoMdbook> {
    let tools = root().join("target").join("tools");
    let own = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    let known = ["mdbook".into(), own.clone()].into_iter().find(runs);
    if let Some(found) = known {
        return Ok(found);
    }
    let folder = tools.display().to_string();
    cargo(&["install", "mdbook", "--version", VERSION, "--root", &folder, "--locked"])
        .map_err(|reason| NoMdbook { reason })?;
    if runs(&own) { Ok(own) } else { Err(NoMdbook { reason: "it does not start".to_owned() }) }
}

fn runs(program: &PathBuf) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_book_are_told_from_others() {
        let manifest =
            "[[example]]\nname = \"sir\"\n[[example]]\nname = \"book_start\"\npath = \"b\"";
        assert_eq!(named(manifest), ["book_start"]);
    }

    #[test]
    fn a_program_that_is_not_there_does_not_run() {
        assert!(!runs(&PathBuf::from("no-such-program-anywhere")));
        let error = NoMdbook { reason: "offline".to_owned() }.to_string();
        assert!(error.contains("offline") && error.contains(VERSION), "{error}");
    }
}
