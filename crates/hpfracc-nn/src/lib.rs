//! Neural layers with derivatives written by hand.
#![forbid(unsafe_code)]

mod activation;
mod dense;
mod error;
mod fractional;
mod initialiser;
mod kernels;
mod layer;
mod loss;
pub mod models;
mod network;
mod normalisation;
mod objective;
mod optimiser;
mod residual;
mod scalar;
mod sequential;
pub mod trainer;

pub use activation::Activation;
pub use dense::Dense;
pub use error::{NetworkError, TrainingError};
pub use fractional::{
    BoundedOrder, FractionalConv1d, FractionalDense, FractionalDerivative, FractionalRnn,
    FractionalScheme, LayerOrder, OperatorLayer, States,
};
pub use initialiser::Initialiser;
pub use layer::{Block, Layer, Pass, Shape, Tape};
pub use loss::{
    Cotangent, EnergyDistance, FractionalPenalty, Loss, LossError, MarginalEnergy, Observations,
    Pairs, cross_entropy_of_classes, gaussian_kl, path_kl,
};
pub use network::Network;
pub use normalisation::{LayerNorm, RmsNorm};
pub use objective::{Batch, Objective};
pub use optimiser::{
    Adam, AdamW, FractionalAdam, FractionalDescent, LossScale, Optimiser, OptimiserError,
    OptimiserState, Scaled, Schedule, Sgd, clip_global_norm,
};
pub use residual::Residual;
pub use scalar::Scalar;
pub use sequential::Sequential;
