//! Packages for a registry: each published crate builds from its package, which is small.

use crate::files::failed;
use crate::metadata::{self, published, target, text};
use crate::run::{Outcome, cargo};
use std::path::Path;

/// Maximum compressed size of a package in bytes, almost twice that of the largest crate: finds
/// pictures or tables that were included by mistake.
const MAX_SIZE: u64 = 512 << 10;

pub(super) fn check() -> Outcome {
    let metadata = metadata::read()?;
    let packages: Vec<String> =
        published(&metadata).map(|package| format!("-p={}", text(package, "name"))).collect();
    cargo(&format!("package --quiet --locked --allow-dirty {}", packages.join(" ")))?;
    let folder = target(&metadata).join("package");
    for package in published(&metadata) {
        let file = format!("{}-{}.crate", text(package, "name"), text(package, "version"));
        eprintln!("{:>6} KiB  {file}", size(&folder.join(&file))? >> 10);
    }
    Ok(())
}

fn size(package: &Path) -> Result<u64, String> {
    let size = package.metadata().map_err(failed(package))?.len();
    if size > MAX_SIZE {
        return Err(format!(
            "{}: {} KiB, more than {}",
            package.display(),
            size >> 10,
            MAX_SIZE >> 10
        ));
    }
    Ok(size)
}
