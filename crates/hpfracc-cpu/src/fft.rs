use crate::causal_convolution::TransformPlan;
use crate::concrete::{self, MakePlan};
use crate::lanes::Lanes;
use crate::spectral_multiplier::SpectralPlan;
use crate::transforms::Transforms;
use crate::unsupported;
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// Causal convolution and spectral multipliers through the Fourier transform, `cpu-fft`.
#[derive(Debug, Clone, Default)]
pub struct Fft {
    transforms: Transforms,
}

impl Fft {
    /// The backend, without any transforms planned yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Real> Backend<T> for Fft {
    fn name(&self) -> &str {
        "cpu-fft"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        plan("cpu-fft", workload, false, &self.transforms)
    }
}

/// The transforms of [`Fft`] on all threads of the current rayon pool, `cpu-parallel-fft`.
#[derive(Debug, Clone, Default)]
pub struct ParallelFft {
    transforms: Transforms,
}

impl ParallelFft {
    /// The backend, without any transforms planned yet.
    pub fn new() -> Self {
        Self::default()
    }
}

impl<T: Real> Backend<T> for ParallelFft {
    fn name(&self) -> &str {
        "cpu-parallel-fft"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        workload.check()?;
        plan("cpu-parallel-fft", workload, true, &self.transforms)
    }
}

fn plan<T: Real>(
    name: &'static str,
    workload: Workload,
    parallel: bool,
    transforms: &Transforms,
) -> Result<Arc<dyn Plan<T>>, BackendError> {
    match workload {
        Workload::CausalConvolution { .. } => {
            Ok(concrete::plan(Convolution { workload, parallel, transforms }))
        }
        Workload::SpectralMultiplier { shape, .. } => {
            Ok(Arc::new(SpectralPlan::new(workload, shape, parallel, transforms)))
        }
        _ => Err(unsupported(name, workload, "it has no Fourier transform in it")),
    }
}

struct Convolution<'a> {
    workload: Workload,
    parallel: bool,
    transforms: &'a Transforms,
}

impl MakePlan for Convolution<'_> {
    fn make<T: Lanes>(self) -> Arc<dyn Plan<T>> {
        Arc::new(TransformPlan::<T>::new(self.workload, self.parallel, self.transforms))
    }
}
