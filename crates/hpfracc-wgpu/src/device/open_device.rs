//! The wgpu device with typed errors: reports of the driver become the error of the call that
//! caused them.
//!
//! By default wgpu ends the process at a report. Error scopes around each call collect reports
//! instead. In a browser a scope resolves only later, when nothing may block; there a handler
//! stores the first report until the next result is read.

use crate::GpuError;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
#[cfg(not(target_arch = "wasm32"))]
use std::time::Duration;
use wgpu::{
    AdapterInfo, Buffer, BufferDescriptor, BufferUsages, Device, Error, Features, Limits, PollType,
    QuerySet, QuerySetDescriptor, QueryType, Queue,
};

/// Polls of a device that rejected a call, before it counts as alive.
#[cfg(not(target_arch = "wasm32"))]
const POLLS: usize = 5;

/// A wgpu device and queue, with their properties and the reason of a loss.
pub(crate) struct OpenDevice {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    pub(crate) info: AdapterInfo,
    pub(crate) limits: Limits,
    pub(crate) features: Features,
    lost: Arc<OnceLock<String>>,
    /// Process that opened it.
    #[cfg(not(target_arch = "wasm32"))]
    process: u32,
    #[cfg(target_arch = "wasm32")]
    first_report: Arc<Mutex<Option<Error>>>,
}

impl OpenDevice {
    pub(crate) fn new(device: Device, queue: Queue) -> Self {
        let lost = Arc::new(OnceLock::new());
        let flag = Arc::clone(&lost);
        device.set_device_lost_callback(move |reason, message| {
            tracing::warn!(?reason, message, "device lost");
            let _ = flag.set(format!("{reason:?}: {message}"));
        });
        let (info, features) = (device.adapter_info(), device.features());
        let mut limits = device.limits();
        // Shaders index with 32 bits; Metal binds larger buffers.
        limits.max_storage_buffer_binding_size =
            limits.max_storage_buffer_binding_size.min(u64::from(u32::MAX) / 4 * 4);
        tracing::debug!(name = info.name, interface = %info.backend, "device opened");
        Self {
            #[cfg(target_arch = "wasm32")]
            first_report: first_report_of(&device),
            device,
            queue,
            info,
            limits,
            features,
            lost,
            #[cfg(not(target_arch = "wasm32"))]
            process: std::process::id(),
        }
    }

    pub(crate) fn name(&self) -> &str {
        &self.info.name
    }

    /// Reason of the loss, for a lost device. In a process made by a fork the threads of the driver do
    /// not exist, and a call would wait for them without end.
    pub(crate) fn lost(&self) -> Option<&str> {
        #[cfg(not(target_arch = "wasm32"))]
        if self.is_of_another_process() {
            return Some("it was opened before a fork, and a forked process cannot use it");
        }
        self.lost.get().map(String::as_str)
    }

    /// Whether this process is a fork of the one that opened it.
    #[cfg(not(target_arch = "wasm32"))]
    pub(crate) fn is_of_another_process(&self) -> bool {
        self.process != std::process::id()
    }

    /// Fails with [`GpuError::Lost`] if the device is lost.
    pub(crate) fn check_alive(&self) -> Result<(), GpuError> {
        let device = || self.name().to_owned();
        self.lost().map_or(Ok(()), |reason| {
            Err(GpuError::Lost { device: device(), reason: reason.to_owned() })
        })
    }

    /// The error of a rejected call: the loss of the device, if that is the cause.
    pub(crate) fn rejected(&self, message: &dyn std::fmt::Display) -> GpuError {
        let rejected =
            || GpuError::Rejected { device: self.name().to_owned(), message: message.to_string() };
        self.await_loss().err().unwrap_or_else(rejected)
    }

    pub(super) fn error_of(&self, report: &Error, bytes: u64) -> GpuError {
        match report {
            Error::OutOfMemory { .. } => {
                GpuError::OutOfMemory { device: self.name().to_owned(), bytes }
            }
            Error::Validation { .. } | Error::Internal { .. } => self.rejected(report),
        }
    }

    /// Polls the device, so that its callbacks run. (A browser runs them by itself.)
    pub(crate) fn poll(&self, how: PollType) -> Result<(), GpuError> {
        // wgpu 30 panics if the device is lost during the wait; no state of it is damaged by that.
        let polled = catch_unwind(AssertUnwindSafe(|| self.device.poll(how)));
        self.check_alive()?;
        match polled {
            Ok(Ok(_)) => Ok(()),
            Ok(Err(error)) => Err(self.rejected(&error)),
            Err(_) => Err(self.rejected(&"it cannot be polled")),
        }
    }

