//! A pool of scratch buffers.

use crate::buffers::aligned::Aligned;
use std::ops::{Deref, DerefMut};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Scratch buffers of one length for concurrent callers of one plan.
///
/// The pool grows to the largest number of buffers in use at once and never shrinks: a map
/// allocates in its first application only.
#[derive(Debug)]
pub(crate) struct ScratchPool<T> {
    len: usize,
    free: Mutex<Vec<Aligned<T>>>,
}

impl<T: Copy + Default> ScratchPool<T> {
    /// An empty pool of buffers of `len` scalars.
    pub(crate) fn new(len: usize) -> Self {
        Self { len, free: Mutex::new(Vec::new()) }
    }

    /// A buffer with unspecified content, which returns to the pool when dropped.
    pub(crate) fn lend(&self) -> Lent<'_, T> {
        Lent { pool: self, buffer: self.take() }
    }

    /// A buffer with unspecified content, removed from the pool.
    pub(crate) fn take(&self) -> Aligned<T> {
        let free = self.free().pop();
        free.unwrap_or_else(|| Aligned::new(self.len, T::default()))
    }

    /// Returns a buffer that was taken. The pool keeps it only if it has no other.
    pub(crate) fn keep_one(&self, buffer: Aligned<T>) {
        let mut free = self.free();
        if free.is_empty() {
            free.push(buffer);
        }
    }

    /// Allocates buffers until `count` are free.
    ///
    /// The number of threads that take part differs from call to call; the first call allocates for
    /// all of them.
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

/// A buffer in use.
pub(crate) struct Lent<'a, T: Copy + Default> {
    pool: &'a ScratchPool<T>,
    buffer: Aligned<T>,
}

impl<T: Copy + Default> Deref for Lent<'_, T> {
    type Target = [T];
    fn deref(&self) -> &[T] {
        &self.buffer
    }
}

impl<T: Copy + Default> DerefMut for Lent<'_, T> {
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.buffer
    }
}

impl<T: Copy + Default> Drop for Lent<'_, T> {
    fn drop(&mut self) {
        self.pool.free().push(std::mem::take(&mut self.buffer));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_returned_buffer_is_used_again() {
        let pool = ScratchPool::<f64>::new(8);
        let first = pool.lend().as_ptr();
        let again = pool.lend();
        assert_eq!(first, again.as_ptr());
        assert_ne!(first, pool.lend().as_ptr());
        assert_eq!(pool.free().len(), 1);
        let (kept, dropped) = (pool.take(), pool.take());
        let address = kept.as_ptr();
        pool.keep_one(kept);
        pool.keep_one(dropped);
        assert_eq!(pool.free().len(), 1);
        assert_eq!(pool.take().as_ptr(), address);
    }
}
