//! Losses and their gradients.
//!
//! Predictions and observations are tiles: rows are features, lanes are samples. A loss of samples
//! is a number for each lane, written to `losses`; the caller computes the mean over a batch, so
//! that a batch can have any number of tiles. A [`Cotangent`] is the destination and the factor of
//! the gradient: with `scale = 1/batch` it is the gradient of the batch's mean.
//!
//! [`Loss`] compares each prediction with its observation. [`EnergyDistance`] and
//! [`MarginalEnergy`] compare the distributions of two sets of paths, one number for all lanes.

mod cross_entropy;
mod energy;
mod error;
mod fractional_penalty;
mod gaussian;
mod kullback_leibler;
mod loss;
mod marginal;
mod pointwise;
mod tile;

pub use cross_entropy::cross_entropy_of_classes;
pub use energy::{EnergyDistance, Pairs};
pub use error::LossError;
pub use fractional_penalty::FractionalPenalty;
pub use kullback_leibler::{gaussian_kl, path_kl};
pub use loss::Loss;
pub use marginal::MarginalEnergy;
pub use tile::{Cotangent, Observations};
