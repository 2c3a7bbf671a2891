//! Transforms along an axis other than the last: axis.wgsl.

use crate::device::{Pipeline, PooledBuffer};
use crate::fourier::{self, LONGEST, Layout, Order, roots};
use crate::plan::BatchRecorder;
use crate::precision::Precision;
use crate::{Gpu, GpuError};
use rustfft::num_complex::Complex64;
use std::fmt::Write as _;
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

/// Functions of axis.wgsl that load and store the points of a line.
struct Accessors {
    load: &'static str,
    store: &'static str,
}

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
            if points == len { vec![Complex64::default()] } else { roots::chirp(len, points) };
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
        let source = |(load, store)| source::<P>(layout, points != len, &Accessors { load, store });
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

fn source<P: Precision>(layout: Layout, chirped: bool, accessors: &Accessors) -> String {
    let (mut load, mut chirp, mut filter) = (String::new(), String::new(), String::new());
    let (mut unchirp, mut store) = (String::new(), String::new());
    for j in 0..layout.held {
        let n = format!("t + {}u", j * layout.threads());
        let _ = writeln!(load, "    var v{j} = {}(line, {n});", accessors.load);
        let _ = writeln!(chirp, "    v{j} = product(v{j}, chirp_at({n}));");
        let _ = writeln!(filter, "    v{j} = conjugate(product(v{j}, chirp[axis.len + {n}]));");
        let _ = writeln!(unchirp, "    v{j} = product(conjugate(v{j}), chirp_at({n}));");
        let _ = writeln!(store, "    {}(line, {n}, v{j});", accessors.store);
    }
    let points = "    {\n//{transform}    }\n".to_owned();
    let transform = if chirped {
        format!(
            "{chirp}    for (var step = 0u; step < 2u; step++) {{\n{points}    if step == 0u {{\n\
             {filter}    }}\n    }}\n{unchirp}"
        )
    } else {
        points
    };
    let parts = [("load", &*load), ("passes", &transform), ("store", &store)];
    layout.shader::<P>(Order::Interleaved, &[], include_str!("axis.wgsl"), &parts)
}
