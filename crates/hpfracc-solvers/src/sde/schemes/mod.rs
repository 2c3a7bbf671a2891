//! Schemes on equal steps.

mod euler_maruyama;
mod forced;
mod fractional_drift;
mod fractional_euler_maruyama;
mod fractional_stepper;
mod fractional_weights;
mod memory;
mod scheme;

pub use euler_maruyama::{EulerMaruyama, EulerMaruyamaStepper};
pub use forced::{ForcedEulerMaruyama, ForcedEulerMaruyamaStepper, ForcedState};
pub use fractional_drift::Drift;
pub use fractional_euler_maruyama::FractionalEulerMaruyama;
pub use fractional_stepper::{FractionalEulerMaruyamaStepper, FractionalState};
pub use memory::PathMemory;
pub use scheme::{Calculus, Equation, Stepper, StochasticScheme};
