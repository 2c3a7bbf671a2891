//! Computations in a thread of their own, which Ctrl-C leaves at once.
//!
//! A step, or the weights of a long solve, may take longer than a look for signals allows. The interpreter's thread
//! waits without its lock; after Ctrl-C it returns, and the other thread ends at its next node.

use crate::errors::Kind;
use hpfracc::ode::Progress;
use pyo3::prelude::*;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

/// Time between two looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);
/// Stack of the thread, as large as that of a main thread.
const STACK: usize = 8 << 20;

/// What both threads see of a computation.
#[derive(Debug, Default)]
pub(super) struct Control {
    pub(super) cancel: AtomicBool,
    /// Bits of the time of the last node.
    t: AtomicU64,
    steps: AtomicUsize,
}

impl Control {
    /// Records the progress of a solve.
    pub(super) fn record(&self, progress: Progress) {
        self.t.store(progress.t.to_bits(), Ordering::Relaxed);
        self.steps.store(progress.steps, Ordering::Relaxed);
    }

    /// Whether the caller has left.
    pub(super) fn cancelled(&self) -> bool {
        self.cancel.load(Ordering::Relaxed)
    }
}

/// Runs a computation; `report(t, steps)` is called now and then.
///
/// # Errors
/// Exceptions of signal handlers (`KeyboardInterrupt`) and of `report`.
pub(super) fn run<T: Send + 'static>(
    py: Python<'_>,
    report: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce(&Control) -> T + Send + 'static,
) -> PyResult<T> {
    let control = Arc::new(Control::default());
    let (sender, mut receiver) = sync_channel(1);
    let of_thread = Arc::clone(&control);
    let started =
        thread::Builder::new().name("hpfracc".to_owned()).stack_size(STACK).spawn(move || {
            // Nobody receives the result after an interruption.
            let _ = sender.send(work(&of_thread));
        });
    let thread = started.map_err(|error| Kind::Solver.error(format!("no thread: {error}")))?;
    loop {
        let (receiver_back, received) = py.detach(move || {
            let received = receiver.recv_timeout(INTERVAL);
            (receiver, received)
        });
        receiver = receiver_back;
        match received {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => {
                let reported = py.check_signals().and_then(|()| match report {
                    Some(report) => {
                        let t = f64::from_bits(control.t.load(Ordering::Relaxed));
                        report.call1((t, control.steps.load(Ordering::Relaxed))).map(drop)
                    }
                    None => Ok(()),
                });
                if let Err(error) = reported {
                    control.cancel.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(Kind::Solver.error("the computation ended without a result")),
            },
        }
    }
}
