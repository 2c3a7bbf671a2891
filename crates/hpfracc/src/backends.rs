//! Backends made from their names.

#[cfg(feature = "gpu")]
use crate::gpus::{Gpus, OnGpu};
use crate::in_pool::InPool;
use crate::names::{Host, Named};
use hpfracc_backend::{Backend, BackendError, Kind, Plan, Reference, Rounded, Split, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft, ParallelRecurrence, Recurrence};
use hpfracc_selector::{Candidate, Place, Prior};
use hpfracc_types::Real;
use rayon::ThreadPool;
use std::sync::Arc;

/// What the backends of a machine share: transforms, threads, devices.
pub(crate) struct Backends {
    fft: Fft,
    parallel_fft: ParallelFft,
    /// Of a machine with a number of threads of its own.
    pool: Option<Arc<ThreadPool>>,
    #[cfg(feature = "gpu")]
    pub(crate) gpus: Gpus,
}

/// A backend in either precision.
pub(crate) struct Pair {
    pub(crate) single: Arc<dyn Backend<f32>>,
    pub(crate) double: Arc<dyn Backend<f64>>,
}

impl Backends {
    pub(crate) fn new(pool: Option<Arc<ThreadPool>>, #[cfg(feature = "gpu")] gpus: Gpus) -> Self {
        Self {
            fft: Fft::new(),
            parallel_fft: ParallelFft::new(),
            pool,
            #[cfg(feature = "gpu")]
            gpus,
        }
    }

    pub(crate) fn pair(&self, named: &Named) -> Pair {
        Pair { single: self.single(named), double: self.double(named) }
    }

    fn single(&self, named: &Named) -> Arc<dyn Backend<f32>> {
        match named {
            Named::Reference => Arc::new(Reference),
            Named::Host(host) => self.host(*host),
            #[cfg(feature = "gpu")]
            Named::Gpu { shaders, pairs, adapter } => {
                Arc::new(OnGpu::new(*shaders, *pairs, *adapter, &self.gpus))
            }
            Named::Rounded(inner) => {
                let name = Rounded::new(self.single(inner)).name().to_owned();
                Arc::new(DoubleOnly { name })
            }
            Named::Split(members) => split(members.iter().map(|member| self.single(member))),
        }
    }

    fn double(&self, named: &Named) -> Arc<dyn Backend<f64>> {
        match named {
            Named::Reference => Arc::new(Reference),
            Named::Host(host) => self.host(*host),
            #[cfg(feature = "gpu")]
            Named::Gpu { shaders, pairs, adapter } => {
                Arc::new(OnGpu::new(*shaders, *pairs, *adapter, &self.gpus))
            }
            Named::Rounded(inner) => Arc::new(Rounded::new(self.single(inner))),
            Named::Split(members) => split(members.iter().map(|member| self.double(member))),
        }
    }

    fn host<T: Real>(&self, host: Host) -> Arc<dyn Backend<T>> {
        match (host, &self.pool) {
            (Host::Direct, _) => Arc::new(Direct::new()),
            (Host::Fft, _) => Arc::new(self.fft.clone()),
            (Host::Gemm, _) => Arc::new(Gemm::new()),
            (Host::ParallelFft, None) => Arc::new(self.parallel_fft.clone()),
            (Host::ParallelFft, Some(pool)) => {
                Arc::new(InPool { inner: self.parallel_fft.clone(), pool: Arc::clone(pool) })
            }
            (Host::Recurrence, _) => Arc::new(Recurrence::new()),
            (Host::ParallelRecurrence, None) => Arc::new(ParallelRecurrence::new()),
            (Host::ParallelRecurrence, Some(pool)) => {
                Arc::new(InPool { inner: ParallelRecurrence::new(), pool: Arc::clone(pool) })
            }
        }
    }

    /// A backend of the processor, to be chosen among others.
    pub(crate) fn host_candidate<T: Real>(&self, host: Host) -> Candidate<T> {
        let candidate = Candidate::new(self.host::<T>(host), self.prior(host));
        let place = match &self.pool {
            Some(pool) if matches!(host, Host::ParallelFft | Host::ParallelRecurrence) => {
                Place::Threads(pool.current_num_threads())
            }
            _ => Place::Host,
        };
        candidate.for_kinds(kinds(host)).on(place)
    }

    fn prior(&self, host: Host) -> Prior {
        match host {
            Host::Direct => Prior::SUMS,
            Host::Fft => Prior::TRANSFORMS,
            Host::Gemm => Prior::PRODUCTS,
            Host::ParallelFft => Prior::parallel_transforms(self.threads()),
            Host::Recurrence => Prior::RECURRENCES,
            Host::ParallelRecurrence => Prior::parallel_recurrences(self.threads()),
        }
    }

    fn threads(&self) -> usize {
        match &self.pool {
            Some(pool) => pool.current_num_threads(),
            // Of the pool that is current when it computes: by default one for each core.
            None => std::thread::available_parallelism().map_or(1, usize::from),
        }
    }
}

fn kinds(host: Host) -> &'static [Kind] {
    match host {
        Host::Direct => &[Kind::CausalConvolution],
        Host::Fft | Host::ParallelFft => &[Kind::CausalConvolution, Kind::SpectralMultiplier],
        Host::Gemm => &[Kind::Dense],
        Host::Recurrence | Host::ParallelRecurrence => &[Kind::Recurrence],
    }
}

fn split<T: Real>(mut members: impl Iterator<Item = Arc<dyn Backend<T>>>) -> Arc<dyn Backend<T>> {
    let first = members.next().expect("a name with a `+` has a member before it");
    Arc::new(members.fold(Split::new(first), Split::and))
}

/// In single precision there is nothing to round.
struct DoubleOnly {
    name: String,
}

impl Backend<f32> for DoubleOnly {
    fn name(&self) -> &str {
        &self.name
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<f32>>, BackendError> {
        let (backend, reason) = (self.name.clone(), "it takes f64 and rounds it");
        Err(BackendError::Unsupported { backend, workload, reason })
    }
}
