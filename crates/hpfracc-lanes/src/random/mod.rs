//! Counter-based random numbers: [`Philox`], bits as a function of a seed and a counter, and the
//! numbers made from them. A caller gives each number an address of its own, from which the counter
//! follows, so that a result does not depend on how the work is divided.

mod gaussian;
mod philox;

pub use gaussian::{Gaussian, unit};
pub use philox::Philox;
