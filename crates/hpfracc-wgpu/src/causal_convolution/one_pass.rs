//! Signals that fit one workgroup: one_pass.wgsl.

use super::right_angle;
use crate::fourier::{HELD, Layout};
use crate::gpu::{Binding, Pipeline, Uniform};
use crate::memory::Lent;
use crate::passes::{Arrays, DeviceBytes, Passes};
use crate::precision::ShaderScalar;
use crate::{Gpu, GpuError, roots};
use hpfracc_backend::Workload;
use std::fmt::Write as _;
use std::marker::PhantomData;
use std::sync::Arc;
use wgpu::ComputePass;

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
        let points = len.next_power_of_two().max(HELD);
        let layout = Layout::new::<T>(gpu, points, (128 / (points / HELD)).max(1));
        let pipeline = gpu.pipeline(&source::<T>(layout), "convolve", &BINDINGS)?;
        let twist: Vec<T> = roots::on_circle((0..points).map(|n| (n, 4 * points)));
        Ok(Self {
            layout,
            len,
            pipeline,
            twist: gpu.upload(&twist)?,
            roots: gpu.upload(&roots::backward::<T>(points))?,
            scalar: PhantomData,
        })
    }
}

impl<T: ShaderScalar> Passes<T> for OnePass<T> {
    fn bytes(&self) -> DeviceBytes {
        let array = 2 * self.layout.points * size_of::<T>();
        DeviceBytes { tables: 2 * array, spectrum: array, work: 0 }
    }

    fn spectrum(&self, workload: Workload, kernel: &[T]) -> Vec<T> {
        let values = right_angle::spectrum(workload, kernel, self.layout.points);
        values.iter().flat_map(|z| [T::narrow(z.re), T::narrow(z.im)]).collect()
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
    for j in 0..HELD {
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
