use crate::buffers::aligned::Aligned;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Scratch buffers of one length, lent to concurrent callers of the same plan.
///
/// The pool grows to the number of buffers in use at once and never shrinks: applying a map
/// allocates on the first call only.
#[derive(Debug)]
pub(crate) struct ScratchPool<T> {
    len: usize,
    free: Mutex<Vec<Aligned<T>>>,
}

impl<T: Copy + Default> ScratchPool<T> {
    /// A pool of buffers of `len` scalars, empty for now.
    pub(crate) fn new(len: usize) -> Self {
        Self { len, free: Mutex::new(Vec::new()) }
    }

    /// A buffer with unspecified content; it returns to the pool when dropped.
    pub(crate) fn lend(&self) -> Lent<'_, T> {
        let free = self.free().pop();
        let buffer = free.unwrap_or_else(|| Aligned::new(self.len, T::default()));
        Lent { pool: self, buffer: Some(buffer) }
    }

    /// Makes sure that `count` buffers can be lent at once without allocating.
    ///
    /// How many threads of a pool take part in a call differs from call to call; the first call
    /// prepares for all.
    pub(crate) fn reserve(&self, count: usize) {
        let mut free = self.free();
        while free.len() < count {
            free.push(Aligned::new(self.len, T::default()));
        }
    }

    /// Bytes of one buffer.
    pub(crate) fn bytes(&self) -> usize {
        Aligned::<T>::bytes(self.len)
    }

    /// A buffer has no invariant that a panic could break, so poisoning is ignored.
    fn free(&self) -> MutexGuard<'_, Vec<Aligned<T>>> {
        self.free.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A buffer on loan.
pub(crate) struct Lent<'a, T: Copy + Default> {
    pool: &'a ScratchPool<T>,
    /// None only while dropped.
    buffer: Option<Aligned<T>>,
}

const ON_LOAN: &str = "a buffer stays with its borrower until that is dropped";

impl<T: Copy + Default> Deref for Lent<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        self.buffer.as_deref().expect(ON_LOAN)
    }
}

impl<T: Copy + Default> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        self.buffer.as_deref_mut().expect(ON_LOAN)
    }
}

impl<T: Copy + Default> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            self.pool.free().push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_returned_buffer_is_lent_again() {
        let pool = ScratchPool::<f64>::new(8);
        let first = pool.lend().as_ptr();
        let again = pool.lend();
        assert_eq!(first, again.as_ptr());
        assert_ne!(first, pool.lend().as_ptr());
        assert_eq!(pool.free().len(), 1);
    }
}
