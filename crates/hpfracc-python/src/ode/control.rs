//! Solves and gradients of equations, which Ctrl-C leaves at once.
//!
//! A step, or the weights of a long solve, may take longer than a look for signals allows. So the calling thread leaves a
//! solve at Ctrl-C, and the other thread ends at its next node.

use crate::running::{Cancel, background};
use hpfracc::ode::Progress;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Cancellation flag and progress of a solve.
#[derive(Debug, Default)]
pub(super) struct Control {
    pub(super) cancel: Cancel,
    /// Bits of the time of the last node.
    t: AtomicU64,
    steps: AtomicUsize,
}

impl Control {
    /// Records the progress.
    pub(super) fn record(&self, progress: Progress) {
        self.t.store(progress.t.to_bits(), Ordering::Relaxed);
        self.steps.store(progress.steps, Ordering::Relaxed);
    }

    /// Time of the last node, and the number of steps.
    fn progress(&self) -> (f64, usize) {
        (f64::from_bits(self.t.load(Ordering::Relaxed)), self.steps.load(Ordering::Relaxed))
    }
}

/// Runs a computation; `report(t, steps)` is called now and then.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(super) fn run<T: Send + 'static>(
    py: Python<'_>,
    report: Option<&Bound<'_, PyAny>>,
    compute: impl FnOnce(&Control) -> T + Send + 'static,
) -> PyResult<T> {
    let control = Arc::new(Control::default());
    let report = report.map(|report| report.clone().unbind());
    let call = |py: Python<'_>| match &report {
        Some(report) => report.call1(py, control.progress()).map(drop),
        None => Ok(()),
    };
    let of_thread = Arc::clone(&control);
    let result = background::left_behind(py, call, move || compute(&of_thread));
    if result.is_err() {
        control.cancel.request();
    }
    result
}
