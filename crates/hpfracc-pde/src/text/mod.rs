//! Equations from text, on a box, with zero outside of a domain, or with any operator as their
//! Laplacian.

pub mod catalogue;
mod field_problem;
mod orders;
mod parts;
mod points;
mod pointwise;
mod sampling;
mod space;
mod term;
mod zero_outside;

pub use field_problem::{FieldProblem, Shown};
pub use zero_outside::ZeroOutside;
