//! What is minimised.
//!
//! Predictions and observations are tiles: rows are features, lanes are samples. A loss of samples is a
//! number per lane, written to `losses`; the loss of a batch is the mean of those, which the caller takes,
//! so that a batch can be any number of tiles. A [`Cotangent`] says where the gradient goes and what it
//! is multiplied by: with `scale = 1/batch` it is that of the batch's mean.
//!
//! [`Loss`] compares each prediction with its observation. [`EnergyDistance`] and [`MarginalEnergy`]
//! compare the laws of two sets of paths, and are one number for all lanes.

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
