//! Signals that fit one workgroup: one_pass.wgsl.

use super::{SHAPE, right_angle};
use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{Layout, Order, SHORTEST, filling, roots};
use crate::plan::{BatchRecorder, DeviceBytes, Passes};
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use hpfracc_backend::Workload;
use std::sync::Arc;
use wgpu::Limits;

/// The right-angle convolution in one pass: samples are read once and results written once.
pub(crate) struct OnePass {
    layout: Layout,
    len: usize,
    pipeline: Arc<Pipeline>,
    twist: PooledBuffer,
    roots: PooledBuffer,
    bytes: DeviceBytes,
}

impl OnePass {
    /// Signals of `len` samples, at most [`longest`](crate::fourier::longest).
    pub(crate) fn new<P: Precision>(gpu: &Gpu, len: usize) -> Result<Self, GpuError> {
        let (layout, source) = Self::shader::<P>(gpu.limits(), len);
        let points = layout.points;
        let twist = roots::roots_of_unity((0..points).map(|n| (n, 4 * points)));
        let array = 2 * points * P::BYTES;
        Ok(Self {
            layout,
            len,
            pipeline: gpu.pipeline(&source, "convolve")?,
            twist: gpu.upload(&roots::narrowed::<P>(twist))?,
            roots: gpu.upload(&roots::narrowed::<P>(roots::transform_roots(points)))?,
            bytes: DeviceBytes { tables: 2 * array, kernel: array, scratch: 0 },
        })
    }

    /// The layout of such signals on a device with these limits, and the shader.
    pub(crate) fn shader<P: Precision>(limits: &Limits, len: usize) -> (Layout, String) {
        let points = len.next_power_of_two().max(SHORTEST);
        let layout = Layout::new::<P>(limits, points, filling::<P>(points));
        let body = include_str!("one_pass.wgsl");
        (layout, layout.shader::<P>(Order::Contiguous, &[SHAPE], body))
    }
}

impl Passes for OnePass {
    fn bytes(&self, _: usize) -> DeviceBytes {
        self.bytes
    }

    fn device_kernel(&self, workload: Workload, kernel: Vec<f64>) -> Vec<f64> {
        roots::interleaved(right_angle::spectrum(workload, &kernel, self.layout.points))
    }

    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        let shape = batch.uniform([self.len, batch.signals, batch.transposed.into(), 0]);
        let [twist, roots] = [self.twist.buffer(), self.roots.buffer()];
        let buffers = [batch.input, batch.output, batch.kernel, twist, roots, &shape];
        batch.dispatch(&self.pipeline, &buffers, self.layout.grid(batch.signals));
    }
}
