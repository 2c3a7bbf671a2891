use crate::cost::prior::Prior;
use hpfracc_backend::{Backend, Kind};
use hpfracc_types::Real;
use std::fmt;
use std::sync::Arc;

/// Bytes free on a device now, `None` if it does not tell.
pub type FreeMemory = Arc<dyn Fn() -> Option<u64> + Send + Sync>;

/// Where a candidate computes.
#[derive(Clone, Default)]
pub enum Place {
    /// On the processor, in the host's memory.
    #[default]
    Host,
    /// The same, on a pool of so many threads: their number is part of what is remembered.
    Threads(usize),
    /// On a device of its own.
    Device {
        /// The device's name.
        name: String,
        /// Its driver, with version.
        driver: String,
        /// Whether the processor plays the device: never chosen for speed.
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

/// A backend among those to choose from.
#[derive(Clone)]
pub struct Candidate<T> {
    pub(crate) backend: Arc<dyn Backend<T>>,
    pub(crate) place: Place,
    pub(crate) prior: Prior,
    pub(crate) kinds: Option<Vec<Kind>>,
}

impl<T: Real> Candidate<T> {
    /// A backend on the host, with what it is expected to cost.
    pub fn new(backend: impl Backend<T> + 'static, prior: Prior) -> Self {
        Self { backend: Arc::new(backend), place: Place::Host, prior, kinds: None }
    }

    /// The same on another place.
    #[must_use]
    pub fn on(self, place: Place) -> Self {
        Self { place, ..self }
    }

    /// The same, and that the backend has algorithms for these kinds of workload only. It is never
    /// asked for others.
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
