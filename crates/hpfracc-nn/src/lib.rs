//! Neural layers with derivatives written by hand.
#![forbid(unsafe_code)]

mod activation;
mod dense;
mod error;
mod initialiser;
mod kernels;
mod layer;
mod normalisation;
mod residual;
mod scalar;
mod sequential;

pub use activation::Activation;
pub use dense::Dense;
pub use error::NetworkError;
pub use initialiser::Initialiser;
pub use layer::{Block, Layer, Tape};
pub use normalisation::{LayerNorm, RmsNorm};
pub use residual::Residual;
pub use scalar::Scalar;
pub use sequential::Sequential;
