//! Computations that cannot be cancelled: on a thread of their own, which Ctrl-C leaves behind.

use crate::interrupts::Interrupts;
use crate::pool;
use pyo3::prelude::*;
use std::panic::resume_unwind;
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::Duration;

/// Time between two looks for signals.
const INTERVAL: Duration = Duration::from_millis(50);

/// Waits for a computation, without the interpreter's lock. After Ctrl-C its thread ends with the computation, whose
/// result is dropped.
///
/// # Errors
/// `KeyboardInterrupt`.
pub(super) fn wait<T: Send + 'static>(compute: impl FnOnce() -> T + Send + 'static) -> PyResult<T> {
    let (sender, receiver) = sync_channel(1);
    // The receiver is gone after Ctrl-C.
    let worker = std::thread::spawn(move || drop(sender.send(pool::install(compute))));
    let mut interrupts = Interrupts::new();
    let result = loop {
        match receiver.recv_timeout(INTERVAL) {
            Ok(result) => break Some(result),
            Err(RecvTimeoutError::Timeout) if interrupts.pending() => break None,
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => match worker.join() {
                Err(panic) => resume_unwind(panic),
                Ok(()) => break None,
            },
        }
    };
    match result {
        Some(result) => Ok(result),
        None => interrupts.finish(Err(
            crate::errors::Kind::Solver.error("the computation ended without a result")
        )),
    }
}
