//! Computations on fields without the interpreter's lock.

use crate::ode::control;
use pyo3::prelude::*;

/// Values up to which a computation does not have a thread of its own.
const SMALL: usize = 4096;

/// Runs a computation without the interpreter's lock; Ctrl-C leaves a large one.
///
/// # Errors
/// `KeyboardInterrupt`.
pub(super) fn computed<T: Send + 'static>(
    py: Python<'_>,
    values: usize,
    compute: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if values <= SMALL { Ok(py.detach(compute)) } else { control::run(py, None, |_| compute()) }
}
