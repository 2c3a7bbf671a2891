//! Causal convolution by Fourier transforms: the choice between two forms, and their memory.

use super::four_step::FourStep;
use super::right_angle::RightAngle;
use crate::buffers::aligned::Aligned;
use crate::buffers::scratch_pool::ScratchPool;
use crate::fourier::lengths;
use crate::fourier::planners::Transforms;
use hpfracc_backend::{BackendError, Direction, LinearMap, Plan, Workload};
use hpfracc_lanes::Lanes;
use num_complex::Complex;
use rayon::prelude::*;
use std::sync::Arc;

enum Form<T> {
    RightAngle(RightAngle<T>),
    FourStep(Box<FourStep<T>>),
}

/// Plan of a convolution through transforms, on one thread or on those of the current pool.
pub(crate) struct TransformPlan<T> {
    inner: Arc<Inner<T>>,
}

/// Largest spectrum that a plan keeps: beyond, transforms take much longer than fresh pages.
const KEPT_BYTES: usize = 1 << 19;

struct Inner<T> {
    workload: Workload,
    len: usize,
    parallel: bool,
    form: Form<T>,
    scratch: ScratchPool<Complex<T>>,
    /// The spectrum of the map dropped last, if it is small: new weights of the same length, as in
    /// a training of the order, do not touch fresh pages.
    spectra: ScratchPool<Complex<T>>,
}

impl<T: Lanes> TransformPlan<T> {
    pub(crate) fn new(workload: Workload, parallel: bool, transforms: &Transforms) -> Self {
        let len = workload.signal_len();
        let form = match lengths::four_step(len) {
            Some((rows, columns)) => {
                Form::FourStep(Box::new(FourStep::new(rows, columns, transforms)))
            }
            None => Form::RightAngle(RightAngle::new(len, transforms)),
        };
        let (scratch, spectrum) = match &form {
            Form::RightAngle(form) => (form.scratch_len(), form.spectrum_len()),
            Form::FourStep(form) => (form.scratch_len(), form.spectrum_len()),
        };
        let [scratch, spectra] = [scratch, spectrum].map(ScratchPool::new);
        Self { inner: Arc::new(Inner { workload, len, parallel, form, scratch, spectra }) }
    }
}

impl<T: Lanes> Inner<T> {
    fn one(
        &self,
        spectrum: &[Complex<T>],
        direction: Direction,
        from: &[T],
        to: &mut [T],
        scratch: &mut [Complex<T>],
        inside: bool,
    ) {
        match &self.form {
            Form::RightAngle(form) => form.apply(spectrum, direction, from, to, scratch),
            Form::FourStep(form) => form.apply(spectrum, direction, from, to, scratch, inside),
        }
    }

    /// Threads of the current pool, and how many signals they take at once.
    ///
    /// Threads take whole signals if there are enough for all, else parts of one signal. The
    /// arithmetic is the same in either case, and so are the bits.
    fn shares(&self) -> (usize, usize) {
        let signals = self.workload.batch();
        let threads = if self.parallel { rayon::current_num_threads() } else { 1 };
        let lone = matches!(self.form, Form::FourStep(_)) && signals < 2 * threads;
        (threads, if lone { 1 } else { threads.min(signals) })
    }
}

impl<T: Lanes> Plan<T> for TransformPlan<T> {
    fn workload(&self) -> Workload {
        self.inner.workload
    }

    fn bytes(&self) -> usize {
        let (threads, at_once) = self.inner.shares();
        let tables = match &self.inner.form {
            Form::RightAngle(form) => form.table_bytes(),
            Form::FourStep(form) => form.table_bytes(threads),
        };
        tables + self.inner.spectra.bytes() + at_once * self.inner.scratch.bytes()
    }

    fn bind(&self, kernel: &[T]) -> Result<Box<dyn LinearMap<T>>, BackendError> {
        self.inner.workload.check_kernel(kernel)?;
        let mut spectrum = self.inner.spectra.take();
        let mut scratch = self.inner.scratch.lend();
        match &self.inner.form {
            Form::RightAngle(form) => form.spectrum(kernel, &mut spectrum, &mut scratch),
            Form::FourStep(form) => form.spectrum(kernel, &mut spectrum, &mut scratch),
        }
        Ok(Box::new(TransformMap { plan: Arc::clone(&self.inner), spectrum }))
    }
}

struct TransformMap<T: Lanes> {
    plan: Arc<Inner<T>>,
    spectrum: Aligned<Complex<T>>,
}

impl<T: Lanes> Drop for TransformMap<T> {
    fn drop(&mut self) {
        if self.plan.spectra.bytes() <= KEPT_BYTES {
            self.plan.spectra.keep_one(std::mem::take(&mut self.spectrum));
        }
    }
}

impl<T: Lanes> LinearMap<T> for TransformMap<T> {
    fn workload(&self) -> Workload {
        self.plan.workload
    }

    fn run(&self, direction: Direction, from: &[T], to: &mut [T]) -> Result<(), BackendError> {
        let Self { plan, spectrum } = self;
        let (threads, at_once) = plan.shares();
        if at_once == 1 {
            let inside = threads > 1;
            let mut scratch = plan.scratch.lend();
            for (from, to) in from.chunks_exact(plan.len).zip(to.chunks_exact_mut(plan.len)) {
                plan.one(spectrum, direction, from, to, &mut scratch, inside);
            }
        } else {
            plan.scratch.reserve(at_once);
            if let Form::FourStep(form) = &plan.form {
                form.reserve(at_once);
            }
            from.par_chunks_exact(plan.len).zip(to.par_chunks_exact_mut(plan.len)).for_each_init(
                || plan.scratch.lend(),
                |scratch, (from, to)| plan.one(spectrum, direction, from, to, scratch, false),
            );
        }
        Ok(())
    }
}
