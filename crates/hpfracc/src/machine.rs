#[cfg(feature = "gpu")]
use crate::gpu_backends::{GpuBackends, Shaders};
use crate::{MachineError, Settings};
use hpfracc_backend::{Backend, BackendError, Kind, Plan, Reference, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// The backends of this computer, put together: itself a backend that hands each workload to one
/// of them.
///
/// The choice follows a fixed rule of size and stays with the CPU; a backend on a GPU (feature
/// `gpu`) is had by its name. Cloning is cheap; clones share their plans and the GPU.
///
/// ```
/// use hpfracc::Machine;
///
/// let machine = Machine::detect();
/// let direct = Machine::only("cpu-direct")?;
/// assert!(Machine::only("cpu-psychic").is_err());
/// # Ok::<(), hpfracc::MachineError>(())
/// ```
#[derive(Clone)]
pub struct Machine {
    parts: Arc<Parts>,
}

struct Parts {
    direct: Direct,
    fft: Fft,
    parallel_fft: ParallelFft,
    gemm: Gemm,
    #[cfg(feature = "gpu")]
    gpu: GpuBackends,
    choice: Choice,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Choice {
    BySize,
    Always(Algorithm),
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Algorithm {
    Direct,
    Fft,
    ParallelFft,
    Gemm,
    Reference,
    #[cfg(feature = "gpu")]
    Gpu(Shaders),
}

/// Algorithms by the names that users type.
const NAMED: &[(&str, Algorithm)] = &[
    ("cpu-direct", Algorithm::Direct),
    ("cpu-fft", Algorithm::Fft),
    ("cpu-parallel-fft", Algorithm::ParallelFft),
    ("cpu-gemm", Algorithm::Gemm),
    ("reference", Algorithm::Reference),
    #[cfg(feature = "gpu")]
    ("wgpu-direct", Algorithm::Gpu(Shaders::Direct)),
    #[cfg(feature = "gpu")]
    ("wgpu-fft", Algorithm::Gpu(Shaders::Fft)),
    #[cfg(feature = "gpu")]
    ("wgpu-gemm", Algorithm::Gpu(Shaders::Gemm)),
];

const NAMES: [&str; NAMED.len()] = {
    let mut names = [""; NAMED.len()];
    let mut i = 0;
    while i < names.len() {
        names[i] = NAMED[i].0;
        i += 1;
    }
    names
};

impl Machine {
    /// The backends of the CPU, with the choice among them by size.
    ///
    /// No GPU is opened: which workloads gain by one is for measurements to say, so it is used
    /// only where its name is given.
    pub fn detect() -> Self {
        Self::with_choice(Choice::BySize, &Settings::default())
    }

    /// One backend alone, by name; workloads that it has no algorithm for are errors.
    ///
    /// A backend on a GPU opens the best adapter when it plans for the first time, and answers with
    /// [`BackendError::Device`] where there is none, or where it has no double precision and `f64`
    /// is asked. If the device is lost, what was bound on it fails for good, and the next plan opens
    /// it anew.
    ///
    /// # Errors
    /// [`MachineError::UnknownBackend`], which lists the names known;
    /// [`MachineError::WithoutGpu`] for a backend on a GPU in a build without feature `gpu`.
    pub fn only(name: &str) -> Result<Self, MachineError> {
        Ok(Self::with_choice(Choice::Always(algorithm(name)?), &Settings::default()))
    }

    /// Put together as the settings say.
    ///
    /// # Errors
    /// As [`Machine::only`], if the settings name a backend.
    pub fn with(settings: &Settings) -> Result<Self, MachineError> {
        let choice = match settings.backend.as_str() {
            Settings::AUTO => Choice::BySize,
            name => Choice::Always(algorithm(name)?),
        };
        Ok(Self::with_choice(choice, settings))
    }

    /// Put together as the environment says: [`Settings::from_env`].
    ///
    /// # Errors
    /// [`MachineError::Environment`], which names the variable and its value.
    pub fn from_env() -> Result<Self, MachineError> {
        Self::with(&Settings::from_env()?)
    }

    /// The names that [`Machine::only`] knows. Those on a GPU are among them with feature `gpu`,
    /// whether there is an adapter or not.
    pub fn backend_names() -> &'static [&'static str] {
        &NAMES
    }

    /// Name of the backend that a workload goes to.
    pub fn chosen(&self, workload: Workload) -> &'static str {
        let algorithm = self.parts.choice.algorithm(workload);
        NAMED.iter().find(|(_, a)| *a == algorithm).map_or("", |(name, _)| name)
    }

    fn with_choice(
        choice: Choice,
        #[cfg_attr(not(feature = "gpu"), expect(unused_variables, reason = "only of the GPU"))]
        settings: &Settings,
    ) -> Self {
        let parts = Parts {
            direct: Direct::new(),
            fft: Fft::new(),
            parallel_fft: ParallelFft::new(),
            gemm: Gemm::new(),
            #[cfg(feature = "gpu")]
            gpu: GpuBackends::new(settings.gpu_memory_limit),
            choice,
        };
        Self { parts: Arc::new(parts) }
    }
}

fn algorithm(name: &str) -> Result<Algorithm, MachineError> {
    match NAMED.iter().find(|(known, _)| *known == name) {
        Some((_, algorithm)) => Ok(*algorithm),
        None if cfg!(not(feature = "gpu")) && name.starts_with("wgpu-") => {
            Err(MachineError::WithoutGpu { name: name.to_owned() })
        }
        None => Err(MachineError::UnknownBackend { name: name.to_owned() }),
    }
}

/// Longest series for which the direct sum costs less than the transforms (they cross near 350 in
/// f64), and the number of samples from which sharing them among threads pays.
/// `cargo xtask bench --filter causal_convolution` prints both.
const DIRECT_UP_TO: usize = 320;
const PARALLEL_FROM: usize = 1 << 16;

impl Choice {
    fn algorithm(self, workload: Workload) -> Algorithm {
        let by_threads = |samples: usize| {
            if samples >= PARALLEL_FROM { Algorithm::ParallelFft } else { Algorithm::Fft }
        };
        match (self, workload) {
            (Self::Always(algorithm), _) => algorithm,
            (Self::BySize, Workload::CausalConvolution { len, .. }) if len <= DIRECT_UP_TO => {
                Algorithm::Direct
            }
            (Self::BySize, _) if workload.kind() == Kind::Dense => Algorithm::Gemm,
            (Self::BySize, _) => by_threads(workload.signal_len().saturating_mul(workload.batch())),
        }
    }
}

impl<T: Real> Backend<T> for Machine
where
    Direct: Backend<T>,
    Fft: Backend<T>,
    ParallelFft: Backend<T>,
    Gemm: Backend<T>,
{
    fn name(&self) -> &str {
        "machine"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        match self.parts.choice.algorithm(workload) {
            Algorithm::Direct => self.parts.direct.plan(workload),
            Algorithm::Fft => self.parts.fft.plan(workload),
            Algorithm::ParallelFft => self.parts.parallel_fft.plan(workload),
            Algorithm::Gemm => self.parts.gemm.plan(workload),
            Algorithm::Reference => Reference.plan(workload),
            #[cfg(feature = "gpu")]
            Algorithm::Gpu(shaders) => self.parts.gpu.plan(shaders, workload),
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("choice", &self.parts.choice).finish_non_exhaustive()
    }
}
