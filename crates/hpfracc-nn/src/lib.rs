//! Neural layers with derivatives written by hand.
#![forbid(unsafe_code)]

mod activation;
mod attention;
mod convolution;
mod dense;
mod dropout;
mod error;
mod fractional;
mod initialiser;
mod kernels;
mod layer;
mod losses;
pub mod models;
mod network;
mod normalisation;
mod objective;
mod optimiser;
mod pool;
mod residual;
mod scalar;
mod sequential;
mod softmax;
mod store;
mod supervised;
mod swiglu;
pub mod trainer;

pub use activation::Activation;
pub use attention::{Attention, AttentionTape, Mask, MultiHeadAttention, Rotary, Times};
pub use convolution::{Conv1d, Conv1dConfig, Padding};
pub use dense::Dense;
pub use dropout::Dropout;
pub use error::{NetworkError, TrainingError};
pub use fractional::{
    BoundedOrder, FractionalConv1d, FractionalDense, FractionalDerivative, FractionalRnn,
    FractionalScheme, LayerOrder, OperatorLayer, States,
};
pub use initialiser::Initialiser;
pub use layer::{Block, Layer, Pass, Shape, Tape};
pub use losses::{
    Cotangent, EnergyDistance, FractionalPenalty, Loss, LossError, MarginalEnergy, Observations,
    Pairs, cross_entropy_of_classes, gaussian_kl, path_kl,
};
pub use network::Network;
pub use normalisation::{LayerNorm, RmsNorm};
pub use objective::{Asked, Batch, Objective};
pub use optimiser::{
    Adam, AdamW, FractionalAdam, FractionalDescent, LossScale, Optimiser, OptimiserError,
    OptimiserState, Scaled, Schedule, Sgd, clip_global_norm,
};
pub use residual::Residual;
pub use scalar::Scalar;
pub use sequential::Sequential;
pub use softmax::Softmax;
pub use store::{Precision, Store};
pub use supervised::{Supervised, Targets};
pub use swiglu::SwiGlu;
