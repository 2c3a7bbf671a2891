//! Adjoints of the schemes that have one.

mod euler_maruyama;
mod fractional_euler_maruyama;
mod heun;
mod order_weights;
mod reversible_heun;

pub use euler_maruyama::EulerMaruyamaAdjoint;
pub use fractional_euler_maruyama::{FractionalEulerMaruyamaAdjoint, FractionalEulerMaruyamaBack};
pub use heun::HeunAdjoint;
pub use reversible_heun::{ReversibleHeunAdjoint, ReversibleHeunBack};
