//! Latent stochastic differential equations, observed through a decoder.

mod decoded;
mod fit;
mod model;
mod system;

pub use fit::LatentFit;
pub use model::{LatentFractionalSde, LatentParts};
