#[cfg(feature = "gpu")]
use crate::gpu::MemoryLimit;
use crate::selector;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Duration;

/// How a [`Machine`](crate::Machine) is put together.
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
    /// Name of the one backend to use, see [`Machine::only`](crate::Machine::only), or
    /// [`Settings::AUTO`].
    pub backend: String,
    /// Names of backends not to choose. One on a GPU means all adapters, unless it has a position:
    /// `wgpu-fft@1`.
    pub disabled: Vec<String>,
    /// How choices are made and learned: effort, exploration, learning, and the limit of memory on
    /// the host, `selector.limits.host_bytes`.
    pub selector: selector::Settings,
    /// File of remembered timings: read when the machine is made, if it is there, and written when
    /// the last clone is dropped. One that was written for another machine or version is left aside,
    /// see [`Machine::wisdom_refused`](crate::Machine::wisdom_refused), and replaced in the end. Its
    /// folder has to be there.
    pub wisdom: Option<PathBuf>,
    /// Threads of backends that use several, a pool of their own; without it those of the rayon pool
    /// that is current when they compute.
    pub threads: Option<NonZeroUsize>,
    /// The most memory that buffers may take on a GPU.
    #[cfg(feature = "gpu")]
    pub gpu_memory_limit: MemoryLimit,
    /// How long one application has to take on the processor, as far as is known, before the adapters
    /// are listed and their backends may be chosen. Zero lists them at once,
    /// [`Duration::MAX`] never. Without feature `gpu` there are none to list.
    pub gpus_from: Duration,
}

impl Settings {
    /// In place of a backend's name: each workload goes to a backend chosen for it.
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
            #[cfg(feature = "gpu")]
            gpu_memory_limit: MemoryLimit::None,
            gpus_from: Duration::from_millis(1),
        }
    }
}
