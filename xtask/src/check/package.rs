//! Packages for a registry: each published crate builds from its package, which is small.

use crate::metadata::{self, published, target, text};
use crate::run::{Outcome, cargo};
use std::path::Path;

/// Largest compressed size of a package in bytes, nearly twice that of the largest crate: finds a picture or a table
/// that was included by mistake.
const MOST: u64 = 512 << 10;

pub(super) fn check() -> Outcome {
    let metadata = metadata::read()?;
    let packages: Vec<String> =
        published(&metadata).map(|package| format!("-p={}", text(package, "name"))).collect();
    let mut args = vec!["package", "--quiet", "--locked", "--allow-dirty"];
    args.extend(packages.iter().map(String::as_str));
    cargo(&args)?;
    let folder = target(&metadata).join("package");
    for package in published(&metadata) {
        let file = format!("{}-{}.crate", text(package, "name"), text(package, "version"));
        eprintln!("{:>6} KiB  {file}", weigh(&folder.join(&file))? >> 10);
    }
    Ok(())
}

fn weigh(package: &Path) -> Result<u64, String> {
    let shown = package.display();
    let size = package.metadata().map_err(|error| format!("{shown}: {error}"))?.len();
    if size > MOST {
        return Err(format!("{shown}: {} KiB, more than {}", size >> 10, MOST >> 10));
    }
    Ok(size)
}
