//! Stochastic differential equations and ensembles of their paths.

mod adjoint;
mod ensemble;
mod problem;
mod schemes;
mod system;

pub use adjoint::{
    AdjointStepper, Cotangents, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    Ends, EnsembleGradient, Estimates, EulerMaruyamaAdjoint, Node, PathLoss, Saved, States,
    StochasticGradient, dot,
};
pub use ensemble::{Collect, Ensemble, Layout, MeanAndCovariance, Moments, Paths, Place, Sums};
pub use problem::StochasticProblem;
pub use schemes::{
    Calculus, Equation, EulerMaruyama, EulerMaruyamaStepper, FractionalEulerMaruyama,
    FractionalEulerMaruyamaStepper, FractionalState, PathMemory, Stepper, StochasticScheme,
};
pub use system::{Coupling, StochasticSystem};
