//! Stochastic differential equations and ensembles of their paths.
//!
//! Schemes without memory, with the strong order for each kind of noise. Commuting noise has
//! columns that [commute](StochasticSystem::commutative), as diagonal and scalar noise usually
//! have.
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
//! On equal steps, or on [`Adaptive`] ones.
//!
//! Equations of Caputo type are solved by [`FractionalEulerMaruyama`], of strong order alpha - 1/2
//! for multiplicative noise; those whose noise stands outside the memory by
//! [`ForcedEulerMaruyama`].
//!
//! An [`Ensemble`] solves many paths and [collects](Collect) [`Paths`], [`Moments`], [`Quantiles`]
//! or several of these; a [`StopEvent`] stops paths, and [`FirstPassage`] and [`StopTimes`] collect
//! when. [`Run`] is a solve that can be interrupted, [`Checkpoint`] its saved state.
//! [`EnsembleGradient`] computes gradients (adjoint sensitivity), [`MultilevelMonteCarlo`]
//! expectations; [`models`] has ready models.
//!
//! ```
//! use hpfracc_sde::models::{FractionalLangevin, Model};
//! use hpfracc_sde::{Ensemble, Moments};
//!
//! // A particle in a viscoelastic bath: E x^2 = 2 kT/gamma t^alpha / Gamma(1+alpha)
//! let model = FractionalLangevin::default().alpha(0.5)?;
//! let ensemble = Ensemble::new(5_000, 100)?; // paths, steps
//! let found = model.simulate::<f64, _>(&ensemble, (0.0, 4.0), 7, &Moments)?;
//! let exact = model.variance(4.0)?;
//! assert!((found.covariance[[0, 0, 0]] / exact - 1.0).abs() < 0.1);
//! # Ok::<(), hpfracc_sde::SdeError>(())
//! ```
#![forbid(unsafe_code)]

#[macro_use(formula)]
extern crate hpfracc_special;

mod adjoint;
mod checks;
mod ensemble;
mod error;
pub mod models;
mod multilevel;
pub mod noise;
mod precompiled;
mod problem;
mod random;
mod rows;
mod schemes;
mod system;

pub use adjoint::{
    AdaptiveAdjoint, AdaptiveBack, AdjointNode, AdjointStepper, Cotangents,
    DifferentiableOneStepScheme, DifferentiableStochasticScheme, DifferentiableStochasticSystem,
    DriftImplicitAdjoint, DriftImplicitBack, EnsembleGradient, FractionalEulerMaruyamaAdjoint,
    FractionalEulerMaruyamaBack, GradientWorkspace, MonteCarloEstimates, OneStepAdjoint, PathLoss,
    ReversibleHeunAdjoint, ReversibleHeunBack, SavedStates, StateRecovery, StochasticGradient, Vjp,
    dot, dot_of,
};
pub use ensemble::{
    BlockMoments, BucketCounts, Checkpoint, Collect, Ensemble, FirstPassage, FirstPassageTable,
    FirstPaths, Layout, MeanAndCovariance, MomentSums, Moments, PairMoments, PathRecorder,
    PathStatistics, Paths, Progress, QuantileTable, Quantiles, RecordIndex, Run, SavedWords,
    Sketch, StatisticsRequest, StopStatistics, StopTimes,
};
pub use error::SdeError;
pub use hpfracc_lanes::{Rows, RowsMut};
pub use models::{
    AsyncPathExecutor, DefaultScheme, DifferentiableCoefficients, EquationCoefficients,
    EquationModel, EquationModelError, PathExecutor, PathTask,
};
pub use multilevel::{Expectation, LevelStatistics, MultilevelMonteCarlo};
pub use ndarray;
pub use precompiled::{PrecompiledScalar, PrecompiledScheme};
pub use problem::{
    InitialDistribution, InitialValues, PathStop, ScalarFunctions, StateFunctions,
    StochasticProblem, StopEvent,
};
pub use schemes::{
    Adaptive, AdaptiveState, AdaptiveStepper, ComponentMemory, CorrectorRecurrence, Drift,
    DriftImplicit, DriftImplicitState, DriftImplicitStepper, Equation, EulerMaruyama,
    ForcedEulerMaruyama, FractionalEulerMaruyama, FractionalEulerMaruyamaStepper, FractionalState,
    Heun, MemoryRecurrence, Milstein, NearNoises, OneStep, OneStepScheme, OneStepStepper,
    PathMemory, PathwiseScheme, ReversibleHeun, ReversibleHeunState, ReversibleHeunStepper, Sra1,
    Sric2, Sriw1, Step, StepCounts, StepFailure, StepStart, Stepper, StochasticScheme, TamedEuler,
    Tolerance,
};
pub use system::{Calculus, NoiseKind, StochasticSystem};

/// The example of the README is compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
