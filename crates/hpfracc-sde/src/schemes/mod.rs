//! Schemes on equal steps, and on steps that each path chooses.

pub(crate) mod adaptive;
mod drift_implicit;
pub(crate) mod fractional;
pub(crate) mod memory;
pub(crate) mod one_step;
mod reversible_heun;
mod scheme;

pub use adaptive::{Adaptive, AdaptiveState, AdaptiveStepper, StepCounts, Tolerance};
pub use drift_implicit::{DriftImplicit, DriftImplicitState, DriftImplicitStepper};
pub use fractional::{
    ComponentMemory, Drift, ForcedEulerMaruyama, FractionalEulerMaruyama,
    FractionalEulerMaruyamaStepper, FractionalState,
};
pub use memory::{CorrectorRecurrence, MemoryRecurrence, NearNoises, PathMemory};
pub use one_step::{
    EulerMaruyama, Heun, Milstein, OneStep, OneStepScheme, OneStepStepper, Sra1, Sric2, Sriw1,
    StepStart, TamedEuler,
};
pub use reversible_heun::{ReversibleHeun, ReversibleHeunState, ReversibleHeunStepper};
pub use scheme::{Equation, PathwiseScheme, Step, StepFailure, Stepper, StochasticScheme};
