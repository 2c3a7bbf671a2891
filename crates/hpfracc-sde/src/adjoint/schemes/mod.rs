//! Adjoints of the schemes that have one.

mod adaptive;
mod component_memory_by_order;
mod drift_implicit;
mod fractional_euler_maruyama;
mod one_step;
mod order_weights;
mod reversible_heun;

pub use adaptive::{AdaptiveAdjoint, AdaptiveBack};
pub use drift_implicit::{DriftImplicitAdjoint, DriftImplicitBack};
pub use fractional_euler_maruyama::{FractionalEulerMaruyamaAdjoint, FractionalEulerMaruyamaBack};
pub use one_step::{DifferentiableOneStepScheme, OneStepAdjoint};
pub use reversible_heun::{ReversibleHeunAdjoint, ReversibleHeunBack};
