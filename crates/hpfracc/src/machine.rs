use crate::backends::Backends;
use crate::candidates::{Candidates, Selectors};
#[cfg(feature = "gpu")]
use crate::gpu::MemoryLimit;
#[cfg(feature = "gpu")]
use crate::gpus::Gpus;
use crate::names::{Host, NAMES, Named};
use crate::{MachineError, Settings};
use hpfracc_backend::{Backend, BackendError, Plan, Workload};
use hpfracc_selector::{Effort, Experience, Selector, WisdomError};
use hpfracc_types::Real;
use std::fmt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

/// The backends of this computer, put together: itself a backend that hands each workload to the one
/// that is quickest for it, as far as is known.
///
/// What is known comes from cost models and from what executions took: see
/// [`Selector`](crate::selector::Selector). [`Machine::explain`] tells where a workload goes and why.
/// Cloning is cheap; clones share plans, devices and all that was learned. A map of a machine that learns
/// allocates when it looks at its timings anew, now and then, and when it binds another backend; with
/// learning off it allocates as its backends do.
///
/// **Precision** asked is precision given. `f64` on a GPU is chosen only where its shaders compute in
/// double precision; what does so by pairs of `f32` or rounds is had by its name alone.
///
/// **GPUs** (feature `gpu`) cost nothing to a program that has no use for them. Their adapters are
/// listed when the first workload is planned of which one application takes the processor at least
/// [`Settings::gpus_from`], and opened when one of their backends is first planned on, which the
/// selector weighs like any other price. Maps bound before stay on the processor. A processor that
/// plays a GPU is never chosen for speed. A device that fails hands the same input to the next
/// backend and rests; after the rest a lost one is opened anew.
///
/// ```
/// use hpfracc::Machine;
/// use hpfracc::backend::Workload;
///
/// let machine = Machine::detect();
/// println!("{}", machine.explain::<f64>(Workload::CausalConvolution { len: 1000, batch: 4 })?);
/// let direct = Machine::only("cpu-direct")?;
/// assert!(Machine::only("cpu-psychic").is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Machine {
    pub(crate) parts: Arc<Parts>,
}

pub(crate) struct Parts {
    pub(crate) experience: Arc<Experience>,
    /// Of the processor, or of the one backend asked for.
    host: Selectors,
    /// With those of the adapters, once these were listed.
    #[cfg(feature = "gpu")]
    all: OnceLock<Selectors>,
    #[cfg(feature = "gpu")]
    settings: Settings,
    #[cfg(feature = "gpu")]
    disabled: Vec<Named>,
    #[cfg(feature = "gpu")]
    pub(crate) backends: Backends,
    /// Where to write what was learned; set once what the file held is taken.
    wisdom: OnceLock<PathBuf>,
    /// Why the file was left aside.
    pub(crate) wisdom_refused: OnceLock<String>,
}

impl Machine {
    /// All backends of this computer, with the choice among them. Cheap: no GPU is looked for yet.
    pub fn detect() -> Self {
        let settings = Settings::default();
        let backends = backends(&settings, None);
        Self::choosing(&settings, Vec::new(), backends)
    }

    /// One backend alone, by name; workloads that it has no algorithm for are errors.
    ///
    /// | name | what |
    /// |---|---|
    /// | `cpu-direct`, `cpu-fft`, `cpu-parallel-fft`, `cpu-gemm`, `cpu-recurrence`, `cpu-parallel-recurrence` | on the processor |
    /// | `reference` | the formulas, in loops |
    /// | `wgpu-direct`, `wgpu-fft`, `wgpu-gemm`, `wgpu-recurrence` | on the best adapter |
    /// | `wgpu-fft-df64` and so on | `f64` as pairs of `f32`: 48 bits, on any adapter |
    /// | `wgpu-fft@1`, `wgpu-fft-df64@1` | on the adapter at this position in the list of adapters |
    /// | `cpu-fft-rounded-to-f32`, `wgpu-fft@1-rounded-to-f32` | `f64` computed in `f32`: [`Rounded`](crate::backend::Rounded) |
    /// | `wgpu-fft@0+wgpu-fft@1`, `wgpu-fft+cpu-parallel-fft` | batches across several: [`Split`](crate::backend::Split) |
    ///
    /// A backend on a GPU opens the adapter when it plans for the first time, and answers with
    /// [`BackendError::Device`] where there is none, or where it has no double precision and `f64`
    /// is asked. If the device is lost, what was bound on it fails for good, and the next plan opens
    /// it anew.
    ///
    /// # Errors
    /// [`MachineError::UnknownBackend`], which lists the names known;
    /// [`MachineError::WithoutGpu`] for a backend on a GPU in a build without feature `gpu`.
    pub fn only(name: &str) -> Result<Self, MachineError> {
        Self::with(&Settings { backend: name.to_owned(), ..Settings::default() })
    }

