use crate::text::shortest;
use hpfracc::sde::SdeError;
use thiserror::Error;

/// What `hpfracc simulate` refuses.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// No model has that name.
    #[error("no model `{name}`; the models are {known}")]
    UnknownModel {
        /// The name given.
        name: String,
        /// The names there are.
        known: String,
    },
    /// A probability that is none.
    #[error("--quantiles {}: expected numbers above 0 and below 1", shortest(*.level))]
    Quantile {
        /// What was given.
        level: f64,
    },
    /// More paths than the memory holds.
    #[error(
        "all of {paths} paths at {times} times would take {} MiB, the memory has {}; --moments needs \
         none of it, --every leaves times out",
        bytes >> 20,
        memory >> 20
    )]
    TooMany {
        /// Number of paths.
        paths: u64,
        /// Number of times.
        times: u64,
        /// Bytes of all of them.
        bytes: u64,
        /// Bytes of the memory.
        memory: u64,
    },
    /// The model was not solved, or not to the end.
    #[error("simulate: {0}")]
    Solve(#[from] SdeError),
}

impl From<SdeError> for super::Error {
    fn from(error: SdeError) -> Self {
        SimulationError::from(error).into()
    }
}
