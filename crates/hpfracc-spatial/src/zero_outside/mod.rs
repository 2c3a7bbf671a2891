//! Integral fractional Laplacian with zero outside, on intervals and domains, and its skewed forms.
//! The documentation of [`IntegralLaplacian`] says which Laplacian is which.

mod ball;
mod boundary_correction;
mod box_axes;
mod box_convolution;
mod box_sine;
mod domain;
mod heat_kernel;
mod interval;
mod lattice;
mod shifted;
mod sine;
mod skewed;
mod toeplitz;

pub use domain::IntegralLaplacian;
pub use interval::IntegralLaplacian1d;
pub use shifted::PoissonSolution;
pub use skewed::SkewedLaplacian1d;
