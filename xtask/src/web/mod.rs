//! The explorer for browsers: builds the module of WebAssembly, and puts the static site together in target/web.
//!
//! Nothing is installed: what is missing is named with the command that installs it.

mod bindings;
mod compiler;
mod size;

use crate::files::{entries, failed, name};
use crate::run::{Outcome, root};
use bindings::{Bindgen, optimise};
use compiler::Compiler;
use std::fs;
use std::path::Path;

/// Package of the module.
const PACKAGE: &str = "hpfracc-web";
/// Its file without the ending.
const MODULE: &str = "hpfracc_web";
const TARGET: &str = "wasm32-unknown-unknown";

pub(crate) fn run(args: &[&str]) -> Outcome {
    if let Some(other) = args.first() {
        return Err(format!("cargo xtask web has no argument `{other}`"));
    }
    // Both are looked for before anything is built.
    let found = (Compiler::find(), Bindgen::find());
    let (compiler, bindgen) = match found {
        (Ok(compiler), Ok(bindgen)) => (compiler, bindgen),
        (compiler, bindgen) => {
            let missing: Vec<String> = compiler.err().into_iter().chain(bindgen.err()).collect();
            return Err(missing.join("\n\n"));
        }
    };
    let module = compiler.build()?;
    let site = root().join("target/web");
    if site.exists() {
        fs::remove_dir_all(&site).map_err(failed(&site))?;
    }
    fs::create_dir_all(&site).map_err(failed(&site))?;
    bindgen.run(&module, &site)?;
    optimise(&site.join(format!("{MODULE}_bg.wasm")))?;
    copy(&root().join("examples/web"), &site)?;
    size::report(&site)?;
    eprintln!("the site: {}; any static server shows it", site.display());
    Ok(())
}

/// Files and folders of the page that are no part of the site.
const NOT_COPIED: [&str; 3] = ["tests", "mock.js", "package.json"];

/// Copies the files of a folder, and of those in it.
fn copy(from: &Path, to: &Path) -> Outcome {
    for path in entries(from)?.into_iter().filter(|path| !NOT_COPIED.contains(&&*name(path))) {
        let copied = to.join(name(&path));
        if path.is_dir() {
            fs::create_dir_all(&copied).map_err(failed(&copied))?;
            copy(&path, &copied)?;
        } else {
            fs::copy(&path, &copied).map_err(failed(&path))?;
        }
    }
    Ok(())
}
