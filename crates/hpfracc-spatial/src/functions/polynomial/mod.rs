//! Polynomials of an operator: Chebyshev's, and those of the Lanczos process.

mod bounds;
mod chebyshev;
mod lanczos;
mod tridiagonal_eigen;

pub(crate) use bounds::Bounds;
pub use bounds::lowest_eigenvalue_estimate;
pub(crate) use chebyshev::Chebyshev;
pub(crate) use lanczos::Lanczos;
