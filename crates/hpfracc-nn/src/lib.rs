//! Neural layers with hand-written derivatives (reverse-mode automatic differentiation), neural
//! ordinary and stochastic differential equations of integer or fractional order, and their
//! training.
//!
//! | topic | items |
//! |---|---|
//! | layers of each sample | [`Dense`], [`SwiGlu`], [`Embedding`], [`Dropout`], [`LayerNorm`], [`RmsNorm`], [`Softmax`] |
//! | layers of time series | [`Conv1d`], [`MultiHeadAttention`], [`FractionalRnn`]; [`EachTime`], any layer at each time; [`Transformer`] |
//! | fractional derivatives as layers | [`FractionalDerivative`], [`FractionalDense`], [`FractionalConv1d`], of fixed or learned [`LayerOrder`] |
//! | compositions | [`Sequential`], [`Residual`]; [`Network`] is any layer, a plain value with a serde form; [`SavedNetwork`], one with its parameters, for equations as text |
//! | custom layers | [`Layer`] and [`Shape`] |
//! | losses of samples | [`Loss`], [`gaussian_kl`], [`path_kl`], [`FractionalPenalty`] |
//! | losses of distributions | [`EnergyDistance`], [`MarginalEnergy`] |
//! | objectives of training | [`Objective`]: [`Supervised`], or the fit of a model |
//! | differential equations | [`models`]; [`OrderEstimate`] of their learned orders |
//! | memory | [`Storage`], 16-bit formats of what a forward pass stores for the backward pass |
//! | optimisers | [`Sgd`], [`Adam`] (AdamW), [`FractionalDescent`], [`FractionalAdam`]; [`Schedule`], [`clip_global_norm`], [`LossScale`] |
//! | training with checkpoints | [`trainer`] |
//!
//! Three ideas recur. A [`Layer`] acts on a tile: rows are features, lanes are samples. It owns
//! neither parameters nor memory: parameters are one flat slice, whose parts are named by
//! [`Block`]s, and the forward pass saves what the backward pass needs in rows of the caller. An
//! [`Objective`] is a mean loss over numbered samples with its gradient; models implement it, and a
//! trainer needs nothing else of them. Everything is generic over [`Scalar`], `f32` or `f64`, and
//! has the same bits on any number of threads.
//!
//! ```
//! use hpfracc_nn::{Activation, Batch, Loss, Network, Objective, Supervised, Targets};
//! use ndarray::Array2;
//!
//! let x = Array2::from_shape_fn((64, 1), |(i, _)| i as f64 / 32.0 - 1.0);
//! let y = x.mapv(f64::abs);
//! let network = Network::perceptron(&[1, 8, 1], Activation::Tanh)?;
//! let objective = Supervised::new(network, x, Targets::Values(y, Loss::MeanSquare))?;
//! let samples: Vec<usize> = (0..64).collect();
//! let mut theta = vec![0.0; objective.parameters()];
//! objective.initialise(1, &mut theta);
//! let mut gradient = vec![0.0; theta.len()];
//! let before = objective.loss(&theta, Batch::new(&samples, 0))?;
//! for draw in 0..200 {
//!     objective.gradient(&theta, Batch::new(&samples, draw), &mut gradient)?;
//!     theta.iter_mut().zip(&gradient).for_each(|(w, g)| *w -= 0.1 * g);
//! }
//! assert!(objective.loss(&theta, Batch::new(&samples, 0))? < 0.5 * before);
//! # Ok::<(), hpfracc_nn::TrainingError>(())
//! ```
#![forbid(unsafe_code)]

mod buffer_pool;
mod checks;
mod error;
mod initialiser;
mod kernels;
mod layer;
mod layers;
mod losses;
pub mod models;
mod objective;
mod optimisers;
mod scalar;
pub mod trainer;

pub use checks::{OutOfRange, SizeMismatch};
pub use error::{NetworkError, TrainingError};
pub use hpfracc_lanes::{CompactVec, Storage, StorageOverflow};
pub use initialiser::Initialiser;
pub use layer::{Backward, Block, Forward, Layer, ParameterBlock, Pass, Shape, Sizes, Tape};
pub use layers::*;
pub use losses::{
    Cotangent, EnergyDistance, FractionalPenalty, Loss, LossError, MarginalEnergy, Observations,
    Pairs, cross_entropy_of_classes, gaussian_kl, path_kl,
};
pub use models::{Supervised, Targets};
pub use ndarray;
pub use objective::{Batch, LossResult, Objective, OrderEstimate};
pub use optimisers::{
    Adam, FractionalAdam, FractionalDescent, LossScale, Optimiser, OptimiserError, OptimiserState,
    Scaled, Schedule, Sgd, clip_global_norm,
};
pub use scalar::Scalar;

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
