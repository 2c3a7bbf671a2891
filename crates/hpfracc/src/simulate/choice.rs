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
    /// Numbers that the device computed with: `f32`, `f64` or `df64`, double-float numbers of 48 bits. `None` on the
    /// processor.
    pub numbers: Option<&'static str>,
    /// Error of a device, if it failed and another one or the CPU solved what was left.
    pub failure: Option<String>,
}

impl SimulationChoice {
    /// A backend that was requested.
    pub(crate) fn named(backend: SimulationBackend) -> Self {
        Self { backend, reason: "requested".to_owned(), numbers: None, failure: None }
    }

    /// The processor, for this reason.
    pub(crate) fn cpu(reason: String) -> Self {
        Self { backend: SimulationBackend::Cpu, reason, numbers: None, failure: None }
    }
}

impl fmt::Display for SimulationChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "backend {}: {}", self.backend, self.reason)?;
        match self.numbers {
            Some("df64") => write!(f, "; in double-float numbers, which the device takes for f64")?,
            Some(numbers) => write!(f, "; in {numbers}")?,
            None => {}
        }
        match &self.failure {
            Some(error) => {
                write!(f, "; what was left after a failure was solved elsewhere: {error}")
            }
            None => Ok(()),
        }
    }
}
