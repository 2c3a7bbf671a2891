//! Sampling of posterior distributions by the no-U-turn sampler.
//!
//! | item | meaning |
//! |---|---|
//! | [`LogDensity`], [`DensityFn`] | a density with its gradient |
//! | [`Coordinates`] | the variables of the sampler: [`Support`]s of parameters, [`Whitening`] by the factor of a fit |
//! | [`Nuts`] | the settings; [`Nuts::start`] begins the chains |
//! | [`Sampling`] | chains that can be cancelled, saved and resumed with the same bits |
//! | [`Posterior`] | draws, statistics with Monte Carlo errors, convergence in words |
//! | [`diagnostics`] | R-hat, effective sample sizes, quantiles of any chains |

mod adaptation;
mod chain;
mod coordinates;
mod density;
pub mod diagnostics;
mod error;
mod hamiltonian;
mod posterior;
mod random;
mod sampling;
mod settings;
mod support;
mod trajectory;

pub use coordinates::{Coordinates, Whitening};
pub use density::{DensityError, DensityFn, LogDensity};
pub use error::SampleError;
pub use posterior::{Divergence, NotConverged, Posterior, Reason, Summary};
pub use sampling::{Progress, Sampling, Watch};
pub use settings::Nuts;
pub use support::Support;
