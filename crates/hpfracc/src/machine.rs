#[cfg(feature = "gpu")]
use crate::backends::gpu::Gpus;
use crate::backends::name::Name;
use crate::backends::selectors::{Candidates, Selectors, no_gpu_left, no_host_left};
use crate::backends::set::Backends;
use crate::backends::table;
use crate::backends::thread_pool::Threads;
use crate::error::MachineError;
use crate::settings::Settings;
use hpfracc_backend::{Autotuner, Backend, BackendError, Plan, Work, Workload};
use hpfracc_selector::{Effort, Experience, Prior, Selector, WisdomError};
use hpfracc_types::Real;
#[cfg(feature = "gpu")]
use hpfracc_wgpu::MemoryLimit;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

/// All backends of this computer as one backend: an autotuner that passes each workload to the
/// fastest backend, by cost models and measured times.
///
/// See [`Selector`](crate::selector::Selector) for the rule; [`Machine::explain`] reports the
/// choice and its reasons. A machine is an [`Autotuner`] too: solvers choose between their own
/// methods with it, by timings in the same experience. Cloning is cheap; clones share
/// plans, devices and timings. A map of a machine that learns allocates when it updates its
/// statistics, now and then, and when it binds another backend; with learning off it allocates as
/// its backends do.
///
/// **Precision** is never reduced silently. `f64` on a GPU is chosen only where its shaders compute
/// in double precision; backends that use pairs of `f32`, or round, are available by name.
///
/// **GPUs** (feature `gpu`) cost nothing to a program that does not use them. The adapters are
/// listed when the first workload is planned whose application takes the processor at least
/// [`Settings::gpus_from`]. The first plan on one of their backends opens the device; the selector
/// includes that time in the price. Maps bound before stay on the processor. A software adapter is
/// never chosen for speed. After a failure of a device the next backend computes the same input,
/// and the device rests; a lost device is opened again after the rest.
///
/// ```
/// use hpfracc::Machine;
/// use hpfracc::backend::Workload;
///
/// let machine = Machine::detect();
/// println!("{}", machine.explain::<f64>(Workload::CausalConvolution { len: 1000, batch: 4 })?);
/// let direct = Machine::only("cpu-direct")?;
/// assert!(Machine::only("cpu-psychic").is_err());
///
/// // Solves learn which algorithm sums their history in the least time.
/// use hpfracc::prelude::*;
/// use std::sync::Arc;
/// let problem = Problem::new(&[0.5], (0.0, 1.0), &[&[1.0]], |_, y, dydt| dydt[0] = -y[0])?;
/// for _ in 0..3 {
///     let options = Options { autotuner: Some(Arc::new(machine.clone())), ..Options::default() };
///     solve(&problem, &AdamsBashforthMoulton::default(), &Steps::Uniform(2000), options)?;
/// }
/// assert_eq!(machine.summary().works[0].executions, 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Machine {
    pub(crate) parts: Arc<Parts>,
}

pub(crate) struct Parts {
    pub(crate) experience: Arc<Experience>,
    /// Selectors of the backends on the processor, or of the only backend.
    host: Selectors,
    /// Selectors that include the adapters, once these were listed; without feature `gpu` those of
    /// the host.
    all: OnceLock<Selectors>,
    /// [`Settings::gpus_from`].
    pub(crate) gpus_from: Duration,
    #[cfg(feature = "gpu")]
    disabled: Vec<Name>,
    #[cfg(feature = "gpu")]
    pub(crate) backends: Backends,
    /// Wisdom file to write; set once its timings were read.
    wisdom: OnceLock<PathBuf>,
    /// Why the file was ignored.
    pub(crate) wisdom_refused: OnceLock<String>,
}

impl Machine {
    /// A machine of all backends of this computer. Cheap: adapters are not listed yet.
    pub fn detect() -> Self {
        let settings = Settings::default();
        let backends = backends(&settings, None);
        Self::choosing(&settings, Vec::new(), backends)
    }

