use std::sync::{Mutex, PoisonError};

/// Memory to work in, a piece for each thread: asked for at every step, made once.
#[derive(Debug)]
pub(super) struct Pool<T> {
    pieces: Vec<Mutex<Vec<T>>>,
}

impl<T: Copy + Default> Pool<T> {
    /// For the threads at hand.
    pub(super) fn new() -> Self {
        // The first is for a thread that belongs to no pool.
        let pieces = (0..=rayon::current_num_threads()).map(|_| Mutex::default());
        Self { pieces: pieces.collect() }
    }

    /// Gives so many numbers, of any values, to `use_of`.
    #[inline(always)]
    pub(super) fn with<R>(&self, len: usize, use_of: impl FnOnce(&mut [T]) -> R) -> R {
        let others = self.pieces.len() - 1;
        let piece = rayon::current_thread_index().map_or(0, |thread| 1 + thread % others);
        let mut piece = self.pieces[piece].lock().unwrap_or_else(PoisonError::into_inner);
        if piece.len() < len {
            piece.resize(len, T::default());
        }
        use_of(&mut piece[..len])
    }
}