    /// A new buffer, mapped if the host writes it.
    pub(crate) fn create_buffer(&self, size: u64, usage: BufferUsages) -> Result<Buffer, GpuError> {
        let mapped_at_creation = usage.contains(BufferUsages::MAP_WRITE);
        let descriptor = BufferDescriptor { label: None, size, usage, mapped_at_creation };
        self.watched(size, || Ok(self.device.create_buffer(&descriptor)))
    }

    /// Queries for two timestamps.
    pub(crate) fn create_timestamps(&self) -> Result<QuerySet, GpuError> {
        let descriptor = QuerySetDescriptor { label: None, ty: QueryType::Timestamp, count: 2 };
        self.watched(16, || Ok(self.device.create_query_set(&descriptor)))
    }
}

/// Locks a state that a panic of another thread leaves usable.
pub(super) fn locked<T>(state: &Mutex<T>) -> MutexGuard<'_, T> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(not(target_arch = "wasm32"))]
impl OpenDevice {
    /// Runs `work` within error scopes and turns reports of the driver into an error. `bytes` is
    /// the size that the error names if memory runs out.
    pub(crate) fn watched<R>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> Result<R, GpuError>,
    ) -> Result<R, GpuError> {
        use wgpu::ErrorFilter::{Internal, OutOfMemory, Validation};

        let internal = self.device.push_error_scope(Internal);
        let memory = self.device.push_error_scope(OutOfMemory);
        let validation = self.device.push_error_scope(Validation);
        let outcome = work();
        let reports = [
            pollster::block_on(validation.pop()),
            pollster::block_on(memory.pop()),
            pollster::block_on(internal.pop()),
        ];
        let outcome = match reports.into_iter().flatten().next() {
            None => outcome,
            Some(report) => Err(self.error_of(&report, bytes)),
        };
        if outcome.is_err() {
            self.await_loss()?;
        }
        outcome
    }

    /// Fails if the device turns out to be lost.
    ///
    /// The driver reports a loss to the first thread that polls when no work is left.
    fn await_loss(&self) -> Result<(), GpuError> {
        for _ in 0..POLLS {
            self.check_alive()?;
            // wgpu 30 panics if the device is lost at this moment; see `poll`.
            let wait = || self.device.poll(PollType::wait_indefinitely());
            let _ = catch_unwind(AssertUnwindSafe(wait));
            self.check_alive()?;
            // Another thread may be between the report and the flag.
            std::thread::sleep(Duration::from_millis(1));
        }
        self.check_alive()
    }

    /// Returns at once: polling the device has waited for the work.
    pub(crate) async fn finished(&self) {}

    /// Succeeds: error scopes have returned all reports.
    pub(crate) fn check_reports(&self, _: u64) -> Result<(), GpuError> {
        Ok(())
    }
}

/// The first report of a device in a browser since the last check.
#[cfg(target_arch = "wasm32")]
fn first_report_of(device: &Device) -> Arc<Mutex<Option<Error>>> {
    let first = Arc::<Mutex<Option<Error>>>::default();
    let stored = Arc::clone(&first);
    device.on_uncaptured_error(Arc::new(move |report: Error| {
        tracing::warn!(%report, "device reports");
        locked(&stored).get_or_insert(report);
    }));
    first
}

#[cfg(target_arch = "wasm32")]
impl OpenDevice {
    /// Runs `work`. [`OpenDevice::check_reports`] returns what the driver reports about it.
    pub(crate) fn watched<R>(
        &self,
        _: u64,
        work: impl FnOnce() -> Result<R, GpuError>,
    ) -> Result<R, GpuError> {
        let outcome = work();
        self.check_alive()?;
        outcome
    }

    /// Fails if the device is known to be lost: nothing may block here.
    fn await_loss(&self) -> Result<(), GpuError> {
        self.check_alive()
    }

    /// Fails with the first report since the last check. `bytes` is the size that the error names
    /// if memory ran out.
    pub(crate) fn check_reports(&self, bytes: u64) -> Result<(), GpuError> {
        let first = locked(&self.first_report).take();
        first.map_or(Ok(()), |report| Err(self.error_of(&report, bytes)))
    }
}
