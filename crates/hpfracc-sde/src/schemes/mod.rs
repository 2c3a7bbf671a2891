//! Schemes on equal steps, and on steps that each path chooses.

mod adaptive;
mod drift_implicit;
mod euler_maruyama;
mod forced;
pub(crate) mod fractional_drift;
mod fractional_euler_maruyama;
pub(crate) mod fractional_stepper;
pub(crate) mod fractional_weights;
mod heun;
pub(crate) mod memory;
mod milstein;
mod reversible_heun;
mod scheme;
mod sra1;
mod sric2;
mod sriw1;
mod tamed_euler;

pub use adaptive::{Adaptive, AdaptiveState, AdaptiveStepper, StepCounts, Tolerance};
pub use drift_implicit::{DriftImplicit, DriftImplicitState, DriftImplicitStepper};
pub use euler_maruyama::{EulerMaruyama, EulerMaruyamaStepper};
pub use forced::{ForcedEulerMaruyama, ForcedEulerMaruyamaStepper, ForcedState};
pub use fractional_drift::Drift;
pub use fractional_euler_maruyama::FractionalEulerMaruyama;
pub use fractional_stepper::{FractionalEulerMaruyamaStepper, FractionalState};
pub use heun::{Heun, HeunStepper};
pub use memory::PathMemory;
pub use milstein::{Milstein, MilsteinStepper};
pub use reversible_heun::{ReversibleHeun, ReversibleHeunState, ReversibleHeunStepper};
pub use scheme::{Calculus, Equation, PathwiseScheme, StepFailure, Stepper, StochasticScheme};
pub use sra1::{Sra1, Sra1Stepper};
pub use sric2::{Sric2, Sric2Stepper};
pub use sriw1::{Sriw1, Sriw1Stepper};
pub use tamed_euler::{TamedEuler, TamedEulerStepper};
