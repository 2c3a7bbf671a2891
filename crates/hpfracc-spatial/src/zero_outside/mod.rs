//! Integral fractional Laplacian with zero outside, on intervals and domains.

mod boundary_correction;
mod box_convolution;
mod box_sine;
mod buffers;
mod domain;
mod heat_kernel;
mod interval;
mod krylov;
mod lattice;
mod shifted;
mod sine;
mod skewed;
mod toeplitz;

pub use domain::IntegralLaplacian;
pub use interval::IntegralLaplacian1d;
pub use shifted::PoissonSolution;
pub use skewed::SkewedLaplacian1d;
