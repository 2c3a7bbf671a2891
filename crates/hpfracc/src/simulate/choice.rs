use super::backend::SimulationBackend;
use std::fmt;

/// The backend that solved an ensemble, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SimulationChoice {
    /// The backend that was chosen: never [`SimulationBackend::Auto`].
    pub backend: SimulationBackend,
    /// The reason.
    pub reason: String,
    /// Error of the device, if it failed and the CPU solved what was left.
    pub failure: Option<String>,
}

impl SimulationChoice {
    /// A backend that was requested.
    pub(crate) fn named(backend: SimulationBackend) -> Self {
        Self { backend, reason: "requested".to_owned(), failure: None }
    }

    /// The processor, for this reason.
    #[cfg_attr(feature = "gpu", expect(dead_code, reason = "of builds without GPU support"))]
    pub(crate) fn cpu(reason: String) -> Self {
        Self { backend: SimulationBackend::Cpu, reason, failure: None }
    }
}

impl fmt::Display for SimulationChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend {}: {}", self.backend, self.reason)?;
        match &self.failure {
            Some(error) => write!(f, "; the CPU solved what was left after a failure: {error}"),
            None => Ok(()),
        }
    }
}
