//! State of a solve that calls functions of Python.

use crate::running::interrupts::Interrupts;
use pyo3::prelude::*;
use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

/// First exception of any function, signals, and the first value that is not finite.
pub(super) struct Calls {
    error: RefCell<Option<PyErr>>,
    interrupts: RefCell<Interrupts>,
    not_finite: Cell<Option<(f64, usize)>>,
    /// Set after the first exception: the solve ends at the next node.
    pub(super) cancel: AtomicBool,
}

impl Calls {
    pub(super) fn new() -> Self {
        Self {
            error: RefCell::new(None),
            interrupts: RefCell::new(Interrupts::new()),
            not_finite: Cell::new(None),
            cancel: AtomicBool::new(false),
        }
    }

    /// Runs a call of Python that writes to `out`; NaN after an exception, also one of an earlier call.
    pub(super) fn run(&self, out: &mut [f64], call: impl FnOnce(&mut [f64]) -> PyResult<()>) {
        if self.cancel.load(Ordering::Relaxed) || self.interrupts.borrow_mut().pending() {
            self.cancel.store(true, Ordering::Relaxed);
            out.fill(f64::NAN);
            return;
        }
        if let Err(error) = call(out) {
            self.fail(error);
            out.fill(f64::NAN);
        }
    }

    /// Records an exception.
    pub(super) fn fail(&self, error: PyErr) {
        self.cancel.store(true, Ordering::Relaxed);
        self.error.borrow_mut().get_or_insert(error);
    }

    /// Records where a value is not finite.
    pub(super) fn check(&self, t: f64, values: &[f64]) {
        if self.not_finite.get().is_none()
            && let Some(component) = values.iter().position(|value| !value.is_finite())
        {
            self.not_finite.set(Some((t, component)));
        }
    }

    /// Looks for signals, and calls a function now and then.
    pub(super) fn report(&self, report: impl FnOnce(Python<'_>) -> PyResult<()>) {
        if self.interrupts.borrow_mut().pending_or(report) {
            self.cancel.store(true, Ordering::Relaxed);
        }
    }

    /// Time and component of the first value that was not finite.
    pub(super) fn first_not_finite(&self) -> Option<(f64, usize)> {
        self.not_finite.get()
    }

    /// Raises the first exception, if there was one.
    ///
    /// # Errors
    /// That exception.
    pub(super) fn raise(&self) -> PyResult<()> {
        if let Some(error) = self.error.borrow_mut().take() {
            return Err(error);
        }
        self.interrupts.replace(Interrupts::new()).finish(Ok(()))
    }
}
