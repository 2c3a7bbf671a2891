//! Transforms along an axis other than the last: axis.wgsl.

use crate::fourier::{self, LONGEST, Layout};
use crate::gpu::{Binding, Pipeline, Uniform};
use crate::memory::Lent;
use crate::passes::Arrays;
use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use rustfft::num_complex::Complex64;
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::{ComputePass, Limits};

/// Lines that a workgroup transforms side by side, so that it reads whole cache lines.
const ADJACENT: usize = 16;

const BINDINGS: [Binding; 6] =
    [Binding::Read, Binding::Write, Binding::Write, Binding::Read, Binding::Read, Binding::Uniform];

/// The transform along one axis, there and back.
pub(super) struct Axis<T> {
    layout: Layout,
    forward: Arc<Pipeline>,
    backward: Arc<Pipeline>,
    roots: Lent,
    chirp: Lent,
    bytes: usize,
    lines: LinesOfSignal,
    scalar: PhantomData<T>,
}

/// Lines along an axis, in each signal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct LinesOfSignal {
    /// Entries of a line.
    pub(super) len: usize,
    /// From one entry of a line to the next.
    pub(super) stride: usize,
    /// Number of lines.
    pub(super) count: usize,
}

/// From samples to frequencies or from frequencies to samples.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    Forward,
    Backward,
}

/// Which functions of axis.wgsl take points from an array and put them back.
struct Ends {
    load: &'static str,
    store: &'static str,
}

impl<T: ShaderScalar> Axis<T> {
    /// The transform of these lines; `first` if the samples along them are still real.
    pub(super) fn new(gpu: &Gpu, lines: LinesOfSignal, first: bool) -> Result<Self, GpuError> {
        let len = lines.len;
        let (layout, [forward, backward]) = Self::shaders(&gpu.inner.limits, len, first);
        let pipeline = |source: &str| gpu.pipeline(source, "along_axis", &BINDINGS);
        let points = layout.points;
        let chirp =
            if points == len { vec![Complex64::default()] } else { roots::chirp(len, points) };
        let chirp: Vec<T> = roots::pairs(chirp);
        let roots: Vec<T> = roots::pairs(roots::backward(points));
        Ok(Self {
            layout,
            forward: pipeline(&forward)?,
            backward: pipeline(&backward)?,
            bytes: size_of_val(&roots[..]) + size_of_val(&chirp[..]),
            roots: gpu.upload(&roots)?,
            chirp: gpu.upload(&chirp)?,
            lines,
            scalar: PhantomData,
        })
    }

    /// How lines of such a length are cut on a device with these limits, and the shaders there and
    /// back.
    pub(super) fn shaders(limits: &Limits, len: usize, first: bool) -> (Layout, [String; 2]) {
        let points = fourier::points_of_line(len);
        let slots = (LONGEST / points).clamp(1, ADJACENT).max(fourier::filling::<T>(points));
        let layout = Layout::new::<T>(limits, points, slots);
        let ends = if first {
            [("load_signal", "store_half"), ("load_half", "store_result")]
        } else {
            [("load_work", "store_work"), ("load_conjugate", "store_conjugate")]
        };
        let source = |(load, store)| source::<T>(layout, points != len, &Ends { load, store });
        (layout, ends.map(source))
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        self.bytes
    }

    /// What the shader needs to know about so many signals.
    pub(super) fn sizes(&self, gpu: &Gpu, signals: usize) -> Uniform {
        let LinesOfSignal { len, stride, count } = self.lines;
        Uniform::new(gpu, [len, stride, count * signals, 0])
    }

    /// Records the transform, or the way back without the factor 1/n.
    pub(super) fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        way: Way,
        arrays: &Arrays<'_>,
        sizes: &Uniform,
        signals: usize,
    ) {
        let pipeline = match way {
            Way::Forward => &self.forward,
            Way::Backward => &self.backward,
        };
        let buffers = [
            arrays.input,
            arrays.output,
            arrays.work,
            self.roots.buffer(),
            self.chirp.buffer(),
            sizes.buffer(),
        ];
        let grid = self.layout.grid(self.lines.count * signals);
        gpu.dispatch(pass, pipeline, &buffers, grid);
    }
}

fn source<T: ShaderScalar>(layout: Layout, chirped: bool, ends: &Ends) -> String {
    let (mut load, mut chirp, mut filter) = (String::new(), String::new(), String::new());
    let (mut unchirp, mut store) = (String::new(), String::new());
    for j in 0..layout.held {
        let n = format!("t + {}u", j * layout.threads());
        let _ = writeln!(load, "    var v{j} = {}(line, {n});", ends.load);
        let _ = writeln!(chirp, "    v{j} = product(v{j}, chirp_at({n}));");
        let _ = writeln!(filter, "    v{j} = conjugate(product(v{j}, chirp[axis.len + {n}]));");
        let _ = writeln!(unchirp, "    v{j} = product(conjugate(v{j}), chirp_at({n}));");
        let _ = writeln!(store, "    {}(line, {n}, v{j});", ends.store);
    }
    let points = format!("    {{\n{}    }}\n", layout.transform(T::literal));
    let transform = if chirped {
        format!(
            "{chirp}    for (var back = 0u; back < 2u; back++) {{\n{points}    if back == 0u {{\n\
             {filter}    }}\n    }}\n{unchirp}"
        )
    } else {
        points
    };
    let body = include_str!("axis.wgsl")
        .replace("//{load}", &load)
        .replace("//{transform}", &transform)
        .replace("//{store}", &store);
    layout.prelude::<T>() + &body
}
