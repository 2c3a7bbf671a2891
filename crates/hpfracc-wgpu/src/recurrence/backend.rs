use super::shader::{SPAN, Shader, WIDTH};
use crate::gpu::{Pipeline, Uniform};
use crate::on_device::{Bound, OnDevice};
use crate::scalar::{Double, DoubleFloat, HighLow, Kernel, ShaderScalar, widened};
use crate::{Gpu, GpuError};
use hpfracc_backend::{Backend, BackendError, LinearMap, Plan, Workload};
use std::marker::PhantomData;
use std::sync::Arc;

/// Recurrences of sums of exponentials on a device, `wgpu-recurrence`, in single precision: a signal
/// to an invocation, its states in registers, for batches of thousands of channels.
///
/// ```text
/// y_n = d s_n + sum_k c_k z_k,   then   z_k <- z_k + (s_n - r_k z_k)
/// ```
///
/// See [`Workload::Recurrence`]. A sample follows the one before: few signals leave a device idle,
/// however long they are. Blocks of any length give the same bits as one call, and a channel the same
/// bits in a batch as alone, on one device; another device may round sums otherwise.
///
/// Six operations a node and sample; memory: the signals, the results and the kernel. With more than
/// 32 nodes (16 of eight bytes) they go in groups, each of which reads the samples and adds to the
/// results of the group before.
///
/// Accuracy: the decay is not rounded, but a state is, once a sample, and it remembers `1/r` of them:
/// where roundings go one way, as of equal samples, they make `eps / 2r` of the state at most, else the
/// root of that. As measured on lavapipe over 65536 samples with 29 rates from 1 down to 1e-5, relative
/// to the largest result: 3.4e-6. NaN and infinity reach all later outputs of their signal.
#[derive(Debug, Clone)]
pub struct Recurrence {
    gpu: Gpu,
}

/// [`Recurrence`] in double precision: exists only on devices that have it.
#[derive(Debug, Clone)]
pub struct Recurrence64 {
    double: Double,
}

/// [`Recurrence`] in [double-float arithmetic](DoubleFloat), `wgpu-recurrence-df64`.
///
/// Its rates cannot be scaled with its coefficients: a kernel with an entry beyond the range of f32
/// is not bound ([`BackendError::Unsupported`]). States of 48 bits are rounded when they become f64,
/// so that a cut may change the last bits.
#[derive(Debug, Clone)]
pub struct RecurrenceDf64 {
    double_float: DoubleFloat,
}

backends!("wgpu-recurrence": Recurrence, Recurrence64; "wgpu-recurrence-df64": RecurrenceDf64; plan);

fn plan<T: ShaderScalar>(
    name: &'static str,
    gpu: &Gpu,
    workload: Workload,
) -> Result<Arc<dyn Plan<T::Host>>, BackendError> {
    workload.check()?;
    let Workload::Recurrence { nodes, .. } = workload else {
        let (backend, reason) = (name.to_owned(), "it is no recurrence");
        return Err(BackendError::Unsupported { backend, workload, reason });
    };
    let needed = workload.signal_len().max(3 * nodes) * size_of::<T>();
    let limit = gpu.inner.limits.max_storage_buffer_binding_size as usize;
    if needed > limit {
        return Err(BackendError::Memory { backend: name.to_owned(), workload, needed, limit });
    }
    let [forward, backward] = [false, true].map(|backward| Shader::new::<T>(nodes, backward));
    let pipelines = forward.pipeline::<T>(gpu).and_then(|f| Ok([f, backward.pipeline::<T>(gpu)?]));
    let pipelines = pipelines.map_err(|error| error.of(name))?;
    let (gpu, held, scalar) = (gpu.clone(), forward.held, PhantomData::<T>);
    let plan = RecurrencePlan { name, gpu, workload, nodes, held, pipelines, scalar };
    plan.gpu.check_plan(name, workload, plan.bytes())?;
    Ok(Arc::new(plan))
}

#[derive(Clone)]
struct RecurrencePlan<T> {
    name: &'static str,
    gpu: Gpu,
    workload: Workload,
    nodes: usize,
    /// Nodes of a group.
    held: usize,
    /// Forward, and for the transpose.
    pipelines: [Arc<Pipeline>; 2],
    scalar: PhantomData<T>,
}

