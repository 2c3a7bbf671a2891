//! How computations run: without the interpreter's lock, ended by Ctrl-C, and also in processes made by a fork.

pub(crate) mod background;
pub(crate) mod fork;
pub(crate) mod interrupts;

pub(crate) use fork::register;

use std::sync::atomic::{AtomicBool, Ordering};

/// Request to end a computation, whose result is not used then.
#[derive(Debug, Default)]
pub(crate) struct Cancel(AtomicBool);

impl Cancel {
    pub(crate) fn request(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    pub(crate) fn requested(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag, for the options of solvers.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
