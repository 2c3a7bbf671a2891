//! Runs of fits, which Ctrl-C ends and whose progress is reported.

use crate::running::interrupts::Interrupts;
use crate::running::{Cancel, background, fork};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Where a computation runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// On a thread of its own.
    Thread,
    /// On the calling thread: for functions in Python, which may depend on its context.
    Caller,
}

/// Cancellation flag and progress of a computation.
pub(super) struct Watch {
    cancel: Cancel,
    done: AtomicU64,
    all: AtomicU64,
    cost: AtomicU64,
    /// Of a computation on the calling thread.
    caller: Option<Mutex<Interrupts>>,
    report: Option<Py<PyAny>>,
}

impl Watch {
    /// Flag that is set by Ctrl-C.
    pub(super) fn cancel(&self) -> &AtomicBool {
        self.cancel.flag()
    }

    /// Stores the progress: parts that are done, of all (0 for an unknown number), and the cost.
    pub(super) fn progress(&self, done: u64, all: u64, cost: f64) {
        // Threads may finish parts in another order.
        self.done.fetch_max(done, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.cost.store(cost.to_bits(), Ordering::Relaxed);
        if let Some(interrupts) = &self.caller {
            let mut interrupts = interrupts.lock().unwrap_or_else(PoisonError::into_inner);
            if interrupts.pending_or(|py| self.call(py)) {
                self.cancel.request();
            }
        }
    }

    fn call(&self, py: Python<'_>) -> PyResult<()> {
        let Some(report) = &self.report else { return Ok(()) };
        let (done, all) = (self.done.load(Ordering::Relaxed), self.all.load(Ordering::Relaxed));
        if done > 0 {
            let cost = f64::from_bits(self.cost.load(Ordering::Relaxed));
            report.call1(py, (done, all, cost))?;
        }
        Ok(())
    }
}

/// Runs a computation without the interpreter's lock. `report(done, all, cost)` is called now and then and at the end.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    place: Place,
    report: Option<&Bound<'_, PyAny>>,
    compute: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let caller = (place == Place::Caller).then(|| Mutex::new(Interrupts::new()));
    let mut watch = Watch {
        cancel: Cancel::default(),
        done: AtomicU64::new(0),
        all: AtomicU64::new(0),
        cost: AtomicU64::new(f64::NAN.to_bits()),
        caller,
        report: report.map(|report| report.clone().unbind()),
    };
    let result = match place {
        Place::Thread => {
            background::joined(py, &watch.cancel, |py| watch.call(py), || compute(&watch))?
        }
        Place::Caller => {
            fork::ready();
            py.detach(|| compute(&watch))
        }
    };
    if let Some(caller) = watch.caller.take() {
        caller.into_inner().unwrap_or_else(PoisonError::into_inner).finish(Ok(()))?;
    }
    watch.call(py)?;
    Ok(result)
}