    /// Put together as the settings say.
    ///
    /// With a file of wisdom the adapters are listed at once: the file is for all that is there. A
    /// machine of one backend has nothing to choose, and leaves the file alone.
    ///
    /// # Errors
    /// [`MachineError`]: for names as [`Machine::only`], if nothing is left to choose from, if a part
    /// of memory is none, if threads are refused, if the file of wisdom is damaged or cannot be read.
    pub fn with(settings: &Settings) -> Result<Self, MachineError> {
        let parsed = |name: &String| Named::parse(name);
        let disabled = settings.disabled.iter().map(parsed).collect::<Result<Vec<_>, _>>()?;
        #[cfg(feature = "gpu")]
        check_limit(settings.gpu_memory_limit)?;
        let backends = backends(settings, pool(settings)?);
        if settings.backend != Settings::AUTO {
            let named = Named::parse(&settings.backend)?;
            if disabled.contains(&named) {
                return Err(MachineError::NothingLeft { names: vec![settings.backend.clone()] });
            }
            let experience = Experience::new(settings.selector);
            let host = Selectors::only(&named, &backends, &experience);
            let machine = Self::of(settings, disabled, backends, experience, host);
            #[cfg(feature = "gpu")]
            let _ = machine.parts.all.set(machine.parts.host.clone());
            return Ok(machine);
        }
        if nothing_left(&disabled) {
            return Err(MachineError::NothingLeft { names: settings.disabled.clone() });
        }
        let machine = Self::choosing(settings, disabled, backends);
        if let Some(path) = &settings.wisdom {
            machine.take_wisdom(path)?;
        }
        Ok(machine)
    }

    /// Put together as the environment says: [`Settings::from_env`].
    ///
    /// # Errors
    /// [`MachineError::Environment`], which names the variable and its value, and as
    /// [`Machine::with`].
    pub fn from_env() -> Result<Self, MachineError> {
        Self::with(&Settings::from_env()?)
    }

