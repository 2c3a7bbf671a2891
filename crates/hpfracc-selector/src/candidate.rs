use crate::cost::prior::Prior;
use hpfracc_backend::{Backend, Kind};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// Bytes free on a device now; `None` if the driver does not report them.
pub type FreeMemory = Arc<dyn Fn() -> Option<u64> + Send + Sync>;

/// Where a candidate computes.
#[derive(Clone, Default)]
pub enum Place {
    /// On the processor, in the memory of the host.
    #[default]
    Host,
    /// On the processor, in a pool of this number of threads, which is part of the key of timings.
    Threads(usize),
    /// On a device of its own.
    Device {
        /// The device's name.
        name: String,
        /// Its driver, with version.
        driver: String,
        /// Whether it is a software adapter, which is never chosen for speed.
        software: bool,
        /// Its free memory.
        free: FreeMemory,
    },
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Host => write!(f, "host"),
            Self::Threads(1) => write!(f, "host, 1 thread"),
            Self::Threads(number) => write!(f, "host, {number} threads"),
            Self::Device { name, driver, software, .. } => {
                let software = if *software { " (software)" } else { "" };
                write!(f, "{name}{software}, {driver}")
            }
        }
    }
}

impl fmt::Debug for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A backend to choose from: with its place, prior and kinds of workload.
#[derive(Clone)]
pub struct Candidate<T> {
    pub(crate) backend: Arc<dyn Backend<T>>,
    pub(crate) place: Place,
    pub(crate) prior: Prior,
    pub(crate) kinds: Option<Vec<Kind>>,
}

impl<T: Real> Candidate<T> {
    /// A backend on the host, with its expected cost.
    pub fn new(backend: impl Backend<T> + 'static, prior: Prior) -> Self {
        Self { backend: Arc::new(backend), place: Place::Host, prior, kinds: None }
    }

    /// The candidate at another place.
    #[must_use]
    pub fn on(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The candidate for these kinds of workload only. It is never planned for others.
    #[must_use]
    pub fn for_kinds(self, kinds: impl Into<Vec<Kind>>) -> Self {
        Self { kinds: Some(kinds.into()), ..self }
    }

    /// The backend's name.
    pub fn name(&self) -> &str {
        self.backend.name()
    }
}

impl<T: Real> fmt::Debug for Candidate<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} on {}", self.name(), self.place)
    }
}
