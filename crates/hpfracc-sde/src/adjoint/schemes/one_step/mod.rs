//! Adjoints of explicit schemes without memory, one file each.

mod euler_maruyama;
mod heun;
mod milstein;
mod one_step_adjoint;
mod sra1;
mod sric2;
mod sriw1;
mod tamed_euler;

pub use one_step_adjoint::{DifferentiableOneStepScheme, OneStepAdjoint};
