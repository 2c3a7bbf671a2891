use hpfracc_backend::{Backend, BackendError, Kind, Plan, Reference, Workload};
use hpfracc_cpu::{Direct, Fft, Gemm, ParallelFft};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;
use thiserror::Error;

/// The backends of this computer, put together: itself a backend that hands each workload to one
/// of them.
///
/// The choice follows a fixed rule of size. Cloning is cheap; clones share their plans.
///
/// ```
/// use hpfracc::Machine;
///
/// let machine = Machine::detect();
/// let direct = Machine::only("cpu-direct")?;
/// assert!(Machine::only("cpu-psychic").is_err());
/// # Ok::<(), hpfracc::UnknownBackend>(())
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
}

/// Algorithms by the names that users type.
const NAMED: [(&str, Algorithm); 5] = [
    ("cpu-direct", Algorithm::Direct),
    ("cpu-fft", Algorithm::Fft),
    ("cpu-parallel-fft", Algorithm::ParallelFft),
    ("cpu-gemm", Algorithm::Gemm),
    ("reference", Algorithm::Reference),
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

/// No backend of this machine has that name.
#[derive(Debug, Clone, PartialEq, Error)]
#[error("unknown backend `{name}`; known are {}", NAMES.join(", "))]
pub struct UnknownBackend {
    /// The name given.
    pub name: String,
}

impl Machine {
    /// All backends found, with the choice among them by size.
    pub fn detect() -> Self {
        Self::with(Choice::BySize)
    }

    /// One backend alone, by name; workloads that it has no algorithm for are errors.
    ///
    /// # Errors
    /// [`UnknownBackend`], which lists the names known.
    pub fn only(name: &str) -> Result<Self, UnknownBackend> {
        NAMED
            .iter()
            .find(|(known, _)| *known == name)
            .map(|(_, algorithm)| Self::with(Choice::Always(*algorithm)))
            .ok_or_else(|| UnknownBackend { name: name.to_owned() })
    }

    /// The names that [`Machine::only`] knows.
    pub fn backend_names() -> &'static [&'static str] {
        &NAMES
    }

    /// Name of the backend that a workload goes to.
    pub fn chosen(&self, workload: Workload) -> &'static str {
        let algorithm = self.parts.choice.algorithm(workload);
        NAMED.iter().find(|(_, a)| *a == algorithm).map_or("", |(name, _)| name)
    }

    fn with(choice: Choice) -> Self {
        let parts = Parts {
            direct: Direct::new(),
            fft: Fft::new(),
            parallel_fft: ParallelFft::new(),
            gemm: Gemm::new(),
            choice,
        };
        Self { parts: Arc::new(parts) }
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
        }
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Machine").field("choice", &self.parts.choice).finish_non_exhaustive()
    }
}
