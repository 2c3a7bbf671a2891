//! Differential equations whose coefficients are networks, and what is made small to fit them to data.
//!
//! | model | fitted by | to |
//! |---|---|---|
//! | [`NeuralFractionalSde`], with a [`Diffusion`] or none | [`SdeFit`] | [`Windows`] of series, by a [`Misfit`] |
//! | [`LatentFractionalSde`] | [`LatentFit`] | windows, by a bound of their likelihood |
//! | [`NeuralCde`] | [`CdeFit`] | what belongs to [`Controls`] |
//!
//! A model is a value of networks and [`Orders`]; [`Solving`] says how its equation is solved. A fit is an
//! [`Objective`](crate::Objective): its gradient is that of what the scheme computes, with the noise that a
//! batch draws, exact to rounding. Each tile of 64 paths is solved, judged and taken back in one parallel
//! region; for losses of paths that are judged together all are solved once before that. Of the networks nothing is kept from step to step, but they are computed again on the way back;
//! of the states what [`Checkpoints`] say, all of them where there is a memory.
//!
//! ```
//! use hpfracc_nn::models::{
//!     Diffusion, Misfit, NeuralFractionalSde, Orders, SdeFit, Solving, Windows,
//! };
//! use hpfracc_nn::{Activation, Batch, Network, Objective};
//! use ndarray::Array2;
//!
//! // A record of two components; windows of 10 rows after the start, 2 steps of a solve to a row.
//! let record = Array2::from_shape_fn((100, 2), |(i, j)| ((i + 7 * j) as f64 / 9.0).sin());
//! let windows = Windows::cut(record.view(), (10, 5), 2)?;
//! let drift = Network::perceptron(&[2, 16, 2], Activation::Tanh)?;
//! let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
//! let noise = Diffusion::Additive { start: 0.1 };
//! let model = NeuralFractionalSde::new(drift, noise, orders)?;
//! let fit = SdeFit::new(model, Solving::new(1.0, 20), windows, Misfit::EnergyScore, 4)?;
//! let mut theta = vec![0.0; fit.parameters()];
//! fit.initialise(1, &mut theta);
//! let mut gradient = vec![0.0; theta.len()];
//! let loss = fit.gradient(&theta, Batch::new(&[0, 3, 8], 7), &mut gradient)?;
//! assert_eq!(loss, fit.loss(&theta, Batch::new(&[0, 3, 8], 7))?);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod cde;
mod cde_fit;
mod control;
mod diffusion;
mod encoding;
mod ensemble_misfit;
mod error;
mod field;
mod latent;
mod misfit;
mod neural_sde;
mod orders;
mod path_misfit;
mod sde_fit;
mod solving;
mod system;
mod windows;

pub use cde::{CdeParts, NeuralCde};
pub use cde_fit::CdeFit;
pub use control::Controls;
pub use diffusion::Diffusion;
pub use error::ModelError;
pub use latent::{LatentFit, LatentFractionalSde, LatentParts};
pub use misfit::Misfit;
pub use neural_sde::NeuralFractionalSde;
pub use orders::Orders;
pub use sde_fit::SdeFit;
pub use solving::{Checkpoints, Solving};
pub use windows::Windows;

use crate::{Block, Layer, Scalar, TrainingError};
use field::Field;
use hpfracc_lanes::Rows;
use ndarray::{ArrayView2, Axis};
use std::ops::Range;

/// Paths or samples of a tile. Always as many: a layer that draws numbers draws them for the lanes of a tile,
/// and has to draw the same ones wherever a path is solved again.
const LANES: usize = 64;

/// Ranges of these lengths, one after the other.
fn places<const N: usize>(lengths: [usize; N]) -> [Range<usize>; N] {
    let mut next = 0;
    lengths.map(|length| {
        next += length;
        next - length..next
    })
}

/// Refuses a network with other numbers of rows than these.
fn rows(what: &'static str, found: usize, expected: &[usize]) -> Result<(), ModelError> {
    if expected.contains(&found) {
        return Ok(());
    }
    let expected: Vec<String> = expected.iter().map(usize::to_string).collect();
    Err(ModelError::Rows { what, found, expected: expected.join(" or ") })
}

/// Refuses a slice of another length.
fn length(what: &str, found: usize, expected: usize) -> Result<(), TrainingError> {
    if found == expected {
        return Ok(());
    }
    Err(TrainingError::Size { what: what.to_owned(), found, expected })
}

/// The first block of parameters with one that is not finite.
fn not_finite<T: Scalar>(blocks: Vec<Block>, theta: &[T]) -> Option<String> {
    let mut rest = theta;
    let mut broken = |block: &Block| {
        let (own, others) = rest.split_at_checked(block.len())?;
        rest = others;
        let found = own.iter().any(|parameter| !parameter.widen().is_finite());
        found.then(|| format!("the parameter {}", block.name))
    };
    blocks.iter().find_map(&mut broken)
}

/// The first layer of some networks of which y is not finite where paths start, behind the name of its
/// network; before all else the start.
fn culprit<T: Scalar, L: Layer<T>, const N: usize>(
    networks: [(&str, Option<&Field<'_, T, L>>); N],
    starts: ArrayView2<'_, T>,
) -> Option<String> {
    if starts.iter().any(|x| !x.widen().is_finite()) {
        return Some("the start".to_owned());
    }
    starts.axis_chunks_iter(Axis(0), LANES).find_map(|starts| {
        let x: Vec<T> = starts.columns().into_iter().flatten().copied().collect();
        let x = Rows::new(&x, starts.nrows());
        networks.iter().find_map(|(name, network)| {
            let layer = network.as_ref()?.culprit(0.0, x)?;
            Some(format!("{name}.{layer}"))
        })
    })
}
