use hpfracc_types::Real;
use std::sync::{Mutex, PoisonError};

/// Buffers that live as long as their owner, so that what it does again and again does not allocate.
pub(crate) struct Scratch<T> {
    pool: Mutex<Vec<Vec<T>>>,
}

impl<T: Real> Scratch<T> {
    pub(crate) fn new() -> Self {
        Self { pool: Mutex::new(Vec::new()) }
    }

    /// Lends a buffer, whose content is left from earlier uses.
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
