//! Result of a fit: estimates with their uncertainty.

mod band;
mod comparison;
mod covariance;
mod discretisation;
mod estimate;
mod identifiability;
mod leverage;
mod posterior;
mod profile;
mod refit;
mod report;
mod residuals;
mod result;

pub use band::Interval;
pub use comparison::{Criteria, CrossValidation};
pub use discretisation::Discretisation;
pub use estimate::{Estimate, HeldBy, ParameterRole};
pub use identifiability::WeakDirection;
pub(crate) use leverage::Levered;
pub use posterior::FitDensity;
pub use profile::Profile;
pub(crate) use refit::{Refit, RefitFailure};
pub use residuals::ResidualTests;
pub use result::{DetachedFound, Found};
