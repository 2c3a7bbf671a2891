//! Stochastic differential equations and ensembles of their paths.
//!
//! Schemes without memory, by the noise that they take and their strong order in it. Commuting noise has
//! columns that [commute](StochasticSystem::commutative), as diagonal and scalar noise usually have.
//!
//! | scheme | calculus | any noise | commuting | additive | without |
//! |---|---|--:|--:|--:|--:|
//! | [`EulerMaruyama`], [`TamedEuler`] | Ito | 1/2 | 1/2 | 1 | 1 |
//! | [`DriftImplicit`] | Ito | 1/2 | 1/2 | 1 | 1, or 2 with theta = 1/2 |
//! | [`Milstein`] | Ito | | 1, but for matrices | 1 | 1 |
//! | [`Sric2`] | Ito | | 1 | 1 | 2 |
//! | [`Sriw1`] | Ito | | 3/2, but for matrices | 3/2, but for matrices | 2 |
//! | [`Sra1`] | either | | | 3/2 | 2 |
//! | [`Heun`] | Stratonovich | 1/2 | 1 | 1 | 2 |
//! | [`ReversibleHeun`] | Stratonovich | 1/2 | 1, as observed | 1 | 2 |
//!
//! On equal steps, or on steps that each path chooses: [`Adaptive`].
//!
//! Equations of Caputo type are solved by [`FractionalEulerMaruyama`], of strong order alpha - 1/2 in noise
//! that is multiplied; those whose noise stands outside the memory by [`ForcedEulerMaruyama`].
//!
//! An [`Ensemble`] solves many paths and [collects](Collect) [`Paths`], [`Moments`], [`Quantiles`] or several
//! of these; [`Run`] is a solve that can be left, [`Checkpoint`] where it stands. [`EnsembleGradient`] gives
//! gradients, [`MultilevelMonteCarlo`] expectations, [`models`] are ready.

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
    FractionalEulerMaruyamaBack, GradientWorkspace, Node, PathLoss, ReversibleHeunAdjoint,
    ReversibleHeunBack, Saved, States, StochasticGradient, dot, dot_of,
};
pub use ensemble::{
    Checkpoint, Collect, Ensemble, Layout, MeanAndCovariance, Moments, PairMoments, Paths, Persist,
    Place, Progress, QuantileTable, Quantiles, Run, Sketch, Sums,
};
pub use multilevel::{Expectation, Level, MultilevelMonteCarlo};
pub use problem::{Start, StochasticProblem};
pub use schemes::{
    Adaptive, AdaptiveState, AdaptiveStepper, Calculus, Drift, DriftImplicit, DriftImplicitState,
    DriftImplicitStepper, Equation, EulerMaruyama, EulerMaruyamaStepper, Failure,
    ForcedEulerMaruyama, ForcedEulerMaruyamaStepper, ForcedState, FractionalEulerMaruyama,
    FractionalEulerMaruyamaStepper, FractionalState, Heun, HeunStepper, Milstein, MilsteinStepper,
    PathMemory, PathwiseScheme, ReversibleHeun, ReversibleHeunState, ReversibleHeunStepper, Sra1,
    Sra1Stepper, Sric2, Sric2Stepper, Sriw1, Sriw1Stepper, StepCounts, Stepper, StochasticScheme,
    TamedEuler, TamedEulerStepper, Tolerance,
};
pub use system::{Coupling, StochasticSystem};
