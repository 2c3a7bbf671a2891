use std::sync::{Mutex, MutexGuard, PoisonError};

/// Memory to work in, lent piece by piece: asked for at every step, made once for each thread that works at the
/// same time.
#[derive(Debug)]
pub(crate) struct BufferPool<T> {
    /// What nobody works in at present.
    idle: Mutex<Vec<Vec<T>>>,
}

impl<T: Copy + Default> BufferPool<T> {
    /// Without any memory yet.
    pub(crate) fn new() -> Self {
        Self { idle: Mutex::default() }
    }

    /// Makes room for so many numbers for every thread at hand, so that none has to ask for it later.
    pub(crate) fn reserve(&self, len: usize) {
        // One more for a thread that belongs to no pool.
        let threads = 1 + rayon::current_num_threads();
        let mut idle = self.idle();
        if idle.len() < threads {
            idle.resize_with(threads, Vec::new);
        }
        idle.iter_mut().for_each(|piece| grow(piece, len));
    }

    /// Lends so many numbers, of any values, to `use_of`.
    pub(crate) fn with<R>(&self, len: usize, use_of: impl FnOnce(&mut [T]) -> R) -> R {
        let piece = self.idle().pop();
        let mut piece = piece.unwrap_or_default();
        grow(&mut piece, len);
        let result = use_of(&mut piece[..len]);
        self.idle().push(piece);
        result
    }

    /// A list is whole after whatever panic: it is locked for a push or a pop.
    fn idle(&self) -> MutexGuard<'_, Vec<Vec<T>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn grow<T: Copy + Default>(piece: &mut Vec<T>, len: usize) {
    if piece.len() < len {
        piece.resize(len, T::default());
    }
}

/// Whether there is no thread to share work with: to hand it to the only one of a pool and to wait for that takes
/// as long as a small batch.
pub(crate) fn alone() -> bool {
    rayon::current_num_threads() == 1
}
