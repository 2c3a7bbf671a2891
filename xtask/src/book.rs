//! The book: runs its programs, draws the gallery, and builds the pages of `docs/` with mdbook.

use crate::files::{entries, name, read};
use crate::run::{Outcome, cargo, cargo_with, finish, root};
use std::fmt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Version of mdbook that is installed if none is found.
const VERSION: &str = "0.5.4";

/// mdbook can be neither found nor installed.
#[derive(Debug, PartialEq, Eq)]
struct NoMdbook {
    reason: String,
}

impl fmt::Display for NoMdbook {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { reason } = self;
        write!(
            f,
            "no mdbook in the path or in target/tools, and its installation failed: {reason}\n\
             `cargo install mdbook --version {VERSION} --locked` has to succeed once"
        )
    }
}

/// Runs the programs of the chapters and the gallery, copies the pictures, and builds the pages in
/// target/book.
pub(crate) fn run() -> Outcome {
    crate::tidy::pages()?;
    for program in programs()? {
        let run = "run --quiet -p hpfracc-examples --features commands --example";
        cargo(&format!("{run} {program}"))?;
    }
    cargo("run --release -p hpfracc-examples --example gallery")?;
    copy_pictures(&root().join("target/gallery"), &root().join("docs/images"))?;
    let mut mdbook = Command::new(mdbook().map_err(|error| error.to_string())?);
    mdbook.args(["build", "docs"]).current_dir(root());
    finish(mdbook, "mdbook build docs")?;
    eprintln!("the book: target/book/index.html");
    Ok(())
}

/// The examples whose names begin with `book_`.
fn programs() -> Result<Vec<String>, String> {
    Ok(named(&read(&root().join("examples/Cargo.toml"))?))
}

fn named(manifest: &str) -> Vec<String> {
    let names = manifest.lines().filter_map(|line| line.strip_prefix("name = \"book_"));
    names.filter_map(|rest| Some(format!("book_{}", rest.strip_suffix('"')?))).collect()
}

/// Names of screenshots of the explorer begin with it: a browser draws them, and no program of the gallery.
const SCREENSHOT: &str = "explorer_";

/// Replaces the pictures of the book by those of the gallery.
fn copy_pictures(drawn: &Path, shown: &Path) -> Outcome {
    let pictures = entries(shown)?;
    for picture in pictures.iter().filter(|picture| !name(picture).starts_with(SCREENSHOT)) {
        std::fs::copy(drawn.join(name(picture)), picture)
            .map_err(|e| format!("{}: no program draws it: {e}", picture.display()))?;
    }
    Ok(())
}

/// mdbook that runs: from the path, from target/tools, or newly installed there.
fn mdbook() -> Result<PathBuf, NoMdbook> {
    let tools = root().join("target").join("tools");
    let own = tools.join("bin").join(format!("mdbook{}", std::env::consts::EXE_SUFFIX));
    if let Some(installed) = ["mdbook".into(), own.clone()].into_iter().find(runs) {
        return Ok(installed);
    }
    let folder = tools.display().to_string();
    let install = ["install", "mdbook", "--version", VERSION, "--root", &folder, "--locked"];
    cargo_with(&install, &[]).map_err(|reason| NoMdbook { reason })?;
    if runs(&own) { Ok(own) } else { Err(NoMdbook { reason: "it does not start".to_owned() }) }
}

fn runs(program: &PathBuf) -> bool {
    Command::new(program).arg("--version").output().is_ok_and(|output| output.status.success())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_of_the_book_are_found() {
        let manifest =
            "[[example]]\nname = \"sir\"\n[[example]]\nname = \"book_start\"\npath = \"b\"";
        assert_eq!(named(manifest), ["book_start"]);
    }

    #[test]
    fn each_picture_is_drawn_by_a_program() {
        let temporary = std::env::temp_dir().join(format!("hpfracc-book-{}", std::process::id()));
        let [drawn, shown] = ["drawn", "shown"].map(|name| temporary.join(name));
        for folder in [&drawn, &shown] {
            std::fs::create_dir_all(folder).unwrap();
            std::fs::write(folder.join("a.svg"), folder.to_str().unwrap()).unwrap();
        }
        std::fs::write(drawn.join("a.png"), "not shown").unwrap();
        std::fs::write(shown.join("explorer_a.png"), "by a browser").unwrap();
        copy_pictures(&drawn, &shown).unwrap();
        assert_eq!(std::fs::read_to_string(shown.join("a.svg")).unwrap(), drawn.to_str().unwrap());
        assert!(!shown.join("a.png").exists());
        std::fs::write(shown.join("b.svg"), "").unwrap();
        assert!(copy_pictures(&drawn, &shown).unwrap_err().contains("b.svg: no program draws it"));
        std::fs::remove_dir_all(&temporary).unwrap();
    }

    /// The chapter of the pictures shows all of them.
    #[test]
    fn the_gallery_is_complete() {
        let page = std::fs::read_to_string(root().join("docs/gallery.md")).unwrap();
        for entry in std::fs::read_dir(root().join("docs/images")).unwrap() {
            let name = entry.unwrap().file_name().into_string().unwrap();
            assert!(page.contains(&format!("](images/{name})")), "{name}");
        }
    }

    #[test]
    fn a_program_that_is_not_there_does_not_run() {
        assert!(!runs(&PathBuf::from("no-such-program-anywhere")));
        let error = NoMdbook { reason: "offline".to_owned() }.to_string();
        assert!(error.contains("offline") && error.contains(VERSION), "{error}");
    }
}
