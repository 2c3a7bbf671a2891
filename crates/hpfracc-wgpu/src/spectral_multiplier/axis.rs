//! Transforms along an axis other than the last: axis.wgsl.

use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{self, LONGEST, Layout, Order, roots};
use crate::plan::BatchRecorder;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use rustfft::num_complex::Complex64;
use std::sync::Arc;
use wgpu::Limits;

/// Lines of a workgroup, side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

/// The forward and the backward transform along one axis.
pub(super) struct Axis {
    layout: Layout,
    forward: Arc<Pipeline>,
    backward: Arc<Pipeline>,
    roots: PooledBuffer,
    chirp: PooledBuffer,
    bytes: usize,
    lines: SignalLines,
}

/// The lines of each signal along an axis.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SignalLines {
    /// Entries of a line.
    pub(super) len: usize,
    /// Distance between consecutive entries of a line.
    pub(super) stride: usize,
    /// Number of lines.
    pub(super) count: usize,
}

/// Direction of a transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Direction {
    /// From samples to frequencies.
    Forward,
    /// From frequencies to samples, without the factor 1/n.
    Backward,
}

/// The transform of a line whose length is the number of points.
const DIRECT: &str = "{\n//{transform}\n}";

/// The transform of a line by a convolution with a chirp.
const CHIRPED: &str = "\
//{each} v$j = product(v$j, chirp_at($n));
for (var step = 0u; step < 2u; step++) {
    {
//{transform}
    }
    if step == 0u {
//{each} v$j = conjugate(product(v$j, chirp[axis.len + $n]));
    }
}
//{each} v$j = product(conjugate(v$j), chirp_at($n));";

impl Axis {
    /// The transform of these lines; along the `first` axis samples are real.
    pub(super) fn new<P: Precision>(
        gpu: &Gpu,
        lines: SignalLines,
        first: bool,
    ) -> Result<Self, GpuError> {
        let len = lines.len;
        let (layout, [forward, backward]) = Self::shaders::<P>(gpu.limits(), len, first);
        let pipeline = |source: &str| gpu.pipeline(source, "along_axis");
        let points = layout.points;
        let chirp =
            if points == len { vec![Complex64::default()] } else { roots::chirp([len; 2], points) };
        let chirp = roots::narrowed::<P>(chirp);
        let roots = roots::narrowed::<P>(roots::transform_roots(points));
        Ok(Self {
            layout,
            forward: pipeline(&forward)?,
            backward: pipeline(&backward)?,
            bytes: (roots.len() + chirp.len()) * P::BYTES,
            roots: gpu.upload(&roots)?,
            chirp: gpu.upload(&chirp)?,
            lines,
        })
    }

    /// The layout of such lines on a device with these limits, and the forward and the backward
    /// shader.
    pub(super) fn shaders<P: Precision>(
        limits: &Limits,
        len: usize,
        first: bool,
    ) -> (Layout, [String; 2]) {
        let points = fourier::points_of_line(len);
        let slots = (LONGEST / points).clamp(1, ADJACENT).max(fourier::filling::<P>(points));
        let layout = Layout::new::<P>(limits, points, slots);
        let accessors = if first {
            [("load_signal", "store_half"), ("load_half", "store_result")]
        } else {
            [("load_scratch", "store_scratch"), ("load_conjugate", "store_conjugate")]
        };
        let passes = if points == len { DIRECT } else { CHIRPED };
        let body = include_str!("axis.wgsl").replace("//{passes}", passes);
        let source = |(load, store)| {
            let body = body.replace("$load", load).replace("$store", store);
            layout.shader::<P>(Order::Interleaved, &[], &body)
        };
        (layout, accessors.map(source))
    }

    /// Size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Records the transform of a batch.
    pub(super) fn record(&self, batch: &mut BatchRecorder<'_, '_>, direction: Direction) {
        let pipeline = match direction {
            Direction::Forward => &self.forward,
            Direction::Backward => &self.backward,
        };
        let SignalLines { len, stride, count } = self.lines;
        let lines = count * batch.signals;
        let sizes = batch.uniform([len, stride, lines, 0]);
        let [roots, chirp] = [self.roots.buffer(), self.chirp.buffer()];
        let buffers = [batch.input, batch.output, batch.scratch, roots, chirp, &sizes];
        batch.dispatch(pipeline, &buffers, self.layout.grid(lines));
    }
}
