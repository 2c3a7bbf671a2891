//! Solutions by time steps.

pub(crate) mod imex;
mod nodes;
pub(crate) mod problem;
pub(crate) mod quantity;
pub(crate) mod solution;
pub(crate) mod solve;

pub use quantity::Quantity;
pub use solution::Solution;
pub use solve::{Settings, TimeScheme, graded_steps, solve};
