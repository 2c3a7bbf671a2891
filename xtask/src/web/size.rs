//! Sizes of the files of the site, as they are and as a server sends them.

use crate::files::{below, failed, shown};
use crate::run::Outcome;
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::Write;
use std::path::Path;

/// Most bytes of the site, compressed.
const MOST: usize = 4_000_000;
/// Endings of the files.
const FILES: [&str; 10] =
    ["html", "css", "js", "mjs", "wasm", "svg", "png", "ico", "json", "webmanifest"];

/// Prints the size of each file and of all.
///
/// # Errors
/// If the compressed site is too large.
pub(super) fn report(site: &Path) -> Outcome {
    let mut all = [0, 0];
    for path in below(site, &FILES)? {
        let bytes = std::fs::read(&path).map_err(failed(&path))?;
        let sizes = [bytes.len(), compressed(&bytes).map_err(failed(&path))?];
        eprintln!("{}", row(sizes, &shown(&path, site)));
        all = [all[0] + sizes[0], all[1] + sizes[1]];
    }
    eprintln!("{}", row(all, "all files"));
    if all[1] > MOST {
        return Err(format!("the compressed site has {} bytes, expected at most {MOST}", all[1]));
    }
    Ok(())
}

fn row([raw, compressed]: [usize; 2], name: &str) -> String {
    format!("{raw:>9} bytes, {compressed:>8} compressed  {name}")
}

/// Length after gzip.
fn compressed(bytes: &[u8]) -> std::io::Result<usize> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes)?;
    Ok(encoder.finish()?.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repetition_is_compressed() {
        let length = compressed(&[7; 100_000]).unwrap();
        assert!((20..1000).contains(&length), "{length}");
    }
}
