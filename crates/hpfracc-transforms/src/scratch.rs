//! The buffer pool of a plan.

use num_complex::Complex;
use std::sync::{Mutex, PoisonError};

/// Buffers of one length for concurrent callers. The pool grows to the number in use at once and
/// never shrinks: a transform allocates on its first call only.
pub(crate) struct Scratch<T> {
    len: usize,
    free: Mutex<Vec<Vec<Complex<T>>>>,
}

impl<T: hpfracc_types::Real> Scratch<T> {
    pub(crate) fn new(len: usize) -> Self {
        Self { len, free: Mutex::new(Vec::new()) }
    }

    /// Runs `work` on a buffer of unspecified content.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut [Complex<T>]) -> R) -> R {
        // A buffer has no invariant that a panic could break, so poisoning is ignored.
        let free = || self.free.lock().unwrap_or_else(PoisonError::into_inner);
        let lent = free().pop();
        let mut buffer = lent.unwrap_or_else(|| vec![Complex::default(); self.len]);
        let result = work(&mut buffer);
        free().push(buffer);
        result
    }
}
