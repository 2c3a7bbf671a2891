//! Brownian motion: independent or correlated components, and the Brownian tree.

mod brownian_motion;
mod cell;
mod correlated;
mod increments;
mod integrals;
mod tree;
mod tree_walk;

pub use brownian_motion::Brownian;
pub use cell::Cell;
pub use correlated::CorrelatedBrownian;
pub use tree::BrownianTree;
pub use tree_walk::TreeWalk;
