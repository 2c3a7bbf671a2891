//! Differential equations whose coefficients are networks.

mod cde;
mod cde_fit;
mod compiled;
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

pub(crate) use compiled::Compiled;

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

use crate::{Block, Scalar, TrainingError};

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
