//! Recurrences of sums of exponentials.

mod shader;

#[cfg(test)]
pub(crate) use shader::Shader as RecurrenceShader;

use crate::device::Pipeline;
use crate::plan::{BatchRecorder, DeviceBytes, Passes, Request, backend};
use crate::precision::Precision;
use hpfracc_backend::{BackendError, Plan, Workload};
pub(crate) use shader::SPAN;
use shader::{Shader, WIDTH};
use std::iter::repeat_n;
use std::sync::Arc;

backend! {
    /// Recurrences of sums of exponentials (SOE) on a device, `wgpu-recurrence`; in
    /// [double-float arithmetic](crate::DoubleFloat) `wgpu-recurrence-df64`. An invocation computes one
    /// signal with its states in registers, for batches of thousands of channels.
    ///
    /// ```text
    /// y_n = d s_n + sum_k c_k z_k,   then   z_k <- z_k + (s_n - r_k z_k)
    /// ```
    ///
    /// See [`Workload::Recurrence`]. Samples are sequential: few signals leave a device idle,
    /// however long they are. Blocks of any length give the same bits as one call, and a channel
    /// the same bits in a batch as alone, on one device; another device may round sums differently.
    /// In double-float arithmetic states of 48 bits are rounded when they become f64, so that a cut
    /// may change the last bits.
    ///
    /// Six operations a node and sample; memory: the signals, the results and the kernel. More than
    /// 32 nodes (16 of eight bytes) are split into groups, each of which reads the samples and adds
    /// to the results of the previous group.
    ///
    /// Accuracy: the decay is not rounded, but a state is, once a sample, and it remembers `1/r`
    /// samples: rounding errors of one sign, as with equal samples, amount to at most `eps / 2r` of
    /// the state, others to the square root of that. As measured on lavapipe over 65536 samples
    /// with 29 rates from 1 down to 1e-5, relative to the largest result: 3.4e-6. NaN and infinity
    /// reach all later outputs of their signal.
    ///
    /// In double-float arithmetic rates cannot be scaled with coefficients: a kernel with an entry
    /// beyond the range of f32 is [`BackendError::Unsupported`].
    Recurrence, ["wgpu-recurrence", "wgpu-recurrence-df64"], plan
}

fn plan<P: Precision>(request: Request<P>) -> Result<Arc<dyn Plan<P::Host>>, BackendError> {
    let Workload::Recurrence { nodes, len, .. } = request.workload else {
        return Err(request.unsupported("it is no recurrence"));
    };
    let gpu = request.precision.gpu();
    let shaders = [false, true].map(|backward| Shader::new::<P>(nodes, backward));
    let [forward, backward] = shaders
        .map(|shader| shader.pipeline::<P>(gpu).map_err(|error| request.planning_error(error)));
    let (group, pipelines) = (shaders[0].held, [forward?, backward?]);
    let groups = nodes.div_ceil(group);
    let bytes = (1 + 2 * groups * group) * P::BYTES;
    request.plan(Box::new(RecurrencePasses { nodes, len, group, groups, pipelines, bytes }))
}

struct RecurrencePasses {
    nodes: usize,
    /// Samples of a signal, without its states.
    len: usize,
    /// Nodes of a group.
    group: usize,
    groups: usize,
    /// Forward, and of the transpose.
    pipelines: [Arc<Pipeline>; 2],
    /// Size of the grouped kernel.
    bytes: usize,
}

impl Passes for RecurrencePasses {
    fn bytes(&self, _: usize) -> DeviceBytes {
        DeviceBytes { tables: 0, kernel: self.bytes, scratch: 0 }
    }

    /// `d`, then for each group its negated rates and its coefficients. The last group is filled up
    /// with nodes of rate one and coefficient zero.
    fn device_kernel(&self, _: Workload, kernel: Vec<f64>) -> Vec<f64> {
        let (rates, coefficients) = kernel[1..].split_at(self.nodes);
        let mut grouped = vec![kernel[0]];
        for (rates, coefficients) in rates.chunks(self.group).zip(coefficients.chunks(self.group)) {
            let missing = self.group - rates.len();
            grouped.extend(rates.iter().map(|r| -r).chain(repeat_n(-1.0, missing)));
            grouped.extend(coefficients.iter().copied().chain(repeat_n(0.0, missing)));
        }
        grouped
    }

    fn is_linear_in_kernel(&self) -> bool {
        false
    }

    fn record(&self, batch: &mut BatchRecorder<'_, '_>) {
        let (len, signals, transposed) = (self.len, batch.signals, batch.transposed);
        let sizes = batch.uniform([self.nodes, len, signals, 0]);
        let grid = [signals.div_ceil(WIDTH) as u32, 1];
        let pipeline = &self.pipelines[usize::from(transposed)];
        for span in 0..len.div_ceil(SPAN) {
            let (start, end) = (span * SPAN, len.min((span + 1) * SPAN));
            let (first, last) = if transposed { (len - end, len - start) } else { (start, end) };
            for group in 0..self.groups {
                let range = batch.uniform([group, first, last, usize::from(span == 0)]);
                let buffers = [batch.input, batch.output, batch.kernel, &sizes, &range];
                batch.dispatch(pipeline, &buffers, grid);
            }
        }
    }
}
