//! Optimisers: rules that update parameters by their gradients.
//!
//! An [`Optimiser`] is a small value for configurations; [`OptimiserState`] holds what the rule
//! remembers of earlier steps. The learning rate is an argument of every step: a [`Schedule`]
//! computes it from the number of the step alone.

mod adam;
mod clip;
mod error;
mod finite;
mod fractional_adam;
mod fractional_descent;
mod loss_scale;
mod optimiser;
mod schedule;
mod sgd;
mod state;
mod step;

pub use adam::Adam;
pub use clip::clip_global_norm;
pub use error::OptimiserError;
pub use fractional_adam::FractionalAdam;
pub use fractional_descent::FractionalDescent;
pub use loss_scale::{LossScale, Scaled};
pub use optimiser::Optimiser;
pub use schedule::Schedule;
pub use sgd::Sgd;
pub use state::OptimiserState;
