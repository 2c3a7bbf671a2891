//! Computations without the interpreter's lock, by their expected duration.

use crate::running::{Cancel, background, fork};
use pyo3::prelude::*;

/// Nanoseconds from which on the lock is released.
const RELEASED: f64 = 20e3;
/// Nanoseconds from which on a computation looks for Ctrl-C.
const INTERRUPTIBLE: f64 = 5e6;

/// Runs a computation that takes about this many nanoseconds on one thread.
///
/// # Errors
/// `KeyboardInterrupt`, or another exception of a signal handler.
pub(super) fn run<R: Send>(
    py: Python<'_>,
    nanoseconds: f64,
    compute: impl FnOnce(&Cancel) -> R + Send,
) -> PyResult<R> {
    let cancel = Cancel::default();
    if nanoseconds < RELEASED {
        Ok(compute(&cancel))
    } else if nanoseconds < INTERRUPTIBLE {
        fork::ready();
        Ok(py.detach(|| compute(&cancel)))
    } else {
        background::joined(py, &cancel, |_| Ok(()), || compute(&cancel))
    }
}
