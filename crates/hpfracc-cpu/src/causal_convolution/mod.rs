//! `y[n] = sum_{k <= n} w[k] x[n-k]`, by sums or through the Fourier transform.

mod columns;
mod direct;
mod four_step;
mod right_angle;
mod toeplitz;
mod transform;

pub use direct::Direct;
pub(crate) use transform::TransformPlan;
