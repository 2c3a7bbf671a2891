//! Neural differential equations, and objectives that fit them to data.
//!
//! | model | fitted by | to |
//! |---|---|---|
//! | [`NeuralFractionalSde`], with a [`Diffusion`] or none | [`SdeFit`] | [`Windows`] of series, by a [`PathLoss`] |
//! | [`LatentFractionalSde`] | [`LatentFit`] | windows, by the evidence lower bound (ELBO) |
//! | [`NeuralCde`] | [`CdeFit`] | responses to [`Controls`] |
//! | any network | [`Supervised`] | targets of samples |
//!
//! A model is a value of networks and [`Orders`]; [`Solving`] is the discretisation of its
//! equation. A fit is an [`Objective`](crate::Objective). Its gradient is the discrete adjoint
//! (adjoint sensitivity) of the scheme with the noise of the batch, exact to rounding. Each tile of
//! 64 paths is solved, evaluated and differentiated in one parallel region; losses of several paths
//! need one further solve of all paths before that. Networks are recomputed in the backward pass;
//! states are stored as [`Checkpoints`] specify, all of them for equations with memory.
//!
//! A learned order is identifiable only if the data resolve its effect: short windows of smooth
//! series determine a product of rate and memory, not alpha alone. A training of an [`SdeFit`]
//! begins with an estimate of the orders and their standard errors
//! ([`OrderEstimate`](crate::OrderEstimate)).
//!
//! ```
//! use hpfracc_nn::models::{
//!     Diffusion, PathLoss, NeuralFractionalSde, Orders, SdeFit, Solving, Windows,
//! };
//! use hpfracc_nn::{Activation, Batch, Network, Objective};
//! use ndarray::Array2;
//!
//! // A time series of two components; windows of 10 rows after the start, 2 solver steps for each row.
//! let record = Array2::from_shape_fn((100, 2), |(i, j)| ((i + 7 * j) as f64 / 9.0).sin());
//! let windows = Windows::cut(record.view(), (10, 5), 2)?;
//! let drift = Network::perceptron(&[2, 16, 2], Activation::Tanh)?;
//! let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
//! let noise = Diffusion::Additive { start: 0.1 };
//! let model = NeuralFractionalSde::new(drift, noise, orders)?;
//! let fit = SdeFit::new(model, Solving::new(1.0, 20), windows, PathLoss::EnergyScore, 4)?;
//! let mut theta = vec![0.0; fit.parameters()];
//! fit.initialise(1, &mut theta);
//! let mut gradient = vec![0.0; theta.len()];
//! let loss = fit.gradient(&theta, Batch::new(&[0, 3, 8], 7), &mut gradient)?;
//! assert_eq!(loss, fit.loss(&theta, Batch::new(&[0, 3, 8], 7))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod blocks;
mod cde;
mod cde_fit;
mod cde_system;
mod checks;
mod control;
mod diffusion;
mod encoding;
mod ensemble_loss;
mod error;
mod field;
mod latent;
mod neural_sde;
mod order_fit;
mod orders;
mod path_fit;
mod path_loss;
mod readout;
mod sde_fit;
pub mod settings;
mod shards;
mod solving;
mod supervised;
mod system;
mod window_loss;
mod windows;

pub use cde::{CdeParts, NeuralCde};
pub use cde_fit::CdeFit;
pub use control::Controls;
pub use diffusion::Diffusion;
pub use error::ModelError;
pub use latent::{LatentFit, LatentFractionalSde, LatentParts};
pub use neural_sde::NeuralFractionalSde;
pub use orders::Orders;
pub use path_loss::PathLoss;
pub use sde_fit::SdeFit;
pub use solving::{Checkpoints, Solving};
pub use supervised::{Supervised, Targets};
pub use windows::Windows;

pub use hpfracc_sde::ComponentMemory;
