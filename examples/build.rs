//! Makes a function of each Rust block of README and book, with only the prelude before it.
//! The test program `tests/blocks.rs` compiles all of them at once.

use std::fmt::Write;
use std::fs;
use std::path::Path;

fn main() {
    let package = std::env::var_os("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let root = Path::new(&package).parent().expect("a member of the workspace");
    let docs = root.join("docs");
    let listing = fs::read_dir(&docs).expect("the folder of the book");
    let mut pages: Vec<_> = listing.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|page| page.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.push(root.join("README.md"));
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed={}", docs.display());

    let mut code = String::new();
    let mut count = 0;
    for page in pages {
        println!("cargo::rerun-if-changed={}", page.display());
        let text = fs::read_to_string(&page).expect("a page of text");
        let name = page.strip_prefix(root).expect("below the root").display().to_string();
        for (line, block) in blocks(&text) {
            count += 1;
            let _ = write!(
                code,
                "// {name}:{line}\nmod block_{count} {{\nuse hpfracc::prelude::*;\n\
                 fn pasted() -> Result<(), Box<dyn std::error::Error>> {{\n{block}\nOk(())\n}}\n}}\n"
            );
        }
    }
    let _ = writeln!(code, "const BLOCKS: usize = {count};");
    let out = std::env::var_os("OUT_DIR").expect("cargo sets it");
    fs::write(Path::new(&out).join("blocks.rs"), code).expect("a file of this build");
}

/// Rust blocks of a page, each with the number of its first line.
fn blocks(text: &str) -> Vec<(usize, String)> {
    let mut lines = (1..).zip(text.lines());
    let mut blocks = Vec::new();
    while let Some((number, line)) = lines.next() {
        if line == "```rust" {
            let block = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
            blocks.push((number + 1, block.collect::<Vec<_>>().join("\n")));
        }
    }
    blocks
}
