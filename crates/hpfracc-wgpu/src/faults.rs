//! What a device reports becomes the answer of the call that caused it.
//!
//! Left alone, a report would end the process: that is the default of wgpu. Scopes around each call
//! collect them. In a browser a scope answers only later, when nobody may wait for it; there a handler
//! keeps the first report until the next result is read.

use crate::{Gpu, GpuError};
#[cfg(not(target_arch = "wasm32"))]
use std::panic::{AssertUnwindSafe, catch_unwind};
#[cfg(target_arch = "wasm32")]
use std::sync::{Arc, Mutex, PoisonError};
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;
use wgpu::Error;

/// How often a device that refuses something is asked whether it is lost.
#[cfg(not(target_arch = "wasm32"))]
const POLLS: usize = 5;

#[cfg(not(target_arch = "wasm32"))]
impl Gpu {
    /// Does `work` and turns what the device reports about it into an error. `bytes` is the size
    /// to name if memory ran out.
    pub(crate) fn watched<R>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> Result<R, GpuError>,
    ) -> Result<R, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};

        let device = &self.inner.device;
        let internal = device.push_error_scope(Internal);
        let memory = device.push_error_scope(OutOfMemory);
        let validation = device.push_error_scope(Validation);
        let outcome = work();
        let reports = [
            pollster::block_on(validation.pop()),
            pollster::block_on(memory.pop()),
            pollster::block_on(internal.pop()),
        ];
        let outcome = match reports.into_iter().flatten().next() {
            None => outcome,
            Some(report) => Err(self.fault(&report, bytes)),
        };
        if outcome.is_err() {
            self.await_loss()?;
        }
        outcome
    }

    /// Fails with the loss of the device, if that is why it refuses something.
    ///
    /// It tells its loss to whichever thread polls it first when none of its work is left.
    fn await_loss(&self) -> Result<(), GpuError> {
        for _ in 0..POLLS {
            self.check_alive()?;
            // Should it be lost right now, wgpu 30 panics here, and leaves nothing broken.
            let wait = || self.inner.device.poll(wgpu::PollType::wait_indefinitely());
            let _ = catch_unwind(AssertUnwindSafe(wait));
            self.check_alive()?;
            // Another thread may have heard of it and not yet said so.
            std::thread::sleep(Duration::from_millis(1));
        }
        self.check_alive()
    }

    /// Nothing: scopes have told it.
    pub(crate) fn check_reports(&self, _: u64) -> Result<(), GpuError> {
        Ok(())
    }
}

/// What a device in a browser has reported since it was last asked.
#[cfg(target_arch = "wasm32")]
pub(crate) struct Reports(Arc<Mutex<Option<Error>>>);

#[cfg(target_arch = "wasm32")]
impl Reports {
    pub(crate) fn of(device: &wgpu::Device) -> Self {
        let first = Arc::<Mutex<Option<Error>>>::default();
        let kept = Arc::clone(&first);
        device.on_uncaptured_error(Arc::new(move |report: Error| {
            tracing::warn!(%report, "device reports");
            kept.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(report);
        }));
        Self(first)
    }
}

#[cfg(target_arch = "wasm32")]
impl Gpu {
    /// Does `work`. What the device reports about it comes out of [`Gpu::check_reports`].
    pub(crate) fn watched<R>(
        &self,
        _: u64,
        work: impl FnOnce() -> Result<R, GpuError>,
    ) -> Result<R, GpuError> {
        let outcome = work();
        self.check_alive()?;
        outcome
    }

    /// Nothing may wait: a loss that has not been told yet is told later.
    fn await_loss(&self) -> Result<(), GpuError> {
        self.check_alive()
    }

    /// What the device has reported since it was last asked. `bytes` is the size to name if memory
    /// ran out.
    pub(crate) fn check_reports(&self, bytes: u64) -> Result<(), GpuError> {
        let mut first = self.inner.reports.0.lock().unwrap_or_else(PoisonError::into_inner);
        first.take().map_or(Ok(()), |report| Err(self.fault(&report, bytes)))
    }
}

impl Gpu {
    fn fault(&self, report: &Error, bytes: u64) -> GpuError {
        match report {
            Error::OutOfMemory { .. } => {
                GpuError::OutOfMemory { device: self.name().to_owned(), bytes }
            }
            Error::Validation { .. } | Error::Internal { .. } => self.refused(report),
        }
    }

    /// A call that the driver refused: by itself, or because the device is lost.
    pub(crate) fn refused(&self, message: &dyn std::fmt::Display) -> GpuError {
        let refused =
            || GpuError::Refused { device: self.name().to_owned(), message: message.to_string() };
        self.await_loss().err().unwrap_or_else(refused)
    }

    /// Why the device is gone, if it is.
    pub(crate) fn check_alive(&self) -> Result<(), GpuError> {
        match self.lost() {
            None => Ok(()),
            Some(reason) => {
                Err(GpuError::Lost { device: self.name().to_owned(), reason: reason.to_owned() })
            }
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use wgpu::{BufferDescriptor, BufferUsages};

    /// The best adapter, or `None`, which the test says.
    pub(crate) fn gpu(test: &str) -> Option<Gpu> {
        match Gpu::new() {
            Ok(gpu) => Some(gpu),
            Err(GpuError::NoAdapter { .. })
                if std::env::var("HPFRACC_REQUIRE_GPU").as_deref() != Ok("1") =>
            {
                println!("skipped: {test}: no adapter");
                None
            }
            Err(error) => panic!("{test}: {error}"),
        }
    }

    #[test]
    fn an_invalid_call_is_refused_and_the_device_goes_on() {
        let Some(gpu) = gpu("an_invalid_call_is_refused") else { return };
        let make = |size, usage| {
            let descriptor =
                BufferDescriptor { label: None, size, usage, mapped_at_creation: false };
            gpu.watched(size, || Ok(gpu.inner.device.create_buffer(&descriptor)))
        };
        let beyond = gpu.inner.limits.max_buffer_size + 4;
        let error = make(beyond, BufferUsages::STORAGE).unwrap_err();
        assert!(matches!(error, GpuError::Refused { .. }), "{error:?}");
        assert!(error.to_string().contains(&beyond.to_string()), "{error}");
        let error = make(4, BufferUsages::MAP_READ | BufferUsages::STORAGE).unwrap_err();
        assert!(matches!(error, GpuError::Refused { .. }), "{error:?}");
        let error = gpu.pipeline("fn nothing() -> u32 {}", "nothing", &[]).err();
        assert!(matches!(error, Some(GpuError::Refused { .. })), "{error:?}");
        assert!(make(4, BufferUsages::STORAGE).is_ok());
    }

    #[test]
    fn memory_that_runs_out_has_its_own_error() {
        let Some(gpu) = gpu("memory_that_runs_out") else { return };
        let report = Error::OutOfMemory { source: "no memory left".into() };
        let error = gpu.fault(&report, 1 << 40);
        assert!(matches!(error, GpuError::OutOfMemory { bytes, .. } if bytes == 1 << 40));
    }
}
