//! Buffers that calls share.

use std::sync::{Mutex, PoisonError};

/// Pool of buffers of one length. It grows to the number in use at once and never shrinks.
pub(crate) struct Pool<T> {
    len: usize,
    free: Mutex<Vec<Vec<T>>>,
}

impl<T: Copy + Default> Pool<T> {
    pub(crate) fn new(len: usize) -> Self {
        Self { len, free: Mutex::new(Vec::new()) }
    }

    /// Runs `work` on a buffer of unspecified content.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut [T]) -> R) -> R {
        // A buffer has no invariant that a panic could break, so poisoning is ignored.
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = free().pop();
        let mut buffer = lent.unwrap_or_else(|| vec![T::default(); self.len]);
        let result = work(&mut buffer);
        free().push(buffer);
        result
    }
}
