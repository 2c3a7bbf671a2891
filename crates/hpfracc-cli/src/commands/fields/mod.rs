//! Fields in space: equations, and operators on graphs.

mod expression;
mod npy;
pub(crate) mod pde;
pub(crate) mod space;
