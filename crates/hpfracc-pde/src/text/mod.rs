//! Equations from text, on a box or with any operator as their Laplacian.

mod applied;
pub mod catalogue;
mod field_problem;
mod parts;
mod points;
mod pointwise;
mod sampling;
mod space;
mod steps;
mod term;

pub use field_problem::FieldProblem;
