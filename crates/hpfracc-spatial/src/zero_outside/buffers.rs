use std::sync::Mutex;

/// Pool of vectors of one length, for workspace of concurrent calls.
pub(crate) struct Buffers<T> {
    len: usize,
    free: Mutex<Vec<Vec<T>>>,
}

impl<T: Copy + Default> Buffers<T> {
    pub(crate) fn new(len: usize) -> Self {
        Self { len, free: Mutex::new(Vec::new()) }
    }

    /// Calls `work` with a vector, whose values are unspecified.
    pub(crate) fn with<R>(&self, work: impl FnOnce(&mut [T]) -> R) -> R {
        let taken = self.free.lock().ok().and_then(|mut free| free.pop());
        let mut buffer = taken.unwrap_or_else(|| vec![T::default(); self.len]);
        let result = work(&mut buffer);
        if let Ok(mut free) = self.free.lock() {
            free.push(buffer);
        }
        result
    }
}
