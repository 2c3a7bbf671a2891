//! Real transforms of all lines along an axis: lines.wgsl.

use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{self, LONGEST, Layout, Order, roots};
use crate::plan::BatchRecorder;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use hpfracc_backend::RealTransform;
use rustfft::num_complex::Complex64;
use std::sync::Arc;
use wgpu::Limits;

/// Lines of a workgroup, side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

/// One pass over the lines.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    /// Coefficients of the values of the signals.
    ToModes,
    /// Coefficients of values, in place.
    ToModesInPlace,
    /// Transform, product with the multipliers and inverse transform of the signals.
    Multiply,
    /// The same in place.
    MultiplyInPlace,
    /// Values of coefficients, in place.
    ToValues,
}

/// The lines along an axis of each signal, and their transform.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct AxisLines {
    pub(super) len: usize,
    pub(super) transform: RealTransform,
    /// Distance between consecutive entries of a line.
    pub(super) stride: usize,
    /// Number of lines of a signal.
    pub(super) count: usize,
}

/// Passes over the lines along one axis.
pub(super) struct Lines {
    layout: Layout,
    /// A pipeline for each pass that the axis has.
    pipelines: Vec<(Step, Arc<Pipeline>)>,
    roots: PooledBuffer,
    factors: PooledBuffer,
    bytes: usize,
    lines: AxisLines,
}

/// The Fourier transform of a line whose length is the number of points.
const DIRECT: &str = "{\n//{transform}\n}";

/// The Fourier transform of a line by a convolution with a chirp.
const CHIRPED: &str = "\
//{each} v$j = product(v$j, chirp_at($n));
for (var stage = 0u; stage < 2u; stage++) {
    {
//{transform}
    }
    if stage == 0u {
//{each} v$j = conjugate(product(v$j, filter_at($n)));
    }
}
//{each} v$j = product(conjugate(v$j), chirp_at($n));";

/// A transform between a load and a store.
const ONCE: &str = "\
//{each} var v$j = $load(line, $n);
//{fourier}
//{each} $store(line, $n, v$j);";

/// Both transforms share the code: a second copy would exceed instruction caches.
const TWICE: &str = "\
//{each} var v$j = load_value(line, $n);
for (var step = 0u; step < 2u; step++) {
//{fourier}
    if step == 0u {
//{each} v$j = multiplied(line, $n, v$j);
    }
}
//{each} store_value(line, $n, v$j);";

impl Lines {
    pub(super) fn new<P: Precision>(
        gpu: &Gpu,
        lines: AxisLines,
        steps: &[Step],
    ) -> Result<Self, GpuError> {
        let layout = Self::layout::<P>(gpu.limits(), lines);
        let pipeline = |step: &Step| {
            let source = Self::shader::<P>(layout, lines, *step);
            gpu.pipeline(&source, "transform_lines").map(|pipeline| (*step, pipeline))
        };
        let factors = roots::narrowed::<P>(factors(lines, layout.points));
        let roots = roots::narrowed::<P>(roots::transform_roots(layout.points));
        Ok(Self {
            layout,
            pipelines: steps.iter().map(pipeline).collect::<Result<_, _>>()?,
            bytes: (roots.len() + factors.len()) * P::BYTES,
            roots: gpu.upload(&roots)?,
            factors: gpu.upload(&factors)?,
            lines,
        })
    }

    /// The layout of such lines on a device with these limits.
    pub(super) fn layout<P: Precision>(limits: &Limits, lines: AxisLines) -> Layout {
        let points = fourier::points_of_line(lines.len);
        let filling = fourier::filling::<P>(points);
        // Lines that are contiguous need no neighbours.
        let adjacent = if lines.stride == 1 { 1 } else { (LONGEST / points).clamp(1, ADJACENT) };
        Layout::new::<P>(limits, points, adjacent.max(filling))
    }

    /// The shader of a pass.
    pub(super) fn shader<P: Precision>(layout: Layout, lines: AxisLines, step: Step) -> String {
        let fourier = if layout.points == lines.len { DIRECT } else { CHIRPED };
        let place = match lines.transform {
            RealTransform::Hartley => "return p;",
            _ => "return select(2u * (axis.len - p) - 1u, 2u * p, 2u * p < axis.len);",
        };
        let [load, store] = match step {
            Step::ToModes | Step::ToModesInPlace => ["load_value", "store_mode"],
            Step::Multiply | Step::MultiplyInPlace | Step::ToValues => ["load_mode", "store_value"],
        };
        let source = match step {
            Step::ToModes | Step::Multiply => "signals",
            Step::ToModesInPlace | Step::MultiplyInPlace | Step::ToValues => "field",
        };
        let steps = match step {
            Step::Multiply | Step::MultiplyInPlace => TWICE,
            Step::ToModes | Step::ToModesInPlace | Step::ToValues => ONCE,
        };
        let (order, [slot, invocation]) = if lines.stride == 1 {
            (Order::Contiguous, ["index / THREADS", "index % THREADS"])
        } else {
            (Order::Interleaved, ["index % SLOTS", "index / SLOTS"])
        };
        let steps = steps.replace("//{fourier}", fourier);
        let steps = steps.replace("$load", load).replace("$store", store);
        let body = include_str!("lines.wgsl")
            .replace("//{steps}", &steps)
            .replace("//{place}", place)
            .replace("$source", source)
            .replace("$slot", slot)
            .replace("$invocation", invocation);
        layout.shader::<P>(order, &[], &body)
    }

    /// Size of the tables in bytes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Records a pass over the lines of a batch. The results are the field.
    pub(super) fn record(&self, batch: &mut BatchRecorder<'_, '_>, step: Step) {
        let AxisLines { len, stride, count, .. } = self.lines;
        let lines = count * batch.signals;
        let sizes = batch.uniform([len, stride, lines, count]);
        let [roots, factors] = [self.roots.buffer(), self.factors.buffer()];
        let buffers = [batch.input, batch.output, batch.kernel, roots, factors, &sizes];
        let pipelines = self.pipelines.iter().filter(|(planned, _)| *planned == step);
        for (_, pipeline) in pipelines {
            batch.dispatch(pipeline, &buffers, self.layout.grid(lines));
        }
    }
}

/// Factors before and after the Fourier transform, and the chirp of a length that is not the number
/// of points.
fn factors(lines: AxisLines, points: usize) -> Vec<Complex64> {
    let form = lines.transform.fourier_form(lines.len);
    let factors = form.before.iter().chain(&form.after);
    let mut factors: Vec<Complex64> = factors.map(|[re, im]| Complex64::new(*re, *im)).collect();
    if points != lines.len {
        factors.extend(roots::chirp([lines.len; 2], points));
    }
    factors
}