    /// A machine of one backend, by name. A workload that it has no algorithm for is an error.
    ///
    /// | name | backend |
    /// |---|---|
    /// | `cpu-direct`, `cpu-fft`, `cpu-parallel-fft`, `cpu-gemm`, `cpu-recurrence`, `cpu-parallel-recurrence` | on the processor |
    /// | `reference` | the formulas in loops |
    /// | `wgpu-direct`, `wgpu-fft`, `wgpu-gemm`, `wgpu-recurrence` | on the best adapter |
    /// | `wgpu-fft-df64` and so on | `f64` as pairs of `f32`: 48 bits, on any adapter |
    /// | `wgpu-fft@1`, `wgpu-fft-df64@1` | on the adapter at this position in the list of adapters |
    /// | `cpu-fft-rounded-to-f32`, `wgpu-fft@1-rounded-to-f32` | `f64` computed in `f32`: [`Rounded`](crate::backend::Rounded) |
    /// | `wgpu-fft@0+wgpu-fft@1`, `wgpu-fft+cpu-parallel-fft` | batches divided among several: [`Split`](crate::backend::Split) |
    ///
    /// The first plan of a backend on a GPU opens the adapter. It fails with
    /// [`BackendError::Device`] if there is no adapter, or if a workload in `f64` is planned on an
    /// adapter without double precision. After a loss of the device all maps bound on it fail, and
    /// the next plan opens it again.
    ///
    /// # Errors
    /// [`MachineError::UnknownBackend`], with a list of the valid names;
    /// [`MachineError::WithoutGpu`] for a backend on a GPU in a build without feature `gpu`.
    pub fn only(name: &str) -> Result<Self, MachineError> {
        Self::with(&Settings { backend: name.to_owned(), ..Settings::default() })
    }

    /// A machine with these settings.
    ///
    /// With a wisdom file the adapters are listed at once, because the file names all backends. A
    /// machine of one backend has no choice, and neither reads nor writes the file.
    ///
    /// # Errors
    /// [`MachineError`]: for names as [`Machine::only`], if all backends are disabled, if the
    /// fraction of memory is invalid, if the threads cannot be started, if the wisdom file is
    /// damaged or cannot be read.
    pub fn with(settings: &Settings) -> Result<Self, MachineError> {
        let parse = |name: &String| Name::parse(name);
        let disabled = settings.disabled.iter().map(parse).collect::<Result<Vec<_>, _>>()?;
        #[cfg(feature = "gpu")]
        check_limit(settings.gpu_memory_limit)?;
        let backends = backends(settings, pool(settings)?);
        if settings.backend != Settings::AUTO {
            let named = Name::parse(&settings.backend)?;
            if disabled.contains(&named) {
                return Err(MachineError::NothingLeft { names: vec![settings.backend.clone()] });
            }
            let experience = Experience::new(settings.selector);
            let host = Selectors::only(&named, &backends, &experience);
            let machine = Self::of(settings, disabled, backends, experience, host);
            let _ = machine.parts.all.set(machine.parts.host.clone());
            return Ok(machine);
        }
        if no_host_left(&disabled) && no_gpu_left(&disabled) {
            return Err(MachineError::NothingLeft { names: settings.disabled.clone() });
        }
        let machine = Self::choosing(settings, disabled, backends);
        if let Some(path) = &settings.wisdom {
            machine.take_wisdom(path)?;
        }
        Ok(machine)
    }

    /// A machine with the settings of the environment: [`Settings::from_env`].
    ///
    /// # Errors
    /// [`MachineError::Environment`], with the variable and its value, and those of
    /// [`Machine::with`].
    pub fn from_env() -> Result<Self, MachineError> {
        Self::with(&Settings::from_env()?)
    }

    /// The names for [`Machine::only`], without positions of adapters. With feature `gpu` they
    /// include those of backends on a GPU, whether there is an adapter or not.
    pub fn backend_names() -> &'static [String] {
        table::names()
    }

    /// Expected cost of a backend on a processor with this number of threads, before anything was
    /// timed; none for the name of a backend on a GPU or of a variant.
    pub fn prior(name: &str, threads: usize) -> Option<Prior> {
        let row = table::TABLE.iter().find(|row| row.name == name && !row.is_on_gpu())?;
        Some((row.prior)(table::Resources { threads, per_second: 0.0 }))
    }

    fn choosing(settings: &Settings, disabled: Vec<Name>, backends: Backends) -> Self {
        let experience = Experience::new(settings.selector);
        let host = Candidates::on_host(&backends, &disabled).selectors(&experience);
        Self::of(settings, disabled, backends, experience, host)
    }

    #[cfg_attr(
        not(feature = "gpu"),
        expect(unused_variables, reason = "stored for the backends of adapters")
    )]
    fn of(
        settings: &Settings,
        disabled: Vec<Name>,
        backends: Backends,
        experience: Arc<Experience>,
        host: Selectors,
    ) -> Self {
        let all = if cfg!(feature = "gpu") { OnceLock::new() } else { host.clone().into() };
        let parts = Parts {
            experience,
            host,
            all,
            gpus_from: settings.gpus_from,
            #[cfg(feature = "gpu")]
            disabled,
            #[cfg(feature = "gpu")]
            backends,
            wisdom: OnceLock::new(),
            wisdom_refused: OnceLock::new(),
        };
        Self { parts: Arc::new(parts) }
    }

    /// Reads the wisdom file if it exists, and writes it in the end.
    fn take_wisdom(&self, path: &PathBuf) -> Result<(), MachineError> {
        match self.load_wisdom(path) {
            Ok(_) => {}
            Err(WisdomError::File { source, .. }) if is_absent(&source) && has_folder(path) => {}
            Err(reason @ (WisdomError::Differs { .. } | WisdomError::NoMachine)) => {
                tracing::warn!(path = %path.display(), "{reason}");
                let _ = self.parts.wisdom_refused.set(reason.to_string());
            }
            Err(reason) => {
                let reason = reason.to_string();
                return Err(MachineError::Wisdom { path: path.clone(), reason });
            }
        }
        let _ = self.parts.wisdom.set(path.clone());
        Ok(())
    }
}

