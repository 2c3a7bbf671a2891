//! Signals during a computation.

use pyo3::prelude::*;
use std::time::{Duration, Instant};

/// Time between two looks for signals.
pub(super) const INTERVAL: Duration = Duration::from_millis(50);

/// Looks for signals, at most every [`INTERVAL`], from a computation that does not hold the interpreter's lock.
pub(crate) struct Interrupts {
    next: Instant,
    error: Option<PyErr>,
}

impl Interrupts {
    pub(crate) fn new() -> Self {
        Self { next: Instant::now() + INTERVAL, error: None }
    }

    /// Whether the computation has to end: a signal was handled by an exception (`KeyboardInterrupt`).
    pub(crate) fn pending(&mut self) -> bool {
        self.pending_or(|_| Ok(()))
    }

    /// The same; a function is called with the lock each time, which reports the progress.
    pub(crate) fn pending_or(&mut self, report: impl FnOnce(Python<'_>) -> PyResult<()>) -> bool {
        if self.error.is_none() && Instant::now() >= self.next {
            self.error = Python::attach(|py| py.check_signals().and_then(|()| report(py))).err();
            self.next = Instant::now() + INTERVAL;
        }
        self.error.is_some()
    }

    /// Calls a function with the lock, unless there was an exception; its own is the exception of the computation.
    pub(super) fn call(&mut self, function: impl FnOnce(Python<'_>) -> PyResult<()>) {
        if self.error.is_none() {
            self.error = Python::attach(function).err();
        }
    }

    /// The exception, if there was one, in place of the result.
    pub(crate) fn finish<T>(self, result: PyResult<T>) -> PyResult<T> {
        self.error.map_or(result, Err)
    }
}
