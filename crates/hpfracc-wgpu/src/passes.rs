//! What the device does between the arrival of samples and the departure of results.

use crate::Gpu;
use crate::gpu::Uniform;
use hpfracc_backend::Workload;
use wgpu::{Buffer, ComputePass};

/// The arrays that a sequence of passes works on.
pub(crate) struct Arrays<'a> {
    /// Signals, one behind the other.
    pub(crate) input: &'a Buffer,
    /// Results, one behind the other.
    pub(crate) output: &'a Buffer,
    /// What passes leave for the next, [`DeviceBytes::work`] for each signal.
    pub(crate) work: &'a Buffer,
    /// What [`Passes::spectrum`] gave.
    pub(crate) spectrum: &'a Buffer,
}

/// Memory on the device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct DeviceBytes {
    /// Tables that belong to the size alone.
    pub(crate) tables: usize,
    /// The spectrum of a bound kernel.
    pub(crate) spectrum: usize,
    /// What passes leave for the next, for each signal.
    pub(crate) work: usize,
}

/// One sequence of shaders that computes maps of one size.
pub(crate) trait Passes: Send + Sync {
    /// The memory that the passes need.
    fn bytes(&self) -> DeviceBytes;

    /// What the shaders multiply with, as pairs of real and imaginary parts.
    fn spectrum(&self, workload: Workload, kernel: &[f64]) -> Vec<f64>;

    /// The sizes that the shaders are told for so many signals.
    fn sizes(&self, gpu: &Gpu, signals: usize, transposed: bool) -> Vec<Uniform>;

    /// Records the passes over so many signals, with the sizes for as many.
    fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        arrays: &Arrays<'_>,
        sizes: &[Uniform],
        signals: usize,
    );
}
