//! Functions of an operator, `f(A) x`: fractional powers, exponentials, Mittag-Leffler functions.

mod contour;
pub(crate) mod function;
mod gauss_legendre;
mod matern;
pub(crate) mod null_space;
mod operator_function;
mod plan;
pub(crate) mod polynomial;
mod power;
pub(crate) mod rational;
mod spectral;
pub(crate) mod time_derivative;
mod way;

pub use contour::Contour;
pub use function::Function;
pub use matern::{PlusConstant, matern_field};
pub use null_space::remove_null_space;
pub use operator_function::OperatorFunction;
pub use polynomial::lowest_eigenvalue_estimate;
pub use power::Power;
pub use rational::PartialFractions;
pub use spectral::{DenseModes, ModesMultiplier};
pub use time_derivative::{LinearDatum, TimeDerivative};
pub use way::Way;
