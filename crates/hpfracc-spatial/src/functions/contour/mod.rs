//! Inverse Laplace transforms by quadrature on hyperbolas.

mod hyperbola;
mod inverse_laplace;
mod one_time;
mod samples;
mod shape;

pub use inverse_laplace::Contour;
pub(crate) use one_time::OneTime;