    /// The names that [`Machine::only`] knows, without positions of adapters. Those on a GPU are among
    /// them with feature `gpu`, whether there is an adapter or not.
    pub fn backend_names() -> &'static [&'static str] {
        NAMES
    }

    fn choosing(settings: &Settings, disabled: Vec<Named>, backends: Backends) -> Self {
        let experience = Experience::new(settings.selector);
        let host = Candidates::of_host(&backends, &disabled).selectors(&experience);
        Self::of(settings, disabled, backends, experience, host)
    }

    #[cfg_attr(
        not(feature = "gpu"),
        expect(unused_variables, reason = "kept for the backends of adapters")
    )]
    fn of(
        settings: &Settings,
        disabled: Vec<Named>,
        backends: Backends,
        experience: Arc<Experience>,
        host: Selectors,
    ) -> Self {
        let parts = Parts {
            experience,
            host,
            #[cfg(feature = "gpu")]
            all: OnceLock::new(),
            #[cfg(feature = "gpu")]
            settings: settings.clone(),
            #[cfg(feature = "gpu")]
            disabled,
            #[cfg(feature = "gpu")]
            backends,
            wisdom: OnceLock::new(),
            wisdom_refused: OnceLock::new(),
        };
        Self { parts: Arc::new(parts) }
    }

    /// Reads the file if it is there, and remembers to write it.
    fn take_wisdom(&self, path: &PathBuf) -> Result<(), MachineError> {
        match self.load_wisdom(path) {
            Ok(_) => {}
            Err(WisdomError::File { source, .. }) if is_absent(&source) && has_folder(path) => {}
            Err(reason @ WisdomError::Differs { .. }) => {
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

    /// The selector that this workload goes to.
    pub(crate) fn selector<T: Real>(&self, workload: Workload) -> &Selector<T> {
        self.parts.selector(workload)
    }

    /// All candidates that there are.
    pub(crate) fn complete(&self) -> &Selectors {
        self.parts.complete()
    }
}

impl Parts {
    #[cfg(feature = "gpu")]
    fn selector<T: Real>(&self, workload: Workload) -> &Selector<T> {
        if let Some(all) = self.all.get() {
            return all.of();
        }
        let host = self.host.of::<T>();
        let Ok(expected) = host.predict(workload) else { return host };
        let least = expected.iter().fold(f64::INFINITY, |least, p| least.min(p.seconds));
        if least >= self.settings.gpus_from.as_secs_f64() { self.complete().of() } else { host }
    }

    #[cfg(not(feature = "gpu"))]
    fn selector<T: Real>(&self, _: Workload) -> &Selector<T> {
        self.host.of()
    }

    #[cfg(feature = "gpu")]
    fn complete(&self) -> &Selectors {
        use crate::names::Shaders;
        self.all.get_or_init(|| {
            let unwanted = |shaders: &Shaders| {
                let named = Named::Gpu { shaders: *shaders, pairs: false, adapter: None };
                self.disabled.contains(&named)
            };
            let never = self.settings.gpus_from == std::time::Duration::MAX;
            if never || Shaders::ALL.iter().all(unwanted) {
                return self.host.clone();
            }
            let _span = tracing::debug_span!("list adapters").entered();
            let host = Candidates::of_host(&self.backends, &self.disabled);
            host.and_gpus(&self.backends.gpus, &self.disabled).selectors(&self.experience)
        })
    }

    #[cfg(not(feature = "gpu"))]
    fn complete(&self) -> &Selectors {
        &self.host
    }
}

impl Drop for Parts {
    /// What was learned is written, if a file was named.
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

/// Whether a file could be written there, or what was learned would be lost in the end.
fn has_folder(path: &Path) -> bool {
    match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.is_dir(),
        _ => true,
    }
}

fn pool(settings: &Settings) -> Result<Option<Arc<rayon::ThreadPool>>, MachineError> {
    let Some(threads) = settings.threads.map(usize::from) else { return Ok(None) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    let refused = |error: rayon::ThreadPoolBuildError| MachineError::Threads {
        threads,
        reason: error.to_string(),
    };
    pool.map(|pool| Some(Arc::new(pool))).map_err(refused)
}

#[cfg_attr(not(feature = "gpu"), expect(unused_variables, reason = "the limit of adapters"))]
fn backends(settings: &Settings, pool: Option<Arc<rayon::ThreadPool>>) -> Backends {
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

/// Whether every backend to choose from is disabled, whatever adapters there are.
fn nothing_left(disabled: &[Named]) -> bool {
    let host = Host::ALL.iter().all(|host| disabled.contains(&Named::Host(*host)));
    #[cfg(feature = "gpu")]
    let host = host
        && crate::names::Shaders::ALL.iter().all(|&shaders| {
            disabled.contains(&Named::Gpu { shaders, pairs: false, adapter: None })
        });
    host
}

impl<T: Real> Backend<T> for Machine {
    fn name(&self) -> &str {
        "machine"
    }

    fn plan(&self, workload: Workload) -> Result<Arc<dyn Plan<T>>, BackendError> {
        self.selector(workload).plan(workload)
    }
}

impl fmt::Debug for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        #[cfg(feature = "gpu")]
        let selectors = self.parts.all.get().unwrap_or(&self.parts.host);
        #[cfg(not(feature = "gpu"))]
        let selectors = &self.parts.host;
        f.debug_tuple("Machine").field(selectors).finish()
    }
}
