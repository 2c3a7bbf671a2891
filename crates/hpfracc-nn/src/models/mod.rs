//! Differential equations whose coefficients are networks.

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
mod pool;
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

use crate::TrainingError;

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
