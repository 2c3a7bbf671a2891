use std::sync::Mutex;

/// Memory to work in, a piece for each thread: asked for at every step, made once.
#[derive(Debug)]
pub(crate) struct Pool<T> {
    pieces: Vec<Mutex<Vec<T>>>,
}

impl<T: Copy + Default> Pool<T> {
    /// For the threads at hand.
    pub(crate) fn new() -> Self {
        // The first is for a thread that belongs to no pool.
        let pieces = (0..=rayon::current_num_threads()).map(|_| Mutex::default());
        Self { pieces: pieces.collect() }
    }

    /// Makes room for so many numbers on every thread, so that none has to ask for it later.
    pub(crate) fn reserve(&self, len: usize) {
        for piece in &self.pieces {
            if let Ok(mut piece) = piece.try_lock()
                && piece.len() < len
            {
                piece.resize(len, T::default());
            }
        }
    }

    /// Gives so many numbers, of any values, to `use_of`.
    pub(crate) fn with<R>(&self, len: usize, use_of: impl FnOnce(&mut [T]) -> R) -> R {
        let others = self.pieces.len() - 1;
        let piece = rayon::current_thread_index().map_or(0, |thread| 1 + thread % others);
        // Taken only where a thread of another pool, or this one while it waits for threads, works in it.
        let Ok(mut piece) = self.pieces[piece].try_lock() else {
            return use_of(&mut vec![T::default(); len]);
        };
        if piece.len() < len {
            piece.resize(len, T::default());
        }
        use_of(&mut piece[..len])
    }
}
