//! Measurements on GPU adapters.

use super::adapters::Adapter;
use super::measurement::{AdapterPeaks, Measurement};
use super::timing::{DeviceClock, Timing};
use hpfracc::backend::{Backend, Workload};
use hpfracc::error_chain;
use hpfracc::gpu::{
    AdapterKind, DevicePeaks, Direct, F64, Fft, Gemm, Gpu, GpuError, Precision, Preference,
    Recurrence,
};
use std::time::Instant;

/// Opened device with its peaks.
pub(super) struct Opened {
    gpu: Gpu,
    double: Result<F64, String>,
    pub(super) floors: AdapterPeaks,
}

/// Buffer sizes beyond the caches of a GPU, and smaller for a slow software adapter.
const HARDWARE_BYTES: u64 = 256 << 20;
const SOFTWARE_BYTES: u64 = 16 << 20;

impl Opened {
    /// Opens all adapters; skips failing ones, and software adapters if there is a hardware one.
    pub(super) fn all(adapters: &[Adapter], left_out: &mut Vec<String>) -> Vec<Self> {
        let software = |adapter: &Adapter| adapter.kind == AdapterKind::Software;
        let hardware = adapters.iter().any(|adapter| !software(adapter));
        let mut opened = Vec::new();
        for adapter in adapters {
            if hardware && software(adapter) {
                left_out.push(format!("adapter {}: software, for correctness only", adapter.index));
                continue;
            }
            match Self::new(adapter) {
                Ok(device) => opened.push(device),
                Err(error) => {
                    left_out.push(format!("adapter {}: {}", adapter.index, error_chain(&error)));
                }
            }
        }
        opened
    }

    fn new(adapter: &Adapter) -> Result<Self, GpuError> {
        let software = adapter.kind == AdapterKind::Software;
        let start = Instant::now();
        let gpu = Gpu::with(Preference::Index(adapter.index))?;
        let open_seconds = start.elapsed().as_secs_f64();
        let bytes = if software { SOFTWARE_BYTES } else { HARDWARE_BYTES };
        let mut peaks = DevicePeaks::new(&gpu, bytes)?;
        let floors = AdapterPeaks {
            index: adapter.index,
            name: adapter.name.clone(),
            software,
            open_seconds,
            empty_submit_seconds: -best(20, || peaks.submission_latency().map(|seconds| -seconds))?,
            copy_rate: best(5, || peaks.copy_bandwidth())?,
            upload_rate: best(3, || peaks.upload_bandwidth())?,
            download_rate: best(3, || peaks.download_bandwidth())?,
        };
        let double = gpu.f64().map_err(|error| error_chain(&error));
        Ok(Self { gpu, double, floors })
    }

    fn label(&self) -> String {
        format!("adapter {}", self.floors.index)
    }

    pub(super) fn single<'a>(&'a self, workload: Workload, jobs: &mut Vec<Measurement<'a>>) {
        self.in_precision(&self.gpu.f32(), workload, jobs);
    }

    pub(super) fn double<'a>(&'a self, workload: Workload, jobs: &mut Vec<Measurement<'a>>) {
        match &self.double {
            Ok(double) => self.in_precision(double, workload, jobs),
            Err(reason) => {
                let label = format!("{}, f64, {workload}", self.label());
                jobs.push(Measurement { label, run: Box::new(|_| Err(reason.clone())) });
            }
        }
    }

    fn in_precision<'a, P: Precision>(
        &'a self,
        precision: &P,
        workload: Workload,
        jobs: &mut Vec<Measurement<'a>>,
    ) {
        let backends = backends(precision, workload).into_iter();
        jobs.extend(backends.map(|backend| self.job(workload, backend)));
    }

    fn job<T: hpfracc::types::Real>(
        &self,
        workload: Workload,
        backend: Box<dyn Backend<T>>,
    ) -> Measurement<'_> {
        let label = format!("{}, {}, {}, {workload}", self.label(), backend.name(), T::NAME);
        let run = move |slice| {
            let timing =
                Timing::measure(&self.label(), backend.as_ref(), workload, Some(self), slice);
            timing.map_err(|error| error_chain(&error))
        };
        Measurement { label, run: Box::new(run) }
    }
}

impl DeviceClock for Opened {
    fn time(&self, work: &mut dyn FnMut()) -> Option<f64> {
        let meter = self.gpu.meter().ok()?;
        work();
        Some(meter.device_seconds()).filter(|seconds| *seconds > 0.0)
    }

    fn copy_rate(&self) -> f64 {
        self.floors.copy_rate
    }
}

/// Backends for a workload.
fn backends<P: Precision>(precision: &P, workload: Workload) -> Vec<Box<dyn Backend<P::Host>>> {
    match workload {
        Workload::CausalConvolution { len, .. } if len <= 4096 => {
            vec![Box::new(Direct::new(precision)), Box::new(Fft::new(precision))]
        }
        Workload::Dense { .. } => vec![Box::new(Gemm::new(precision))],
        Workload::Recurrence { .. } => vec![Box::new(Recurrence::new(precision))],
        _ => vec![Box::new(Fft::new(precision))],
    }
}

/// Maximum of several measurements, after a warm-up.
fn best(times: usize, mut measure: impl FnMut() -> Result<f64, GpuError>) -> Result<f64, GpuError> {
    measure()?;
    let mut best = f64::NEG_INFINITY;
    for _ in 0..times {
        best = best.max(measure()?);
    }
    Ok(best)
}
