//! What a device reports becomes the answer of the call that caused it.

use crate::{Gpu, GpuError};
use wgpu::{Error, ErrorFilter};

impl Gpu {
    /// Does `work` and turns what the device reports about it into an error. `bytes` is the size
    /// to name if memory ran out.
    ///
    /// Without the scopes a report would end the process: that is the default of a device without
    /// a handler of its own.
    pub(crate) fn watched<R>(
        &self,
        bytes: u64,
        work: impl FnOnce() -> Result<R, GpuError>,
    ) -> Result<R, GpuError> {
        let device = &self.inner.device;
        let internal = device.push_error_scope(ErrorFilter::Internal);
        let memory = device.push_error_scope(ErrorFilter::OutOfMemory);
        let validation = device.push_error_scope(ErrorFilter::Validation);
        let outcome = work();
        let reports = [
            pollster::block_on(validation.pop()),
            pollster::block_on(memory.pop()),
            pollster::block_on(internal.pop()),
        ];
        // A lost device refuses everything else as a consequence.
        self.check_alive()?;
        match reports.into_iter().flatten().next() {
            None => outcome,
            Some(report) => Err(self.fault(&report, bytes)),
        }
    }

    fn fault(&self, report: &Error, bytes: u64) -> GpuError {
        let device = self.name().to_owned();
        match report {
            Error::OutOfMemory { .. } => GpuError::OutOfMemory { device, bytes },
            Error::Validation { .. } | Error::Internal { .. } => {
                GpuError::Refused { device, message: report.to_string() }
            }
        }
    }

    /// A call that the driver refused.
    pub(crate) fn refused(&self, message: &dyn std::fmt::Display) -> GpuError {
        GpuError::Refused { device: self.name().to_owned(), message: message.to_string() }
    }

    /// Why the device is gone, if it is.
    pub(crate) fn check_alive(&self) -> Result<(), GpuError> {
        match self.inner.lost.get() {
            None => Ok(()),
            Some(reason) => {
                Err(GpuError::Lost { device: self.name().to_owned(), reason: reason.clone() })
            }
        }
    }
}
