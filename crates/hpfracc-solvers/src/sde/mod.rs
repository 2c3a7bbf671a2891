//! Stochastic differential equations and ensembles of their paths.

mod ensemble;
mod problem;
mod schemes;
mod system;

pub use ensemble::{Collect, Ensemble, Layout, MeanAndCovariance, Moments, Paths, Place, Sums};
pub use problem::StochasticProblem;
pub use schemes::{
    Calculus, DriftImplicit, DriftImplicitState, DriftImplicitStepper, Equation, EulerMaruyama,
    EulerMaruyamaStepper, Failure, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState,
    Heun, HeunStepper, Milstein, MilsteinStepper, PathMemory, ReversibleHeun, ReversibleHeunState,
    ReversibleHeunStepper, Sra1, Sra1Stepper, Sric2, Sric2Stepper, Sriw1, Sriw1Stepper, Stepper,
    StochasticScheme, TamedEuler, TamedEulerStepper,
};
pub use system::{Coupling, StochasticSystem};
