//! Gradients of ensembles by adjoint sensitivity (automatic differentiation of the discrete
//! solution, path by path for fixed noise).

mod checkpoints;
pub(crate) mod dispatched;
mod ensemble;
mod estimate;
mod loss;
mod scheme;
mod schemes;
mod system;
mod tile_adjoint;
mod tile_sweep;
mod workspace;

pub use ensemble::{EnsembleGradient, StochasticGradient};
pub use estimate::MonteCarloEstimates;
pub use loss::{Cotangents, PathLoss, SavedStates};
pub use scheme::{AdjointNode, AdjointStepper, DifferentiableStochasticScheme, StateRecovery};
pub use schemes::{
    AdaptiveAdjoint, AdaptiveBack, DifferentiableOneStepScheme, DriftImplicitAdjoint,
    DriftImplicitBack, FractionalEulerMaruyamaAdjoint, FractionalEulerMaruyamaBack, OneStepAdjoint,
    ReversibleHeunAdjoint, ReversibleHeunBack,
};
pub use system::{DifferentiableStochasticSystem, Vjp, dot, dot_of};
pub use workspace::GradientWorkspace;
