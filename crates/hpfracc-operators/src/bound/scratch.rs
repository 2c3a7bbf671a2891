use hpfracc_types::Real;
use std::sync::{Mutex, PoisonError};

/// A buffer pool: repeated calls do not allocate.
pub(crate) struct Scratch<T> {
    pool: Mutex<Vec<Vec<T>>>,
}

impl<T: Real> Scratch<T> {
    pub(crate) fn new() -> Self {
        Self { pool: Mutex::new(Vec::new()) }
    }

    /// Calls `use_it` with a buffer of length `len`, whose content is unspecified.
    pub(crate) fn lend<R>(&self, len: usize, use_it: impl FnOnce(&mut [T]) -> R) -> R {
        let pool = || self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        let mut buffer = pool().pop().unwrap_or_default();
        if buffer.len() < len {
            buffer.resize(len, T::zero());
        }
        let result = use_it(&mut buffer[..len]);
        pool().push(buffer);
        result
    }
}
