//! Explicit schemes without memory, one file each.

mod euler_maruyama;
mod heun;
mod milstein;
mod one_step_scheme;
pub(crate) mod sra1;
pub(crate) mod sric2;
pub(crate) mod sriw1;
pub(crate) mod tamed_euler;

pub use euler_maruyama::EulerMaruyama;
pub use heun::Heun;
pub use milstein::Milstein;
pub use one_step_scheme::{OneStep, OneStepScheme, OneStepStepper, StepStart};
pub use sra1::Sra1;
pub use sric2::Sric2;
pub use sriw1::Sriw1;
pub use tamed_euler::TamedEuler;
