use crate::text::shortest;
use hpfracc::sde::SdeError;
use thiserror::Error;

/// Error of `hpfracc simulate`.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// Quantile level outside (0, 1).
    #[error("--quantiles {}: expected numbers above 0 and below 1", shortest(*.level))]
    Quantile {
        /// Requested level.
        level: f64,
    },
    /// Paths that exceed the memory.
    #[error(
        "{paths} paths at {times} times need {} MiB, the memory has {}; --moments stores no paths, \
         --every stores fewer times",
        bytes >> 20,
        memory >> 20
    )]
    TooMany {
        /// Number of paths.
        paths: u64,
        /// Number of times.
        times: u64,
        /// Bytes that the paths need.
        bytes: u64,
        /// Bytes of the memory.
        memory: u64,
    },
    /// Failure of the SDE solver.
    #[error("simulate: {0}")]
    Solve(#[from] SdeError),
}

super::convert_through!(SimulationError: SdeError);
