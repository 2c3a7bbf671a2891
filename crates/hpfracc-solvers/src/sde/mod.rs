//! Stochastic differential equations and ensembles of their paths.

mod ensemble;
mod problem;
mod schemes;
mod system;

pub use ensemble::{Collect, Ensemble, Layout, MeanAndCovariance, Moments, Paths, Place, Sums};
pub use problem::StochasticProblem;
pub use schemes::{
    Adaptive, AdaptiveState, AdaptiveStepper, Calculus, DriftImplicit, DriftImplicitState,
    DriftImplicitStepper, Equation, EulerMaruyama, EulerMaruyamaStepper, Failure,
    FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState, Heun, HeunStepper,
    Milstein, MilsteinStepper, PathMemory, PathwiseScheme, ReversibleHeun, ReversibleHeunState,
    ReversibleHeunStepper, Sra1, Sra1Stepper, Sric2, Sric2Stepper, Sriw1, Sriw1Stepper, StepCounts,
    Stepper, StochasticScheme, TamedEuler, TamedEulerStepper, Tolerance,
};
pub use system::{Coupling, StochasticSystem};
