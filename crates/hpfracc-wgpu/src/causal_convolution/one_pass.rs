//! Signals that fit one workgroup: one_pass.wgsl.

use super::right_angle;
use crate::fourier::{Layout, SHORTEST, filling};
use crate::gpu::{Binding, Pipeline, Uniform};
use crate::memory::Lent;
use crate::passes::{Arrays, DeviceBytes, Passes};
use crate::scalar::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use hpfracc_backend::Workload;
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::{ComputePass, Limits};

/// The right-angle convolution in one pass: samples are read once and results written once.
pub(crate) struct OnePass<T> {
    layout: Layout,
    len: usize,
    pipeline: Arc<Pipeline>,
    twist: Lent,
    roots: Lent,
    scalar: PhantomData<T>,
}

const BINDINGS: [Binding; 6] =
    [Binding::Read, Binding::Write, Binding::Read, Binding::Read, Binding::Read, Binding::Uniform];

impl<T: ShaderScalar> OnePass<T> {
    /// Signals of `len` samples, at most [`longest`](crate::fourier::longest).
    pub(crate) fn new(gpu: &Gpu, len: usize) -> Result<Self, GpuError> {
        let (layout, source) = Self::shader(&gpu.inner.limits, len);
        let points = layout.points;
        let twist = roots::on_circle((0..points).map(|n| (n, 4 * points)));
        Ok(Self {
            layout,
            len,
            pipeline: gpu.pipeline(&source, "convolve", &BINDINGS)?,
            twist: gpu.upload(&roots::pairs::<T>(twist))?,
            roots: gpu.upload(&roots::pairs::<T>(roots::backward(points)))?,
            scalar: PhantomData,
        })
    }

    /// How such signals are cut on a device with these limits, and the shader.
    pub(crate) fn shader(limits: &Limits, len: usize) -> (Layout, String) {
        let points = len.next_power_of_two().max(SHORTEST);
        let layout = Layout::new::<T>(limits, points, filling::<T>(points));
        (layout, source::<T>(layout))
    }
}

impl<T: ShaderScalar> Passes for OnePass<T> {
    fn bytes(&self) -> DeviceBytes {
        let array = 2 * self.layout.points * size_of::<T>();
        DeviceBytes { tables: 2 * array, spectrum: array, work: 0 }
    }

    fn spectrum(&self, workload: Workload, kernel: &[f64]) -> Vec<f64> {
        roots::pairs(right_angle::spectrum(workload, kernel, self.layout.points))
    }

    fn sizes(&self, gpu: &Gpu, signals: usize, transposed: bool) -> Vec<Uniform> {
        vec![Uniform::new(gpu, [self.len, signals, transposed.into(), 0])]
    }

    fn record(
        &self,
        gpu: &Gpu,
        pass: &mut ComputePass<'_>,
        arrays: &Arrays<'_>,
        sizes: &[Uniform],
        signals: usize,
    ) {
        let buffers = [
            arrays.input,
            arrays.output,
            arrays.spectrum,
            self.twist.buffer(),
            self.roots.buffer(),
            sizes[0].buffer(),
        ];
        gpu.dispatch(pass, &self.pipeline, &buffers, self.layout.grid(signals));
    }
}

fn source<T: ShaderScalar>(layout: Layout) -> String {
    let (mut load, mut multiply, mut store) = (String::new(), String::new(), String::new());
    for j in 0..layout.held {
        let n = format!("t + {}u", j * layout.threads());
        let _ = writeln!(load, "    var v{j} = load(row, {n});");
        let _ = writeln!(multiply, "    v{j} = conjugate(product(v{j}, spectrum[{n}]));");
        let _ = writeln!(store, "    store(row, {n}, v{j});");
    }
    let body = include_str!("one_pass.wgsl")
        .replace("//{load}", &load)
        .replace("//{transform}", &layout.transform(T::literal))
        .replace("//{multiply}", &multiply)
        .replace("//{store}", &store);
    [layout.prelude::<T>().as_str(), include_str!("shape.wgsl"), &body].concat()
}
