//! Schemes on equal steps.

mod euler_maruyama;
mod fractional_euler_maruyama;
mod fractional_stepper;
mod fractional_weights;
mod memory;
mod scheme;

pub use euler_maruyama::{EulerMaruyama, EulerMaruyamaStepper};
pub use fractional_euler_maruyama::FractionalEulerMaruyama;
pub use fractional_stepper::{FractionalEulerMaruyamaStepper, FractionalState};
pub use memory::PathMemory;
pub use scheme::{Calculus, Equation, Stepper, StochasticScheme};
