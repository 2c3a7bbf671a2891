//! Solves and gradients of equations, which Ctrl-C leaves at once.
//!
//! A step, or the weights of a long solve, may take longer than a look for signals allows. So the calling thread leaves a
//! solve at Ctrl-C, and the other thread ends at its next node. Starting a thread takes longer than a small solve, which the
//! calling thread runs itself: it looks for signals at the nodes.

use crate::running::interrupts::Interrupts;
use crate::running::{Cancel, background, fork};
use hpfracc::ode::Progress;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// Cancellation flag and progress of a solve.
#[derive(Debug, Default)]
pub(crate) struct Control {
    pub(crate) cancel: Cancel,
    /// Bits of the time of the last node.
    t: AtomicU64,
    steps: AtomicUsize,
}

impl Control {
    /// Records the progress.
    pub(crate) fn record(&self, progress: Progress) {
        self.t.store(progress.t.to_bits(), Ordering::Relaxed);
        self.steps.store(progress.steps, Ordering::Relaxed);
    }

    /// Time of the last node, and the number of steps.
    fn progress(&self) -> (f64, usize) {
        (f64::from_bits(self.t.load(Ordering::Relaxed)), self.steps.load(Ordering::Relaxed))
    }
}

/// Nodes between two looks at the clock, of steps that take some microseconds.
const NODES: usize = 32;

/// Runs a solve with its cancellation flag and a function for its progress; `report(t, steps)` is called now and then. A
/// small solve has short steps, and weights that take less than a look for signals.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(super) fn solve<T: Send + 'static>(
    py: Python<'_>,
    report: Option<&Bound<'_, PyAny>>,
    small: bool,
    solve: impl FnOnce(&Cancel, &mut dyn FnMut(Progress)) -> T + Send + 'static,
) -> PyResult<T> {
    if !small {
        let compute =
            |control: &Control| solve(&control.cancel, &mut |progress| control.record(progress));
        return run(py, report, compute);
    }
    let report = report.map(|report| report.clone().unbind());
    py.detach(|| {
        fork::ready();
        let (cancel, mut interrupts, mut nodes) = (Cancel::default(), Interrupts::new(), 0);
        let mut look = |progress: Progress| {
            nodes += 1;
            let call = |py: Python<'_>| match &report {
                Some(report) => report.call1(py, (progress.t, progress.steps)).map(drop),
                None => Ok(()),
            };
            if nodes % NODES == 0 && interrupts.pending_or(call) {
                cancel.request();
            }
        };
        let result = solve(&cancel, &mut look);
        interrupts.finish(Ok(result))
    })
}

/// Runs a computation; `report(t, steps)` is called now and then.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(crate) fn run<T: Send + 'static>(
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
