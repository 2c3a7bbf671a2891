use std::sync::{Arc, Mutex, PoisonError};

/// A value that depends on the number of steps, stored for the latest number.
#[derive(Debug)]
pub(super) struct BySteps<V>(Mutex<Option<(usize, Arc<V>)>>);

impl<V> BySteps<V> {
    pub(super) fn new() -> Self {
        Self(Mutex::new(None))
    }

    /// The value for `steps` steps, made if another number was the latest.
    pub(super) fn get<E>(
        &self,
        steps: usize,
        make: impl FnOnce() -> Result<V, E>,
    ) -> Result<Arc<V>, E> {
        let mut cached = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, value)) = cached.as_ref().filter(|(len, _)| *len == steps) {
            return Ok(Arc::clone(value));
        }
        let value = Arc::new(make()?);
        *cached = Some((steps, Arc::clone(&value)));
        Ok(value)
    }
}
