//! The compute passes of a workload, between the upload of the input and the readback of the
//! result.

use crate::Gpu;
use hpfracc_backend::Workload;
use wgpu::{Buffer, ComputePass};

/// The buffers that a sequence of dispatches works on.
pub(crate) struct PassBuffers<'a> {
    /// Signals, contiguous.
    pub(crate) input: &'a Buffer,
    /// Results, contiguous.
    pub(crate) output: &'a Buffer,
    /// What [`Passes::device_kernel`] returns.
    pub(crate) kernel: &'a Buffer,
    /// Scratch between dispatches, [`DeviceBytes::scratch`] for each signal; without scratch the
    /// output.
    pub(crate) scratch: &'a Buffer,
}

/// Device memory of a sequence of dispatches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceBytes {
    /// Tables that depend on the size alone.
    pub(crate) tables: usize,
    /// The kernel of a bound map.
    pub(crate) kernel: usize,
    /// Scratch for each signal.
    pub(crate) scratch: usize,
}

/// A sequence of dispatches that computes a map of one size.
pub(crate) trait Passes: Send + Sync {
    /// Device memory.
    fn bytes(&self) -> DeviceBytes;

    /// The kernel as the shaders read it.
    fn device_kernel(&self, _workload: Workload, kernel: Vec<f64>) -> Vec<f64> {
        kernel
    }

    /// Whether results are proportional to the kernel, so that the host may scale it.
    fn is_linear_in_kernel(&self) -> bool {
        true
    }

    /// Records the dispatches of a batch of `signals` signals.
    fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        buffers: &PassBuffers<'_>,
        signals: usize,
        transposed: bool,
    );
}
