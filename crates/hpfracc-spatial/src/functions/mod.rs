//! Functions of an operator, `f(A) x`: fractional powers, exponentials, Mittag-Leffler functions.

mod aaa;
mod bounds;
mod chebyshev;
mod contour;
mod dense;
mod diagonal;
mod factors;
mod function;
mod gradient;
mod lanczos;
mod matern;
mod modes;
mod null_space;
mod operator_function;
mod partial_fractions;
mod plan;
mod power;
mod rational;
mod sinc;
mod tridiagonal_eigen;
mod way;

pub use bounds::lowest_eigenvalue_estimate;
pub use contour::Contour;
pub use function::Function;
pub use gradient::edge_weight_gradient;
pub use matern::{PlusConstant, matern_field};
pub use null_space::remove_null_space;
pub use operator_function::OperatorFunction;
pub use partial_fractions::PartialFractions;
pub use power::Power;
pub use way::Way;
