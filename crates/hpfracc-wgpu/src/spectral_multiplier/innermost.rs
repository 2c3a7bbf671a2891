//! Along the last axis, there, the product with the symbol, and back: innermost.wgsl.

use crate::fourier::{self, Layout};
use crate::gpu::{Binding, Pipeline, Uniform};
use crate::memory::Lent;
use crate::passes::Arrays;
use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::{ComputePass, Limits};

const BINDINGS: [Binding; 4] = [Binding::Write, Binding::Read, Binding::Read, Binding::Uniform];

/// The product of lines with circulant matrices.
pub(super) struct Innermost<T> {
    layout: Layout,
    pipeline: Arc<Pipeline>,
    roots: Lent,
    len: usize,
    lines: usize,
    scalar: PhantomData<T>,
}

impl<T: ShaderScalar> Innermost<T> {
    /// So many lines of `len` entries in each signal.
    pub(super) fn new(gpu: &Gpu, len: usize, lines: usize) -> Result<Self, GpuError> {
        let (layout, source) = Self::shader(&gpu.inner.limits, len);
        Ok(Self {
            layout,
            pipeline: gpu.pipeline(&source, "multiply", &BINDINGS)?,
            roots: gpu.upload(&roots::pairs::<T>(roots::backward(layout.points)))?,
            len,
            lines,
            scalar: PhantomData,
        })
    }

    /// How lines of such a length are cut on a device with these limits, and the shader.
    pub(super) fn shader(limits: &Limits, len: usize) -> (Layout, String) {
        let points = fourier::points_of_line(len);
        let layout = Layout::new::<T>(limits, points, fourier::filling::<T>(points));
        (layout, source::<T>(layout))
    }

    /// Points of the transform: entries in a row of the spectrum.
    pub(super) fn points(&self) -> usize {
        self.layout.points
    }

    /// Bytes of the tables.
    pub(super) fn bytes(&self) -> usize {
        2 * self.layout.points * size_of::<T>()
    }

    /// What the shader needs to know about so many signals.
    pub(super) fn sizes(&self, gpu: &Gpu, signals: usize, transposed: bool) -> Uniform {
        Uniform::new(gpu, [self.len, self.lines * signals, self.lines, transposed.into()])
    }

    pub(super) fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        arrays: &Arrays<'_>,
        sizes: &Uniform,
        signals: usize,
    ) {
        let buffers = [arrays.work, arrays.spectrum, self.roots.buffer(), sizes.buffer()];
        let grid = self.layout.grid(self.lines * signals);
        gpu.dispatch(pass, &self.pipeline, &buffers, grid);
    }
}

fn source<T: ShaderScalar>(layout: Layout) -> String {
    let (mut load, mut multiply, mut store) = (String::new(), String::new(), String::new());
    for j in 0..layout.held {
        let n = format!("t + {}u", j * layout.threads());
        let _ = writeln!(load, "    var v{j} = load(line, {n});");
        let _ = writeln!(multiply, "    v{j} = conjugate(product(v{j}, spectrum_at(line, {n})));");
        let _ = writeln!(store, "    store(line, {n}, v{j});");
    }
    let body = include_str!("innermost.wgsl")
        .replace("//{load}", &load)
        .replace("//{transform}", &layout.transform(T::literal))
        .replace("//{multiply}", &multiply)
        .replace("//{store}", &store);
    [layout.prelude::<T>(), format!("const POINTS = {}u;\n", layout.points), body].concat()
}
