use std::sync::{Mutex, MutexGuard, PoisonError};

/// Pool of work memory: buffers are borrowed at every step and allocated once for each concurrent
/// thread.
#[derive(Debug, Default)]
pub(crate) struct BufferPool<T> {
    /// Buffers not in use.
    idle: Mutex<Vec<Vec<T>>>,
}

impl<T: Copy + Default> BufferPool<T> {
    /// Allocates `len` numbers for each thread of the current rayon pool.
    pub(crate) fn reserve(&self, len: usize) {
        // One more for a thread outside the pool.
        let threads = 1 + rayon::current_num_threads();
        let mut idle = self.idle();
        if idle.len() < threads {
            idle.resize_with(threads, Vec::new);
        }
        idle.iter_mut().for_each(|piece| grow(piece, len));
    }

    /// Runs `use_of` with a buffer of `len` numbers of unspecified values.
    pub(crate) fn with<R>(&self, len: usize, use_of: impl FnOnce(&mut [T]) -> R) -> R {
        let piece = self.idle().pop();
        let mut piece = piece.unwrap_or_default();
        grow(&mut piece, len);
        let result = use_of(&mut piece[..len]);
        self.idle().push(piece);
        result
    }

    /// The list is consistent after any panic: it is locked for a push or a pop only.
    fn idle(&self) -> MutexGuard<'_, Vec<Vec<T>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn grow<T: Copy + Default>(piece: &mut Vec<T>, len: usize) {
    if piece.len() < len {
        piece.resize(len, T::default());
    }
}

/// True if the current rayon pool has one thread: handing work to it takes as long as a small
/// batch.
pub(crate) fn alone() -> bool {
    rayon::current_num_threads() == 1
}
