use hpfracc_selector as selector;
#[cfg(feature = "gpu")]
use hpfracc_wgpu::MemoryLimit;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of a [`Machine`](crate::Machine).
///
/// ```
/// use hpfracc::{Machine, Settings};
///
/// let mut settings = Settings::default();
/// settings.disabled = vec!["cpu-parallel-fft".to_owned()];
/// settings.selector.learning = false;
/// let machine = Machine::with(&settings)?;
/// # Ok::<(), hpfracc::MachineError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct Settings {
    /// Name of the only backend to use, see [`Machine::only`](crate::Machine::only), or
    /// [`Settings::AUTO`].
    pub backend: String,
    /// Names of disabled backends. A backend on a GPU is disabled on all adapters, unless its name
    /// has a position: `wgpu-fft@1`.
    pub disabled: Vec<String>,
    /// How choices are made and learned: effort, exploration, learning, and the memory limit of the
    /// host, `selector.memory_limits.host_bytes`.
    pub selector: selector::Settings,
    /// Wisdom file, with the timings of earlier runs: read when the machine is made, if it exists,
    /// and written when the last clone is dropped. A file for another machine or version is
    /// ignored, see [`Machine::wisdom_refused`](crate::Machine::wisdom_refused), and replaced in
    /// the end. Its folder must exist.
    pub wisdom: Option<PathBuf>,
    /// Number of threads of the parallel backends, which get a pool of their own; if none, they use
    /// the rayon pool that is current when they compute.
    pub threads: Option<NonZeroUsize>,
    /// Whether ranks on processors with other vector instructions work together, with results that differ in their last bits
    /// from run to run ([`Ranks::on_unequal_processors`](crate::ranks::Ranks::on_unequal_processors)).
    pub unequal_processors: bool,
    /// Memory limit of buffers on a GPU.
    #[cfg(feature = "gpu")]
    pub gpu_memory_limit: MemoryLimit,
    /// Expected time of one application on the processor from which on the adapters are listed and
    /// their backends can be chosen. Zero lists them at once, [`Duration::MAX`] never. Without
    /// feature `gpu` there are none.
    pub gpus_from: Duration,
}

impl Settings {
    /// Name of the automatic choice of a backend for each workload.
    pub const AUTO: &str = "auto";
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            backend: Self::AUTO.to_owned(),
            disabled: Vec::new(),
            selector: selector::Settings::default(),
            wisdom: None,
            threads: None,
            unequal_processors: false,
            #[cfg(feature = "gpu")]
            gpu_memory_limit: MemoryLimit::None,
            gpus_from: Duration::from_millis(1),
        }
    }
}