#[cfg(feature = "gpu")]
impl Machine {
    /// The device of an adapter, the best one without a position; opened at the first request, within the memory limit
    /// of the [`Settings`].
    ///
    /// # Errors
    /// [`GpuError`](hpfracc_wgpu::GpuError) if there is none or it gives no device.
    pub fn gpu(&self, adapter: Option<usize>) -> Result<hpfracc_wgpu::Gpu, hpfracc_wgpu::GpuError> {
        self.parts.backends.gpus.device(adapter).open()
    }
}

impl Parts {
    /// The selector for this workload.
    pub(crate) fn selector<T: Real>(&self, workload: Workload) -> &Selector<T> {
        if let Some(all) = self.all.get() {
            return all.of();
        }
        let host = self.host.of::<T>();
        let Ok(expected) = host.predict(workload) else { return host };
        let least = expected.iter().fold(f64::INFINITY, |least, p| least.min(p.seconds));
        if least >= self.gpus_from.as_secs_f64() { self.complete().of() } else { host }
    }

    /// The selectors of all backends; lists the adapters.
    pub(crate) fn complete(&self) -> &Selectors {
        self.all.get_or_init(|| {
            #[cfg(feature = "gpu")]
            if self.gpus_from != Duration::MAX && !no_gpu_left(&self.disabled) {
                let _span = tracing::debug_span!("list adapters").entered();
                let host = Candidates::on_host(&self.backends, &self.disabled);
                let all = host.and_gpus(&self.backends.gpus, &self.disabled);
                return all.selectors(&self.experience);
            }
            self.host.clone()
        })
    }
}

impl Drop for Parts {
    /// Writes the wisdom file, if there is one.
    fn drop(&mut self) {
        let settings = self.experience.settings();
        let learns = settings.learning && settings.effort != Effort::WisdomOnly;
        if let Some(path) = self.wisdom.get().filter(|_| learns)
            && let Err(error) = self.experience.save_wisdom(path)
        {
            tracing::warn!(path = %path.display(), "wisdom was not written: {error}");
        }
    }
}

fn is_absent(error: &std::io::Error) -> bool {
    error.kind() == std::io::ErrorKind::NotFound
}

/// Whether the folder of a file exists, so that the file can be written in the end.
fn has_folder(path: &Path) -> bool {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.is_dir(),
        _ => true,
    }
}

fn pool(settings: &Settings) -> Result<Option<Arc<Threads>>, MachineError> {
    let Some(threads) = settings.threads.map(usize::from) else { return Ok(None) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let refused = |error: rayon::ThreadPoolBuildError| MachineError::Threads {
        threads,
        reason: error.to_string(),
    };
    pool.map(|pool| Some(Arc::new(Threads::new(pool)))).map_err(refused)
}

#[cfg_attr(not(feature = "gpu"), expect(unused_variables, reason = "the limit of adapters"))]
fn backends(settings: &Settings, pool: Option<Arc<Threads>>) -> Backends {
    Backends::new(
        pool,
        #[cfg(feature = "gpu")]
        Gpus::new(settings.gpu_memory_limit),
    )
}

#[cfg(feature = "gpu")]
fn check_limit(limit: MemoryLimit) -> Result<(), MachineError> {
    match limit {
        MemoryLimit::Fraction(fraction) if !(fraction > 0.0 && fraction <= 1.0) => {
            Err(MachineError::MemoryFraction { fraction })
        }
        _ => Ok(()),
    }
}

impl<T: Real> Backend<T> for Machine {
    fn name(&self) -> &str {
        "machine"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        self.parts.selector(workload).plan(workload)
    }
}

/// Choices between methods of a solver, by timings in the [experience](Machine::experience) of the
/// machine.
impl Autotuner for Machine {
    fn choose(&self, work: &Work<'_>) -> usize {
        self.parts.experience.choose(work)
    }

    fn record(&self, work: &Work<'_>, method: usize, seconds: f64) {
        self.parts.experience.record(work, method, seconds);
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let selectors = self.parts.all.get().unwrap_or(&self.parts.host);
        f.debug_tuple("Machine").field(selectors).finish()
    }
}
