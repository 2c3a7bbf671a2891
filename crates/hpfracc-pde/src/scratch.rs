use std::sync::{Mutex, PoisonError};

/// Pool of buffers, shared by concurrent and nested calls. After the first calls it allocates
/// nothing.
#[derive(Default)]
pub(crate) struct Scratch(Mutex<Vec<Vec<f64>>>);

impl Scratch {
    /// Calls `work` with a buffer of n zeros.
    pub(crate) fn with<R>(&self, n: usize, work: impl FnOnce(&mut [f64]) -> R) -> R {
        // A buffer has no invariant that a panic could break, so poisoning is ignored.
        let free = || self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = free().pop().unwrap_or_default();
        buffer.clear();
        buffer.resize(n, 0.0);
        let result = work(&mut buffer);
        free().push(buffer);
        result
    }
}
