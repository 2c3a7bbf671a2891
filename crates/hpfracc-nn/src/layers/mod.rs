//! Layers, and [`Network`], which is any of them.
//!
//! A new layer is a file with its type and a row in the list below: `Network`, its serde form and
//! its dispatch follow from the list.

mod activation;
mod attention;
mod compositions;
mod convolution;
mod dense;
mod dropout;
mod embedding;
mod fractional;
mod network;
mod normalisation;
mod saved;
mod swiglu;
mod transformer;

pub use activation::Activation;
pub use attention::{Attention, AttentionTape, Mask, MultiHeadAttention, Rotary, Times};
pub use compositions::{EachTime, Residual, Sequential};
pub use convolution::{Conv1d, Conv1dConfig, Padding};
pub use dense::Dense;
pub use dropout::Dropout;
pub use embedding::Embedding;
pub use fractional::{
    BoundedOrder, ComputedWeights, FractionalConv1d, FractionalDense, FractionalDerivative,
    FractionalRnn, FractionalScheme, LayerOrder, OperatorLayer, States,
};
pub use normalisation::{LayerNorm, RmsNorm, Softmax};
pub use saved::{SavedNetwork, SavedNetworkError};
pub use swiglu::SwiGlu;
pub use transformer::Transformer;

use crate::{Backward, Forward, Layer, ParameterBlock, Shape, Sizes, Tape};
use hpfracc_lanes::{CompactVec, RowsMut};
use network::network;
use serde::{Deserialize, Serialize};

network! {
    Conv1d(Conv1d) = "conv1d",
    Dense(Dense) = "dense",
    FractionalConv1d(FractionalConv1d) = "fractional-conv1d",
    FractionalDense(FractionalDense) = "fractional-dense",
    FractionalDerivative(FractionalDerivative) = "fractional-derivative",
    FractionalRnn(FractionalRnn) = "fractional-rnn",
    Dropout(Dropout) = "dropout",
    EachTime(Box<EachTime<Network>>) = "each-time",
    Embedding(Embedding) = "embedding",
    LayerNorm(LayerNorm) = "layer-norm",
    MultiHeadAttention(MultiHeadAttention) = "multi-head-attention",
    Residual(Box<Residual<Network>>) = "residual",
    RmsNorm(RmsNorm) = "rms-norm",
    Sequential(Sequential<Network>) = "sequential",
    Softmax(Softmax) = "softmax",
    SwiGlu(SwiGlu) = "swiglu",
}