impl<T: ShaderScalar> RecurrencePlan<T> {
    fn groups(&self) -> usize {
        self.nodes.div_ceil(self.held)
    }

    /// `d`, then for each group its rates, negated, and its coefficients. What fills up the last group
    /// holds one sample and counts nothing.
    fn grouped(&self, kernel: &[f64]) -> Vec<f64> {
        let (rates, coefficients) = kernel[1..].split_at(self.nodes);
        let mut grouped = vec![kernel[0]];
        for (rates, coefficients) in rates.chunks(self.held).zip(coefficients.chunks(self.held)) {
            let missing = self.held - rates.len();
            grouped.extend(rates.iter().map(|r| -r).chain(std::iter::repeat_n(-1.0, missing)));
            grouped.extend(coefficients.iter().copied().chain(std::iter::repeat_n(0.0, missing)));
        }
        grouped
    }
}

impl<T: ShaderScalar> Plan<T::Host> for RecurrencePlan<T> {
    fn workload(&self) -> Workload {
        self.workload
    }

    fn bytes(&self) -> usize {
        let kernel = (1 + 2 * self.groups() * self.held) * size_of::<T>();
        let signal = self.workload.signal_len() * size_of::<T>();
        let signals = signal * self.gpu.rows_at_once(signal, self.workload.batch());
        self.gpu.bytes_of_map(&[kernel], [signals; 2], 0)
    }

    fn bind(&self, kernel: &[T::Host]) -> Result<Box<dyn LinearMap<T::Host>>, BackendError> {
        self.workload.check_kernel(kernel)?;
        let kernel = widened(kernel);
        if T::exponent(&kernel) > f32::MAX_EXP - 2 {
            let (backend, workload) = (self.name.to_owned(), self.workload);
            let reason =
                "the kernel has an entry beyond the range of f32, and rates are not scaled";
            return Err(BackendError::Unsupported { backend, workload, reason });
        }
        let weights = Kernel::unscaled::<T>(&self.gpu, &self.grouped(&kernel));
        let weights = weights.map_err(|error| error.of(self.name))?;
        Ok(Box::new(OnDevice::<T, _>::new(RecurrenceMap { plan: self.clone(), weights })))
    }
}

struct RecurrenceMap<T> {
    plan: RecurrencePlan<T>,
    weights: Kernel,
}

impl<T: ShaderScalar> Bound<T> for RecurrenceMap<T> {
    fn place(&self) -> (&'static str, &Gpu, Workload) {
        (self.plan.name, &self.plan.gpu, self.plan.workload)
    }

    async fn run(
        &self,
        from: &[T::Host],
        to: &mut [T::Host],
        transposed: bool,
    ) -> Result<(), GpuError> {
        let RecurrencePlan { gpu, workload, nodes, pipelines, .. } = &self.plan;
        let signal_len = workload.signal_len();
        let len = signal_len - nodes;
        let rows = gpu.rows_at_once(signal_len * size_of::<T>(), workload.batch());
        let pipeline = &pipelines[usize::from(transposed)];
        for (from, to) in from.chunks(rows * signal_len).zip(to.chunks_mut(rows * signal_len)) {
            let signals = from.len() / signal_len;
            let sizes = Uniform::new(gpu, [*nodes, len, signals, 0]);
            let grid = [signals.div_ceil(WIDTH) as u32, 1];
            let call = T::call(gpu, self.weights.exponent(), signals, from, to, |pass, chunk| {
                for span in 0..len.div_ceil(SPAN) {
                    let (start, end) = (span * SPAN, len.min((span + 1) * SPAN));
                    let (first, last) =
                        if transposed { (len - end, len - start) } else { (start, end) };
                    for group in 0..self.plan.groups() {
                        let part = Uniform::new(gpu, [group, first, last, usize::from(span == 0)]);
                        let buffers = [
                            chunk.input,
                            chunk.output,
                            self.weights.buffer(),
                            sizes.buffer(),
                            part.buffer(),
                        ];
                        gpu.dispatch(pass, pipeline, &buffers, grid);
                    }
                }
                Ok(())
            });
            call.await?;
        }
        Ok(())
    }
}
