//! Computations on a thread of their own, while the calling thread looks for Ctrl-C and reports progress.
//!
//! The calling thread waits without the interpreter's lock. A computation that can be cancelled is joined: it may borrow
//! its data, and after Ctrl-C the calling thread waits for its end. Another one is left behind at Ctrl-C: it owns its data,
//! and its thread ends with it. Functions in Python do not run here: they may depend on the context of the calling thread.

use super::interrupts::{INTERVAL, Interrupts};
use super::{Cancel, fork};
use crate::errors::Kind;
use pyo3::prelude::*;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::panic::resume_unwind;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread;

/// Stack of a thread, as large as that of a main thread.
const STACK: usize = 8 << 20;

/// News of a computation to the calling thread.
enum News<M, T> {
    Message(M),
    End(T),
}

/// Sends messages to the calling thread.
pub(crate) struct Messages<M, T>(Sender<News<M, T>>);

impl<M, T> Messages<M, T> {
    /// Sends a message; false if the calling thread has left.
    pub(crate) fn send(&self, message: M) -> bool {
        self.0.send(News::Message(message)).is_ok()
    }
}

/// Runs a computation and waits for its end. `report` is called now and then; a signal or an exception of `report`
/// requests the end.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(crate) fn joined<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    mut report: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    compute: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    if in_pool() {
        return Ok(py.detach(compute));
    }
    let waiting = || {
        let (sender, news) = channel::<News<Infallible, T>>();
        thread::scope(|scope| {
            let work = move || end(&Messages(sender), |_| compute());
            let worker = builder().spawn_scoped(scope, work).map_err(|error| no_thread(&error))?;
            let on = |py: Python<'_>, _| report(py);
            let (interrupts, result) = attend(&news, on, || {
                cancel.request();
                ControlFlow::Continue(())
            });
            finish(interrupts, result, || worker.join())
        })
    };
    py.detach(waiting)
}

/// Runs a computation, which a signal or an exception of `report` leaves behind. `report` is called now and then.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `report`.
pub(crate) fn left_behind<T: Send + 'static>(
    py: Python<'_>,
    mut report: impl FnMut(Python<'_>) -> PyResult<()> + Send,
    compute: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    if in_pool() {
        return Ok(py.detach(compute));
    }
    let on = |py: Python<'_>, _: Option<Infallible>| report(py);
    conversing(py, on, move |_| compute())
}

/// The same with messages, for each of which `on` is called soon; without one it is called now and then.
///
/// # Errors
/// `KeyboardInterrupt`, and exceptions of `on`.
pub(crate) fn conversing<M: Send + 'static, T: Send + 'static>(
    py: Python<'_>,
    on: impl FnMut(Python<'_>, Option<M>) -> PyResult<()> + Send,
    compute: impl FnOnce(&Messages<M, T>) -> T + Send + 'static,
) -> PyResult<T> {
    let waiting = move || {
        let (sender, news) = channel();
        let work = move || end(&Messages(sender), compute);
        let worker = builder().spawn(work).map_err(|error| no_thread(&error))?;
        let (interrupts, result) = attend(&news, on, || ControlFlow::Break(()));
        finish(interrupts, result, || worker.join())
    };
    py.detach(waiting)
}

/// Whether this is a thread of a pool, where a function in Python calls this package: the others of the pool may wait for
/// it, so it computes itself. In a child process each thread is a pool of its own, for which no other waits.
fn in_pool() -> bool {
    rayon::current_thread_index().is_some() && !fork::forked()
}

fn builder() -> thread::Builder {
    thread::Builder::new().name("hpfracc".to_owned()).stack_size(STACK)
}

fn no_thread(error: &std::io::Error) -> PyErr {
    Kind::Solver.error(format!("no thread for the computation: {error}"))
}

/// Computes and sends the result, which nobody receives after the calling thread has left.
fn end<M, T>(messages: &Messages<M, T>, compute: impl FnOnce(&Messages<M, T>) -> T) {
    fork::ready();
    let result = compute(messages);
    drop(messages.0.send(News::End(result)));
}

/// Waits for the result; without one if the computation panicked, or if `interrupted` breaks.
fn attend<M, T>(
    news: &Receiver<News<M, T>>,
    mut on: impl FnMut(Python<'_>, Option<M>) -> PyResult<()>,
    interrupted: impl Fn() -> ControlFlow<()>,
) -> (Interrupts, Option<T>) {
    let mut interrupts = Interrupts::new();
    loop {
        match news.recv_timeout(INTERVAL) {
            Ok(News::End(result)) => return (interrupts, Some(result)),
            Ok(News::Message(message)) => interrupts.call(|py| on(py, Some(message))),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return (interrupts, None),
        }
        if interrupts.pending_or(|py| on(py, None)) && interrupted().is_break() {
            return (interrupts, None);
        }
    }
}

/// The result or the exception; resumes a panic of the computation.
fn finish<T>(
    interrupts: Interrupts,
    result: Option<T>,
    join: impl FnOnce() -> thread::Result<()>,
) -> PyResult<T> {
    if let Some(result) = result {
        return interrupts.finish(Ok(result));
    }
    interrupts.finish(Ok(()))?;
    match join() {
        Err(panic) => resume_unwind(panic),
        Ok(()) => Err(Kind::Solver.error("the computation ended without a result")),
    }
}
