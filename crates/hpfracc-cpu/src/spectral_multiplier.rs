//! Spectral multipliers: discrete Fourier transform, product with a symbol, inverse transform.

use crate::buffers::aligned::Aligned;
use crate::buffers::scratch_pool::ScratchPool;
use crate::fourier::planners::{ComplexPair, RealPair, Transforms};
use crate::fourier::pointwise;
use hpfracc_backend::{BackendError, Direction, LinearMap, Plan, Shape, Workload};
use hpfracc_types::Real;
use num_complex::Complex;
use rayon::prelude::*;
use std::sync::Arc;

/// Plan of a spectral multiplier: real transforms along the last axis, complex ones along the
/// others.
pub(crate) struct SpectralPlan<T> {
    inner: Arc<Inner<T>>,
}

struct Inner<T> {
    workload: Workload,
    last: RealPair<T>,
    /// Transforms of the axes before the last, with length and stride in the half spectrum.
    others: Vec<Axis<T>>,
    /// Number of samples of a signal, and of values of its half spectrum.
    len: usize,
    half: usize,
    parallel: bool,
    values: ScratchPool<Complex<T>>,
}

struct Axis<T> {
    fft: ComplexPair<T>,
    len: usize,
    stride: usize,
}

/// Number of lines gathered together along an axis that is not the last.
const LINES: usize = 8;

impl<T: Real> SpectralPlan<T> {
    pub(crate) fn new(
        workload: Workload,
        shape: Shape,
        parallel: bool,
        transforms: &Transforms,
    ) -> Self {
        let lens = shape.half_spectrum();
        let lens = lens.lens();
        let last = transforms.real::<T>(shape.last());
        let others: Vec<Axis<T>> = (0..lens.len() - 1)
            .filter(|&axis| lens[axis] > 1)
            .map(|axis| Axis {
                fft: transforms.complex(lens[axis]),
                len: lens[axis],
                stride: lens[axis + 1..].iter().product(),
            })
            .collect();
        let need = others
            .iter()
            .map(|axis| LINES * axis.len + axis.need())
            .chain([last.forward.get_scratch_len(), last.inverse.get_scratch_len()])
            .max()
            .unwrap_or(0);
        let half: usize = lens.iter().product();
        let len = workload.signal_len();
        Self {
            inner: Arc::new(Inner {
                workload,
                last,
                others,
                len,
                half,
                parallel,
                values: ScratchPool::new(half + need),
            }),
        }
    }
}

impl<T: Real> Axis<T> {
    fn need(&self) -> usize {
        let fft = &self.fft;
        fft.forward.get_inplace_scratch_len().max(fft.inverse.get_inplace_scratch_len())
    }

    /// Transforms along this axis, a few neighbouring lines at a time.
    fn transform(&self, values: &mut [Complex<T>], scratch: &mut [Complex<T>], inverse: bool) {
        let fft = if inverse { &self.fft.inverse } else { &self.fft.forward };
        let (lines, scratch) = scratch.split_at_mut(LINES * self.len);
        for block in values.chunks_exact_mut(self.len * self.stride) {
            for first in (0..self.stride).step_by(LINES) {
                let width = LINES.min(self.stride - first);
                let lines = &mut lines[..width * self.len];
                for (j, row) in block.chunks_exact(self.stride).enumerate() {
                    for (line, &value) in row[first..first + width].iter().enumerate() {
                        lines[line * self.len + j] = value;
                    }
                }
                fft.process_with_scratch(lines, scratch);
                for (j, row) in block.chunks_exact_mut(self.stride).enumerate() {
                    for (line, value) in row[first..first + width].iter_mut().enumerate() {
                        *value = lines[line * self.len + j];
                    }
                }
            }
        }
    }
}

impl<T: Real> Inner<T> {
    /// Number of signals that the threads of the current pool compute in parallel.
    fn at_once(&self) -> usize {
        let threads = if self.parallel { rayon::current_num_threads() } else { 1 };
        threads.min(self.workload.batch())
    }

    fn one(
        &self,
        symbol: &[Complex<T>],
        direction: Direction,
        from: &[T],
        to: &mut [T],
        values: &mut [Complex<T>],
    ) {
        let (values, scratch) = values.split_at_mut(self.half);
        let (n, half) = (self.last.forward.len(), self.last.forward.complex_len());
        // The real transform overwrites its input: the memory of the result is used for it.
        to.copy_from_slice(from);
        for (samples, values) in to.chunks_exact_mut(n).zip(values.chunks_exact_mut(half)) {
            let done = self.last.forward.process_with_scratch(samples, values, scratch);
            done.expect("the buffers have the lengths of the plan");
        }
        for axis in self.others.iter().rev() {
            axis.transform(values, scratch, false);
        }
        pointwise::multiply(values, symbol, direction);
        for axis in &self.others {
            axis.transform(values, scratch, true);
        }
        for (values, to) in values.chunks_exact_mut(half).zip(to.chunks_exact_mut(n)) {
            // Real up to rounding, because the symbol is Hermitian; realfft requires exact zeros.
            values[0].im = T::zero();
            if n % 2 == 0 {
                values[half - 1].im = T::zero();
            }
            let done = self.last.inverse.process_with_scratch(values, to, scratch);
            done.expect("the buffers have the lengths of the plan");
        }
    }
}

impl<T: Real> Plan<T> for SpectralPlan<T> {
    fn workload(&self) -> Workload {
        self.inner.workload
    }

    fn bytes(&self) -> usize {
        let symbol = Aligned::<Complex<T>>::bytes(self.inner.half);
        symbol + self.inner.at_once() * self.inner.values.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.inner.workload.check_kernel(kernel)?;
        let norm = 1.0 / self.inner.len as f64;
        let mut symbol = Aligned::new(self.inner.half, Complex::default());
        for (value, pair) in symbol.iter_mut().zip(kernel.chunks_exact(2)) {
            let scaled = |part: T| T::narrow(part.widen() * norm);
            *value = Complex::new(scaled(pair[0]), scaled(pair[1]));
        }
        Ok(Box::new(SpectralMap { plan: Arc::clone(&self.inner), symbol }))
    }
}

struct SpectralMap<T> {
    plan: Arc<Inner<T>>,
    symbol: Aligned<Complex<T>>,
}

impl<T: Real> LinearMap<T> for SpectralMap<T> {
    fn workload(&self) -> Workload {
        self.plan.workload
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let plan = &self.plan;
        let at_once = plan.at_once();
        if at_once > 1 {
            plan.values.reserve(at_once);
            from.par_chunks_exact(plan.len).zip(to.par_chunks_exact_mut(plan.len)).for_each_init(
                || plan.values.lend(),
                |values, (from, to)| plan.one(&self.symbol, direction, from, to, values),
            );
        } else {
            let mut values = plan.values.lend();
            for (from, to) in from.chunks_exact(plan.len).zip(to.chunks_exact_mut(plan.len)) {
                plan.one(&self.symbol, direction, from, to, &mut values);
            }
        }
        Ok(())
    }
}
