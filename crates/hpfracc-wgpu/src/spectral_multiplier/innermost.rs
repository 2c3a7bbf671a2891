//! The last axis: forward transform, product with the symbol, inverse transform: innermost.wgsl.

use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{self, Layout, Order, roots};
use crate::plan::BatchRecorder;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use std::sync::Arc;
use wgpu::Limits;

/// The product of lines with circulant matrices.
pub(super) struct Innermost {
    layout: Layout,
    pipeline: Arc<Pipeline>,
    roots: PooledBuffer,
    len: usize,
    lines: usize,
}

impl Innermost {
    /// `lines` lines of `len` entries in each signal.
    pub(super) fn new<P: Precision>(gpu: &Gpu, len: usize, lines: usize) -> Result<Self, GpuError> {
        let (layout, source) = Self::shader::<P>(gpu.limits(), len);
        Ok(Self {
            layout,
            pipeline: gpu.pipeline(&source, "multiply")?,
            roots: gpu.upload(&roots::narrowed::<P>(roots::transform_roots(layout.points)))?,
            len,
            lines,
        })
    }

    /// The layout of such lines on a device with these limits, and the shader.
    pub(super) fn shader<P: Precision>(limits: &Limits, len: usize) -> (Layout, String) {
        let points = fourier::points_of_line(len);
        let layout = Layout::new::<P>(limits, points, fourier::filling::<P>(points));
        let head = format!("const POINTS = {points}u;\n");
        let body = include_str!("innermost.wgsl");
        (layout, layout.shader::<P>(Order::Contiguous, &[&head], body))
    }

    /// Points of the transform: entries of a row of the spectrum, and of the table of roots.
    pub(super) fn points(&self) -> usize {
        self.layout.points
    }

    /// Records the product of a batch.
    pub(super) fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        let lines = self.lines * batch.signals;
        let sizes = batch.uniform([self.len, lines, self.lines, batch.transposed.into()]);
        let buffers = [batch.scratch, batch.kernel, self.roots.buffer(), &sizes];
        batch.dispatch(&self.pipeline, &buffers, self.layout.grid(lines));
    }
}
