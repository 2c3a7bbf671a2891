//! Stochastic differential equations and ensembles of their paths.

mod adjoint;
mod ensemble;
pub mod models;
mod multilevel;
mod problem;
mod schemes;
mod system;

pub use adjoint::{
    AdjointStepper, Cotangents, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    Ends, EnsembleGradient, Estimates, EulerMaruyamaAdjoint, FractionalEulerMaruyamaAdjoint,
    FractionalEulerMaruyamaBack, Node, PathLoss, ReversibleHeunAdjoint, ReversibleHeunBack, Saved,
    States, StochasticGradient, dot,
};
pub use ensemble::{
    Checkpoint, Collect, Ensemble, Layout, MeanAndCovariance, Moments, PairMoments, Paths, Persist,
    Place, Progress, QuantileTable, Quantiles, Run, Sketch, Sums,
};
pub use multilevel::{Expectation, Level, MultilevelMonteCarlo};
pub use problem::StochasticProblem;
pub use schemes::{
    Calculus, Drift, DriftImplicit, DriftImplicitState, DriftImplicitStepper, Equation,
    EulerMaruyama, EulerMaruyamaStepper, ForcedEulerMaruyama, ForcedEulerMaruyamaStepper,
    ForcedState, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState, Heun,
    HeunStepper, Milstein, MilsteinStepper, PathMemory, ReversibleHeun, ReversibleHeunState,
    ReversibleHeunStepper, Sra1, Sra1Stepper, Sric2, Sric2Stepper, Sriw1, Sriw1Stepper, Stepper,
    StochasticScheme, TamedEuler, TamedEulerStepper, Unsolved,
};
pub use system::{Coupling, StochasticSystem};
