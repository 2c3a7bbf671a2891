//! Stochastic differential equations and ensembles of their paths.

mod ensemble;
pub mod models;
mod problem;
mod schemes;
mod system;

pub use ensemble::{Collect, Ensemble, Layout, MeanAndCovariance, Moments, Paths, Place, Sums};
pub use problem::StochasticProblem;
pub use schemes::{
    Calculus, Drift, Equation, EulerMaruyama, EulerMaruyamaStepper, ForcedEulerMaruyama,
    ForcedEulerMaruyamaStepper, ForcedState, FractionalEulerMaruyama,
    FractionalEulerMaruyamaStepper, FractionalState, PathMemory, Stepper, StochasticScheme,
};
pub use system::{Coupling, StochasticSystem};
