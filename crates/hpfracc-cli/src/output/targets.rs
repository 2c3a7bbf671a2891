//! Output files of a command: checked before the work, written together.

use crate::Error;
use hpfracc_plot::{PendingFile, resolve};
use std::fs;
use std::path::Path;

/// Writes several files; all are complete before the first one is renamed.
///
/// # Errors
/// [`Error::Write`] on an I/O error.
pub(crate) fn publish<'a>(
    files: impl IntoIterator<Item = (&'a Path, Vec<u8>)>,
) -> Result<(), Error> {
    let pending = files.into_iter().map(|(target, bytes)| PendingFile::new(target, bytes));
    let pending = pending.collect::<Result<Vec<_>, _>>()?;
    Ok(pending.into_iter().try_for_each(PendingFile::publish)?)
}

/// Checks before a long computation that files can be written. Leaves no file.
///
/// # Errors
/// [`Error::Write`].
pub(crate) fn refuse_unwritable<'a>(
    targets: impl IntoIterator<Item = &'a Path>,
) -> Result<(), Error> {
    // Opening and closing a pipe would end its reader.
    let named = |target: &Path| fs::metadata(target).map_or(true, |it| it.is_file() || it.is_dir());
    targets.into_iter().filter(|target| named(target)).try_for_each(|target| {
        drop(PendingFile::begin(target)?);
        Ok(())
    })
}

/// Checks that no file is both input and output, or output twice.
pub(crate) fn refuse_shared_files(files: &[(&'static str, Option<&Path>)]) -> Result<(), Error> {
    for (k, (second, path)) in files.iter().enumerate() {
        for (first, other) in &files[..k] {
            let (Some(path), Some(other)) = (path, other) else { continue };
            if same_file(path, other) {
                return Err(Error::SameFile { path: path.display().to_string(), first, second });
            }
        }
    }
    Ok(())
}

fn same_file(a: &Path, b: &Path) -> bool {
    let streams = a.as_os_str() == "-" || b.as_os_str() == "-";
    // Neither file has to exist.
    let same = a == b || resolve(a).is_ok_and(|a| resolve(b).is_ok_and(|b| same_name(&a, &b)));
    // Devices such as /dev/stdin may be named twice.
    !streams && same && !fs::metadata(a).is_ok_and(|m| !m.is_file())
}

/// Whether two paths are the same file of a new name on this operating system.
fn same_name(a: &Path, b: &Path) -> bool {
    let folded = |path: &Path| path.to_string_lossy().to_lowercase();
    a == b || (cfg!(any(windows, target_os = "macos")) && folded(a) == folded(b))
}
