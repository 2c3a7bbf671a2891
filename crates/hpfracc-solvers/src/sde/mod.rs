//! Stochastic differential equations and ensembles of their paths.

mod collect;
mod ensemble;
mod euler_maruyama;
mod fractional_euler_maruyama;
mod memory;
mod moments;
mod paths;
mod problem;
mod scheme;
mod system;

pub use collect::{Collect, Layout, Place};
pub use ensemble::Ensemble;
pub use euler_maruyama::{EulerMaruyama, EulerMaruyamaStepper};
pub use fractional_euler_maruyama::{
    FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState,
};
pub use memory::PathMemory;
pub use moments::{MeanAndCovariance, Moments, Sums};
pub use paths::Paths;
pub use problem::StochasticProblem;
pub use scheme::{Calculus, Equation, Stepper, StochasticScheme};
pub use system::{Coupling, StochasticSystem};
