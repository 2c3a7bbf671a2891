//! Nonlinear terms.

pub(crate) mod flux;
pub(crate) mod reaction;
pub(crate) mod term;

pub use flux::Flux;
pub use reaction::{Reaction, ReactionDerivatives};
pub use term::{State, Term};
