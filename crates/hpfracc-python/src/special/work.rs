//! Computations without the interpreter's lock.

use crate::fork;
use crate::interrupts::Interrupts;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

/// Nanoseconds from which on the lock is released.
const RELEASED: f64 = 20e3;
/// Nanoseconds from which on a computation looks for Ctrl-C.
const INTERRUPTIBLE: f64 = 5e6;
/// Time between two looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Request to end a computation, whose result is not used then.
#[derive(Debug, Default)]
pub(super) struct Cancel(AtomicBool);

impl Cancel {
    pub(super) fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Runs a computation that takes about this many nanoseconds on one thread.
///
/// # Errors
/// `KeyboardInterrupt`, or another exception of a signal handler.
pub(super) fn run<R: Send>(
    py: Python<'_>,
    nanoseconds: f64,
    compute: impl FnOnce(&Cancel) -> R + Send,
) -> PyResult<R> {
    if nanoseconds < RELEASED {
        Ok(compute(&Cancel::default()))
    } else if nanoseconds < INTERRUPTIBLE {
        fork::ready();
        Ok(py.detach(|| compute(&Cancel::default())))
    } else {
        py.detach(|| interruptible(compute))
    }
}

/// Computes on another thread, while this one looks for signals.
fn interruptible<R: Send>(compute: impl FnOnce(&Cancel) -> R + Send) -> PyResult<R> {
    let cancel = Cancel::default();
    let mut interrupts = Interrupts::new();
    let (done, wait) = mpsc::channel::<()>();
    let result = thread::scope(|scope| {
        let cancel = &cancel;
        let worker = thread::Builder::new().spawn_scoped(scope, move || {
            // Dropped at the end, also in a panic.
            let _done = done;
            fork::ready();
            compute(cancel)
        })?;
        while wait.recv_timeout(INTERVAL) == Err(mpsc::RecvTimeoutError::Timeout) {
            if interrupts.pending() {
                cancel.0.store(true, Ordering::Relaxed);
            }
        }
        Ok::<_, PyErr>(worker.join())
    })?;
    match result {
        Ok(result) => interrupts.finish(Ok(result)),
        Err(panic) => resume_unwind(panic),
    }
}
