//! Plans and bound maps of all backends, over the passes of their workload.

mod backend;
mod passes;

pub(crate) use backend::backend;
pub(crate) use passes::{BatchRecorder, DeviceBytes, Passes};

use crate::device::{PooledBuffer, Purpose};
use crate::precision::{Precision, times_power_of_two, widened};
use crate::{Gpu, GpuError};
use hpfracc_backend::{BackendError, Direction, LinearMap, Pending, Plan, Workload};
use std::sync::Arc;

/// What a plan is made for: the backend's name, the precision with its device, and the workload.
pub(crate) struct Request<P> {
    name: &'static str,
    pub(crate) precision: P,
    pub(crate) workload: Workload,
}

impl<P: Precision> Request<P> {
    pub(crate) fn new(
        name: &'static str,
        precision: &P,
        workload: Workload,
    ) -> Result<Self, BackendError> {
        workload.check()?;
        Ok(Self { name, precision: precision.clone(), workload })
    }

    pub(crate) fn unsupported(&self, reason: &'static str) -> BackendError {
        BackendError::unsupported(self.name, self.workload, reason)
    }

    /// Fails if `needed` bytes exceed `limit` bytes.
    pub(crate) fn check_memory(&self, needed: usize, limit: usize) -> Result<(), BackendError> {
        if needed <= limit {
            return Ok(());
        }
        let (backend, workload) = (self.name.to_owned(), self.workload);
        Err(BackendError::Memory { backend, workload, needed, limit })
    }

    /// The error of a device during planning: a memory limit rejects the workload.
    pub(crate) fn planning_error(&self, error: GpuError) -> BackendError {
        let (backend, workload) = (self.name.to_owned(), self.workload);
        match error {
            GpuError::Limit { bytes, in_use, limit, .. } => {
                let (needed, limit) = ((in_use + bytes) as usize, limit as usize);
                BackendError::Memory { backend, workload, needed, limit }
            }
            error => error.of(self.name),
        }
    }

    /// The plan that runs these passes.
    pub(crate) fn plan(
        self,
        passes: Box<dyn Passes>,
    ) -> Result<Arc<dyn Plan<P::Host>>, BackendError> {
        let (workload, gpu) = (self.workload, self.precision.gpu().clone());
        let bytes = passes.bytes(workload.kernel_len() * P::BYTES);
        let signal = workload.signal_len().max(workload.output_len()) * P::BYTES;
        let per_signal = bytes.scratch.max(signal);
        let binding = gpu.limits().max_storage_buffer_binding_size as usize;
        self.check_memory(per_signal.max(bytes.kernel), binding)?;
        let at_once = gpu.signals_at_once(per_signal, workload.batch());
        let planned = Planned { request: self, passes, bytes, at_once };
        let needed = planned.bytes();
        // A limit beyond 32-bit addresses is none there.
        let limit = gpu.memory_limit().and_then(|limit| usize::try_from(limit).ok());
        planned.request.check_memory(needed, limit.unwrap_or(usize::MAX)).inspect_err(|_| {
            tracing::debug!(device = gpu.name(), %workload, needed, limit, "plan exceeds the limit");
        })?;
        Ok(Arc::new(GpuPlan(Arc::new(planned))))
    }
}

struct Planned<P> {
    request: Request<P>,
    passes: Box<dyn Passes>,
    bytes: DeviceBytes,
    /// Most signals of one submission.
    at_once: usize,
}

impl<P: Precision> Planned<P> {
    fn gpu(&self) -> &Gpu {
        self.request.precision.gpu()
    }

    fn bytes(&self) -> usize {
        let (workload, bytes) = (self.request.workload, self.bytes);
        let transfers =
            [workload.signal_len(), workload.output_len()].map(|len| self.at_once * len * P::BYTES);
        // Tables are several arrays, each rounded up to at most twice its size.
        let persistent = [2 * bytes.tables, bytes.kernel];
        self.gpu().pool().bytes_of_map(&persistent, transfers, self.at_once * bytes.scratch)
    }
}

struct GpuPlan<P>(Arc<Planned<P>>);

impl<P: Precision> Plan<P::Host> for GpuPlan<P> {
    fn workload(&self) -> Workload {
        self.0.request.workload
    }

    fn bytes(&self) -> usize {
        self.0.bytes()
    }

    fn bind(&self, kernel: &[P::Host]) -> Result<Box<dyn LinearMap<P::Host>>, BackendError> {
        let Planned { request, passes, .. } = &*self.0;
        request.workload.check_kernel(kernel)?;
        let kernel = widened(kernel);
        let linear = passes.is_linear_in_kernel();
        if !linear && P::exponent(&kernel) > f32::MAX_EXP - 2 {
            let reason = "the kernel has an entry beyond the range of f32 and cannot be scaled";
            return Err(request.unsupported(reason));
        }
        let kernel = passes.device_kernel(request.workload, kernel);
        let exponent = if linear { P::exponent(&kernel) } else { 0 };
        let scaled: Vec<P::Device> =
            kernel.iter().map(|&x| P::narrow(times_power_of_two(x, -exponent))).collect();
        let kernel = self.0.gpu().upload(&scaled).map_err(|error| error.of(request.name))?;
        Ok(Box::new(GpuMap { planned: Arc::clone(&self.0), kernel, exponent }))
    }
}

struct GpuMap<P> {
    planned: Arc<Planned<P>>,
    /// The kernel divided by 2^exponent.
    kernel: PooledBuffer,
    exponent: i32,
}

impl<P: Precision> GpuMap<P> {
    async fn compute(
        &self,
        direction: Direction,
        from: &[P::Host],
        to: &mut [P::Host],
    ) -> Result<(), GpuError> {
        let Planned { request, passes, bytes, at_once } = &*self.planned;
        let (gpu, workload) = (self.planned.gpu(), request.workload);
        let batch = workload.batch();
        let (from_len, to_len) = (from.len() / batch, to.len() / batch);
        let transposed = direction == Direction::Transpose;
        for (from, to) in from.chunks(at_once * from_len).zip(to.chunks_mut(at_once * to_len)) {
            let signals = from.len() / from_len;
            // In use until the result is read: a released buffer may be written by another call.
            let scratch = match (bytes.scratch * signals) as u64 {
                0 => None,
                bytes => Some(gpu.acquire(bytes, Purpose::Storage)?),
            };
            let call = P::call(gpu, self.exponent, signals, from, to, |pass, [input, output]| {
                let scratch = scratch.as_ref().map_or(output, PooledBuffer::buffer);
                let kernel = self.kernel.buffer();
                passes.record(&mut BatchRecorder {
                    gpu,
                    pass,
                    input,
                    output,
                    kernel,
                    scratch,
                    signals,
                    transposed,
                });
            });
            call.await?;
        }
        Ok(())
    }

    fn named(&self, error: GpuError) -> BackendError {
        error.of(self.planned.request.name)
    }
}

impl<P: Precision> LinearMap<P::Host> for GpuMap<P> {
    fn workload(&self) -> Workload {
        self.planned.request.workload
    }

    fn run(
        &self,
        direction: Direction,
        from: &[P::Host],
        to: &mut [P::Host],
    ) -> Result<(), BackendError> {
        let run = self.compute(direction, from, to);
        self.planned.gpu().block_on(run).map_err(|error| self.named(error))
    }

    fn run_async<'a>(
        &'a self,
        direction: Direction,
        from: &'a [P::Host],
        to: &'a mut [P::Host],
    ) -> Pending<'a> {
        Box::pin(async move {
            self.compute(direction, from, to).await.map_err(|error| self.named(error))
        })
    }
}
