//! Fields in space: equations, and operators on graphs.

mod expression;
pub(crate) mod graph;
mod npy;
pub(crate) mod pde;
pub(crate) mod space;
