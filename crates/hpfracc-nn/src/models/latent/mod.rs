//! A stochastic equation that is not seen itself, but through a network.

mod decoded;
mod fit;
mod model;
mod system;

pub use fit::LatentFit;
pub use model::{LatentFractionalSde, LatentParts};
