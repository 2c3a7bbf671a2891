//! Checks of arguments and of the memory that they need.

mod memory;
mod range;

pub(crate) use memory::room_for;
pub use range::Range;
