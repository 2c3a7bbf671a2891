//! Stochastic differential equations and ensembles of their paths.

mod ensemble;
pub mod models;
mod multilevel;
mod problem;
mod schemes;
mod system;

pub use ensemble::{
    Checkpoint, Collect, Ensemble, Layout, MeanAndCovariance, Moments, PairMoments, Paths, Persist,
    Place, Progress, QuantileTable, Quantiles, Run, Sketch, Sums,
};
pub use multilevel::{Expectation, Level, MultilevelMonteCarlo};
pub use problem::StochasticProblem;
pub use schemes::{
    Calculus, Drift, Equation, EulerMaruyama, EulerMaruyamaStepper, ForcedEulerMaruyama,
    ForcedEulerMaruyamaStepper, ForcedState, FractionalEulerMaruyama,
    FractionalEulerMaruyamaStepper, FractionalState, PathMemory, Stepper, StochasticScheme,
};
pub use system::{Coupling, StochasticSystem};
