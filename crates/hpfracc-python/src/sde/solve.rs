//! Solves with checkpoints in a file.

use super::failure::of_sde;
use super::settings::Settings;
use crate::errors;
use hpfracc::noise::Gaussian;
use hpfracc::sde::{Checkpoint, Collect, Run};
use pyo3::prelude::*;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::path::Path;
use std::time::Duration;

/// Solves all remaining paths. With a file for checkpoints, goes on from the one in it and writes them.
///
/// # Errors
/// Those of the solve, `OSError` for files that cannot be used, and `InputError` for a checkpoint of another solve.
pub(super) fn finished<T: Gaussian, K: Collect<T>>(
    run: Run<'_, T, K>,
    settings: &Settings,
) -> PyResult<K::Output> {
    let Some(path) = &settings.checkpoint else { return run.finish().map_err(of_sde) };
    let run = match read(path)? {
        Some(checkpoint) => run
            .restore(&checkpoint)
            .map_err(|error| errors::input(format!("{}: {error}", path.display())))?,
        None => run,
    };
    let interval =
        Duration::try_from_secs_f64(settings.checkpoint_interval).unwrap_or(Duration::MAX);
    loop {
        let state = run.advance_for(interval);
        // After an error, too: paths that were solved need not be solved again.
        let written = write(path, &run.checkpoint());
        if state.map_err(of_sde)? {
            written?;
            return run.finish().map_err(of_sde);
        }
        written?;
    }
}

fn read(path: &Path) -> PyResult<Option<Checkpoint>> {
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error.into()),
    };
    let checkpoint = serde_json::from_reader(BufReader::new(file));
    checkpoint.map(Some).map_err(|error| {
        errors::input(format!("{} is no checkpoint of an ensemble: {error}", path.display()))
    })
}

/// Replaces the file at once, so that a kill leaves the old one or the new one.
fn write(path: &Path, checkpoint: &Checkpoint) -> PyResult<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".new");
    let new = Path::new(&name);
    let mut file = BufWriter::new(File::create(new)?);
    serde_json::to_writer(&mut file, checkpoint).map_err(std::io::Error::from)?;
    file.flush()?;
    file.get_ref().sync_all()?;
    drop(file);
    Ok(fs::rename(new, path)?)
}
