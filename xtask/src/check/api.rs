//! Public items of each published crate, committed as its `api.txt`.

use super::Status;
use crate::files::{self, read};
use crate::metadata::{self, published, target, text};
use crate::run::{Outcome, cargo_with};
use public_api::{Builder, PublicApi};
use serde_json::Value;
use std::collections::HashSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Variable that makes this program act as rustdoc; its value is the path of rustdoc.
const RUSTDOC: &str = "XTASK_RUSTDOC";

/// Committed listing, and the items of the code.
struct Listing {
    file: PathBuf,
    items: Vec<String>,
}

/// Compares the committed listings with the code.
pub(super) fn check() -> Status {
    listings().map_or_else(|status| status, |listings| compare(&listings).into())
}

fn compare(listings: &[Listing]) -> Outcome {
    let mut different = String::new();
    for Listing { file, items } in listings {
        let committed = std::fs::read_to_string(file).unwrap_or_default();
        let committed: Vec<String> = committed.lines().map(str::to_owned).collect();
        if committed != *items {
            different.push_str(&format!("{}\n{}", file.display(), difference(&committed, items)));
        }
    }
    if different.is_empty() {
        return Ok(());
    }
    Err(format!(
        "public items differ from the committed listings:\n{different}\
         `cargo xtask api` writes the listings; a change of the public interface belongs in \
         CHANGELOG.md"
    ))
}

/// Writes the listings.
pub(crate) fn write() -> Outcome {
    let listings = listings().map_err(|status| match status {
        Status::Failed(why) | Status::Skipped(why) => why,
        Status::Done => "no listing was written".to_owned(),
    })?;
    listings
        .iter()
        .try_for_each(|Listing { file, items }| files::write(file, items.join("\n") + "\n"))
}

/// Listings of all published crates.
///
/// # Errors
/// `Skipped` if the JSON format of this rustdoc is not that of public-api.
fn listings() -> Result<Vec<Listing>, Status> {
    let metadata = metadata::read()?;
    let this = std::env::current_exe().map_err(|error| format!("this program: {error}"))?;
    let rustdoc = std::env::var_os("RUSTDOC").unwrap_or_else(|| "rustdoc".into());
    cargo_with(
        &["doc", "--quiet", "--workspace", "--all-features", "--no-deps", "--lib", "--locked"],
        &[
            ("RUSTDOC", this.as_os_str()),
            (RUSTDOC, &rustdoc),
            ("RUSTDOCFLAGS", "-Z unstable-options --output-format json".as_ref()),
        ],
    )?;
    let mut listings = Vec::new();
    for package in published(&metadata) {
        let name = text(package, "name");
        let json = target(&metadata).join("doc").join(format!("{}.json", name.replace('-', "_")));
        let (version, expected) = (version(&json)?, u64::from(rustdoc_types::FORMAT_VERSION));
        if version != expected {
            return Err(Status::Skipped(format!(
                "rustdoc writes format {version}, public-api reads format {expected}: use the version \
                 of public-api for this compiler"
            )));
        }
        let file = metadata::folder(package).join("api.txt");
        listings.push(Listing { file, items: items(&json)? });
    }
    Ok(listings)
}

/// Version of rustdoc's JSON format, which changes with the compiler.
fn version(json: &Path) -> Result<u64, String> {
    let invalid = |reason: String| format!("{}: {reason}", json.display());
    let value: Value = serde_json::from_str(&read(json)?).map_err(|e| invalid(e.to_string()))?;
    value["format_version"].as_u64().ok_or_else(|| invalid("no version".to_owned()))
}

/// A line for each public item. Derived traits, `Send` and `Sync` have the line of their
/// implementation; other automatic and blanket implementations are omitted.
fn items(json: &Path) -> Result<Vec<String>, String> {
    let build = |derived: bool| -> Result<PublicApi, String> {
        let builder = Builder::from_rustdoc_json(json).omit_blanket_impls(true);
        let builder = builder.include_function_parameter_names(true);
        let builder = builder.omit_auto_derived_impls(!derived).omit_auto_trait_impls(!derived);
        builder.build().map_err(|error| format!("{}: {error}", json.display()))
    };
    let written: HashSet<String> = build(false)?.items().map(ToString::to_string).collect();
    let all = build(true)?;
    let lines = all.items().map(ToString::to_string);
    Ok(lines.filter(|line| written.contains(line) || relied_on(line)).collect())
}

/// Whether a line is a derived or automatic implementation that users rely on.
fn relied_on(line: &str) -> bool {
    let omitted = ["Freeze", "UnsafeUnpin", "Unpin", "UnwindSafe", "StructuralPartialEq"];
    let head = line.split(" for ").next().unwrap_or_default();
    line.starts_with("impl") && !omitted.iter().any(|name| head.ends_with(name))
}

/// Removed and added lines.
fn difference(before: &[String], after: &[String]) -> String {
    let missing = |from: &[String], sign: &str, these: &[String]| -> String {
        let from: HashSet<&String> = from.iter().collect();
        let lines = these.iter().filter(|line| !from.contains(line));
        lines.map(|line| format!("  {sign} {line}\n")).collect()
    };
    let changed = missing(after, "-", before) + &missing(before, "+", after);
    if changed.is_empty() { "  the same lines in another order\n".to_owned() } else { changed }
}

/// Runs rustdoc with unstable options if cargo has started this program as rustdoc; setting
/// `RUSTC_BOOTSTRAP` for all of cargo would rebuild all dependencies.
pub(crate) fn as_rustdoc(args: &[OsString]) -> Option<Outcome> {
    let mut rustdoc = Command::new(std::env::var_os(RUSTDOC)?);
    rustdoc.args(args).env("RUSTC_BOOTSTRAP", "1");
    Some(crate::run::finish(rustdoc, "rustdoc"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn differences_list_removed_and_added_lines() {
        let (before, after) = (lines("a\nb\nc"), lines("a\nd\nc"));
        assert_eq!(difference(&before, &after), "  - b\n  + d\n");
        assert!(difference(&before, &lines("a\nc\nb")).contains("order"));
    }

    #[test]
    fn implementations_that_users_rely_on_are_listed() {
        assert!(relied_on("impl core::clone::Clone for a::B"));
        assert!(relied_on("impl<T> core::marker::Send for a::B<T> where T: core::marker::Send"));
        assert!(!relied_on("impl core::marker::Freeze for a::B"));
        assert!(!relied_on("impl core::panic::unwind_safe::RefUnwindSafe for a::B"));
        assert!(!relied_on("pub fn a::B::clone(&self) -> a::B"));
    }
}
