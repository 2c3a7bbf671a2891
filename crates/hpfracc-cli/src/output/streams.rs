//! Standard output and standard error.

use crate::Error;
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
