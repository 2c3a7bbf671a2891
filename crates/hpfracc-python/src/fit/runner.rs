//! Long computations: on a thread of their own, while the calling one looks for Ctrl-C and reports progress.

use crate::interrupts::Interrupts;
use crate::pool;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// Time between two looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

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
    cancel: AtomicBool,
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
        &self.cancel
    }

    /// Stores the progress: parts that are done, of all (0 for an unknown number), and the cost.
    pub(super) fn progress(&self, done: u64, all: u64, cost: f64) {
        // Threads may finish parts in another order.
        self.done.fetch_max(done, Ordering::Relaxed);
        self.all.store(all, Ordering::Relaxed);
        self.cost.store(cost.to_bits(), Ordering::Relaxed);
        if let Some(interrupts) = &self.caller {
            let mut interrupts = interrupts.lock().unwrap_or_else(PoisonError::into_inner);
            self.look(&mut interrupts);
        }
    }

    /// Looks for signals and reports the progress.
    fn look(&self, interrupts: &mut Interrupts) {
        if interrupts.pending_or(|py| self.call(py)) {
            self.cancel.store(true, Ordering::Relaxed);
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

/// Runs a computation without the interpreter's lock. `report(done, all, cost)` is called every 50 ms and at the end.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(super) fn run<T: Send>(
    py: Python<'_>,
    place: Place,
    report: Option<&Bound<'_, PyAny>>,
    compute: impl FnOnce(&Watch) -> T + Send,
) -> PyResult<T> {
    let report = report.map(|report| report.clone().unbind());
    py.detach(|| {
        let caller = (place == Place::Caller).then(|| Mutex::new(Interrupts::new()));
        let watch = Watch {
            cancel: AtomicBool::new(false),
            done: AtomicU64::new(0),
            all: AtomicU64::new(0),
            cost: AtomicU64::new(f64::NAN.to_bits()),
            caller,
            report,
        };
        let mut interrupts = Interrupts::new();
        let result = match place {
            Place::Caller => pool::install(|| compute(&watch)),
            Place::Thread => on_thread(&watch, &mut interrupts, compute),
        };
        if let Some(caller) = &watch.caller {
            std::mem::swap(
                &mut interrupts,
                &mut *caller.lock().unwrap_or_else(PoisonError::into_inner),
            );
        }
        let result = interrupts.finish(Ok(result))?;
        if watch.report.is_some() {
            Python::attach(|py| watch.call(py))?;
        }
        Ok(result)
    })
}

fn on_thread<T: Send>(
    watch: &Watch,
    interrupts: &mut Interrupts,
    compute: impl FnOnce(&Watch) -> T + Send,
) -> T {
    std::thread::scope(|scope| {
        let (sender, receiver) = sync_channel::<()>(1);
        let worker = scope.spawn(move || {
            let result = pool::install(|| compute(watch));
            // The receiver waits for the end alone: also for that of a panic.
            drop(sender);
            result
        });
        while receiver.recv_timeout(INTERVAL) == Err(RecvTimeoutError::Timeout) {
            watch.look(interrupts);
        }
        worker.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}
