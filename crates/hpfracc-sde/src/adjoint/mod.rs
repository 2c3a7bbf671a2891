//! Gradients of ensembles: what a scheme computed, differentiated path by path for its noise.

mod checkpoints;
mod ensemble;
mod estimate;
mod euler_maruyama;
mod fractional_euler_maruyama;
mod loss;
mod order_weights;
mod reversible_heun;
mod scheme;
mod system;
mod tile;
mod vectorised;
mod workspace;

pub use ensemble::{EnsembleGradient, StochasticGradient};
pub use estimate::Estimates;
pub use euler_maruyama::EulerMaruyamaAdjoint;
pub use fractional_euler_maruyama::{FractionalEulerMaruyamaAdjoint, FractionalEulerMaruyamaBack};
pub use loss::{Cotangents, PathLoss, Saved};
pub use reversible_heun::{ReversibleHeunAdjoint, ReversibleHeunBack};
pub use scheme::{AdjointStepper, DifferentiableStochasticScheme, Ends, Node, States};
pub use system::{DifferentiableStochasticSystem, dot, dot_of};
pub use workspace::GradientWorkspace;
