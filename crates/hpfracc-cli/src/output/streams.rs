//! Standard output and standard error.

use crate::Error;
#[cfg(feature = "commands")]
use serde::Serialize;
use std::io::{self, Write};

/// Writes to standard output.
///
/// # Errors
/// [`Error::Write`]; see [`Error::is_closed_pipe`].
pub fn write_stdout(bytes: &[u8]) -> Result<(), Error> {
    let mut out = io::stdout().lock();
    out.write_all(bytes)
        .and_then(|()| out.flush())
        .map_err(|source| Error::Write { name: "<stdout>".to_owned(), source })
}

/// Writes a diagnostic to standard error; a closed standard error is ignored.
pub fn diagnostic(text: &str) {
    let _ = writeln!(io::stderr(), "hpfracc: {text}");
}

/// Document of `--json`.
///
/// # Errors
/// [`Error::Write`].
#[cfg(feature = "commands")]
pub(crate) fn json(document: &impl Serialize) -> Result<String, Error> {
    serde_json::to_string_pretty(document)
        .map(|text| text + "\n")
        .map_err(|error| Error::Write { name: "<stdout>".to_owned(), source: error.into() })
}
