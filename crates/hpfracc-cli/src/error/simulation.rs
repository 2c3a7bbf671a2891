use hpfracc::sde::SdeError;
use hpfracc::types::shortest;
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
    /// Failure of the SDE solver.
    #[error("simulate: {0}")]
    Solve(#[from] SdeError),
}

super::convert_through!(SimulationError: SdeError);
