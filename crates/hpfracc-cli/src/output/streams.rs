//! Standard output and standard error.

use crate::Error;
use crate::text::printable;
#[cfg(feature = "commands")]
use serde::Serialize;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, Ordering};

/// Writes to standard output.
///
/// # Errors
/// [`Error::Write`]; see [`Error::is_closed_pipe`].
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    if is_silent() {
        return Ok(());
    }
    let mut out = io::stdout().lock();
    out.write_all(bytes).and_then(|()| out.flush()).map_err(failed)
}

/// Writes a diagnostic to standard error as one [printable] line; a closed standard error is
/// ignored. All diagnostics and errors of the command go through here: text of a file or of the
/// command line cannot control the terminal.
pub fn diagnostic(text: &str) {
    if is_silent() {
        return;
    }
    let _ = writeln!(io::stderr(), "hpfracc: {}", printable(text));
}

/// Writes the answer of the parser of the command line: help and version to standard output, an
/// error to standard error, [printable] line by line. Returns the exit code.
///
/// # Errors
/// [`Error::Write`] if standard output fails.
#[cfg(feature = "commands")]
pub fn write_answer(answer: &clap::Error) -> Result<u8, Error> {
    if is_silent() {
        return Ok(if answer.use_stderr() { 2 } else { 0 });
    }
    if answer.use_stderr() {
        let lines: String =
            answer.render().to_string().lines().map(|line| printable(line) + "\n").collect();
        let _ = io::stderr().write_all(lines.as_bytes());
        return Ok(2);
    }
    answer.print().and_then(|()| io::stdout().flush()).map_err(failed)?;
    Ok(0)
}

fn failed(source: io::Error) -> Error {
    Error::Write { name: "<stdout>".to_owned(), source }
}

/// Document of `--json`.
///
/// # Errors
/// [`Error::Write`].
#[cfg(feature = "commands")]
pub(crate) fn json(document: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| failed(error.into()))
}

/// Whether another rank writes.
static SILENT: AtomicBool = AtomicBool::new(false);

/// Writes nothing to standard streams from now on: another rank does.
#[cfg(feature = "commands")]
pub(crate) fn silence() {
    SILENT.store(true, Ordering::Relaxed);
}

pub(crate) fn is_silent() -> bool {
    SILENT.load(Ordering::Relaxed)
}
