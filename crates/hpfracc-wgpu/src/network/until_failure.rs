use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

/// What a device computes until it fails, after which its caller computes on the CPU. One call at a time.
#[derive(Debug)]
pub(super) struct UntilFailure<D>(Mutex<Result<D, String>>);

impl<D> UntilFailure<D> {
    pub(super) fn new(device: D) -> Self {
        Self(Mutex::new(Ok(device)))
    }

    /// The result of the device; `None` if it has failed, now or before. A failure is a warning in the log.
    pub(super) fn compute<R, E: Display>(
        &self,
        work: impl FnOnce(&D) -> Result<R, E>,
    ) -> Option<R> {
        let mut device = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match work(device.as_ref().ok()?) {
            Ok(result) => Some(result),
            Err(error) => {
                tracing::warn!(%error, "the training goes on without the GPU");
                *device = Err(error.to_string());
                None
            }
        }
    }

    /// The error of the device, if it has failed.
    pub(super) fn failure(&self) -> Option<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).as_ref().err().cloned()
    }

    pub(super) fn device_mut(&mut self) -> Option<&mut D> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().ok()
    }
}
