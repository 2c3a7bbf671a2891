//! Latent stochastic differential equations, observed through a decoder.

mod decoded;
mod model;
mod negative_elbo;
mod system;

pub use model::{LatentFractionalSde, LatentParts};
pub use negative_elbo::LatentFit;
