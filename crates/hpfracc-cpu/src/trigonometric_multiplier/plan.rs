use super::axis::Axis;
use super::line::Step;
use crate::buffers::aligned::Aligned;
use crate::buffers::scratch_pool::ScratchPool;
use crate::fourier::planners::Transforms;
use hpfracc_backend::{
    BackendError, Direction, LinearMap, Plan, RealTransform, TransformAxes, Workload,
};
use hpfracc_types::Real;
use num_complex::Complex;
use rayon::prelude::*;
use std::sync::Arc;

/// Plan of a trigonometric multiplier: `2 d - 1` passes over the field for d axes, since the
/// transform along the first axis, the product and the inverse transform are one pass.
pub(crate) struct TrigonometricPlan<T> {
    inner: Arc<Inner<T>>,
}

struct Inner<T> {
    workload: Workload,
    /// Axes longer than 1; one axis of length 1 if there is none.
    axes: Vec<Axis<T>>,
    parallel: bool,
    scratch: ScratchPool<Complex<T>>,
}

/// Fields with fewer values are transformed by one thread.
const PARALLEL: usize = 1 << 14;

impl<T: Real> TrigonometricPlan<T> {
    pub(crate) fn new(
        workload: Workload,
        axes: TransformAxes,
        parallel: bool,
        transforms: &Transforms,
    ) -> Self {
        let mut long: Vec<(usize, RealTransform)> = axes.iter().filter(|(n, _)| *n > 1).collect();
        if long.is_empty() {
            // All transforms of one value are 1 or -1.
            long.push((1, RealTransform::Dct2));
        }
        let axes: Vec<Axis<T>> =
            (0..long.len()).map(|axis| Axis::new(&long, axis, transforms)).collect();
        let need = axes.iter().map(Axis::scratch_len).max().unwrap_or(0);
        let scratch = ScratchPool::new(need);
        Self { inner: Arc::new(Inner { workload, axes, parallel, scratch }) }
    }
}

/// Division of the work among threads.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Division {
    None,
    Signals,
    Blocks,
}

impl<T: Real> Inner<T> {
    /// Division of the work in the current pool, and the number of scratch buffers.
    fn division(&self) -> (Division, usize) {
        let (batch, threads) = (self.workload.batch(), rayon::current_num_threads());
        if !self.parallel || threads == 1 {
            return (Division::None, 1);
        }
        let blocks = self.axes.iter().map(Axis::blocks).max().unwrap_or(1);
        if batch < threads && blocks > batch && self.workload.signal_len() >= PARALLEL {
            return (Division::Blocks, threads.min(blocks));
        }
        let division = if batch > 1 { Division::Signals } else { Division::None };
        (division, threads.min(batch))
    }

    /// One signal; `blocks` divides it among threads.
    fn one(&self, multipliers: &[Complex<T>], from: &[T], to: &mut [T], blocks: bool) {
        to.copy_from_slice(from);
        let mut run = |axis: &Axis<T>, step| axis.run(step, to, blocks, &self.scratch);
        for axis in self.axes[1..].iter().rev() {
            run(axis, Step::ToModes);
        }
        run(&self.axes[0], Step::Multiply(multipliers));
        for axis in &self.axes[1..] {
            run(axis, Step::ToValues);
        }
    }
}

impl<T: Real> Plan<T> for TrigonometricPlan<T> {
    fn workload(&self) -> Workload {
        self.inner.workload
    }

    fn bytes(&self) -> usize {
        let inner = &self.inner;
        let tables: usize = inner.axes.iter().map(Axis::bytes).sum();
        let multipliers = Aligned::<Complex<T>>::bytes(inner.axes[0].paired_len());
        tables + multipliers + inner.division().1 * inner.scratch.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.inner.workload.check_kernel(kernel)?;
        let first = &self.inner.axes[0];
        let mut multipliers = Aligned::new(first.paired_len(), Complex::default());
        first.paired(kernel, &mut multipliers);
        Ok(Box::new(TrigonometricMap { plan: Arc::clone(&self.inner), multipliers }))
    }
}

struct TrigonometricMap<T> {
    plan: Arc<Inner<T>>,
    multipliers: Aligned<Complex<T>>,
}

impl<T: Real> LinearMap<T> for TrigonometricMap<T> {
    fn workload(&self) -> Workload {
        self.plan.workload
    }

    /// The map is symmetric.
    fn run(&self, _: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let (plan, multipliers) = (&self.plan, &*self.multipliers);
        let (division, threads) = plan.division();
        let len = plan.workload.signal_len();
        plan.scratch.reserve(threads);
        if division == Division::Signals {
            let signals = from.par_chunks_exact(len).zip(to.par_chunks_exact_mut(len));
            signals.for_each(|(from, to)| plan.one(multipliers, from, to, false));
        } else {
            for (from, to) in from.chunks_exact(len).zip(to.chunks_exact_mut(len)) {
                plan.one(multipliers, from, to, division == Division::Blocks);
            }
        }
        Ok(())
    }
}
