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
mod tile_adjoint;
mod tile_sweep;
mod workspace;

pub use ensemble::{EnsembleGradient, StochasticGradient};
pub use estimate::MonteCarloEstimates;
pub use euler_maruyama::EulerMaruyamaAdjoint;
pub use fractional_euler_maruyama::{FractionalEulerMaruyamaAdjoint, FractionalEulerMaruyamaBack};
pub use loss::{Cotangents, PathLoss, SavedStates};
pub use reversible_heun::{ReversibleHeunAdjoint, ReversibleHeunBack};
pub use scheme::{
    AdjointNode, AdjointStepper, DifferentiableStochasticScheme, StartCotangents, StateRecovery,
};
pub use system::{DifferentiableStochasticSystem, dot, dot_of};
pub use workspace::GradientWorkspace;
