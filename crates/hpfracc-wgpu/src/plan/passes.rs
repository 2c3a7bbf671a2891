//! The compute passes of a workload, between the upload of the input and the readback of the
//! result.

use crate::Gpu;
use crate::device::Pipeline;
use hpfracc_backend::Workload;
use wgpu::{Buffer, ComputePass};

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
    /// Device memory for a kernel of `kernel` bytes: by default that kernel alone.
    fn bytes(&self, kernel: usize) -> DeviceBytes {
        DeviceBytes { tables: 0, kernel, scratch: 0 }
    }

    /// The kernel as the shaders read it.
    fn device_kernel(&self, _workload: Workload, kernel: Vec<f64>) -> Vec<f64> {
        kernel
    }

    /// Whether results are proportional to the kernel, so that the host may scale it.
    fn is_linear_in_kernel(&self) -> bool {
        true
    }

    /// Records the dispatches for a batch of signals.
    fn record(&self, batch: &mut BatchRecorder<'_, '_>);
}

/// A batch of signals in device memory and the compute pass that its dispatches are recorded to.
pub(crate) struct BatchRecorder<'a, 'p> {
    pub(crate) gpu: &'a Gpu,
    pub(crate) pass: &'a mut ComputePass<'p>,
    /// Signals, contiguous.
    pub(crate) input: &'a Buffer,
    /// Results, contiguous.
    pub(crate) output: &'a Buffer,
    /// What [`Passes::device_kernel`] returns.
    pub(crate) kernel: &'a Buffer,
    /// [`DeviceBytes::scratch`] for each signal; without scratch the output.
    pub(crate) scratch: &'a Buffer,
    /// Number of signals.
    pub(crate) signals: usize,
    /// Whether to compute the transposed map.
    pub(crate) transposed: bool,
}

impl BatchRecorder<'_, '_> {
    /// A uniform buffer with these four whole numbers.
    pub(crate) fn uniform(&self, values: [usize; 4]) -> Buffer {
        self.gpu.uniform(values)
    }

    /// Records one dispatch of a shader over a grid of workgroups, with these buffers at bindings
    /// 0, 1, ...
    pub(crate) fn dispatch(&mut self, pipeline: &Pipeline, buffers: &[&Buffer], grid: [u32; 2]) {
        self.gpu.dispatch(self.pass, pipeline, buffers, grid);
    }
}
