use hpfracc::sde::{EquationModelError, SdeError};
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
    /// Scheme that does not solve the equation.
    #[error("--scheme {scheme}: {source}; schemes of this equation: {suitable}")]
    Scheme {
        /// Name of the scheme.
        scheme: &'static str,
        /// Reason.
        source: Box<EquationModelError>,
        /// Names of the schemes that solve it, separated by commas.
        suitable: String,
    },
    /// Failure of the SDE solver.
    #[error("simulate: {0}")]
    Solve(#[from] SdeError),
}

convert_through!(SimulationError: SdeError);
