//! Arbitrary bytes for everything of the workspace that reads files, and arbitrary numbers for everything
//! that takes parameters.
//!
//! A [`Target`] takes bytes and panics where something has gone wrong; an error is a right answer to wrong
//! input, a panic, a hang, an absurd allocation or a wrong value is none. The bytes of `corpus/` go through
//! each target with the tests, and so do some thousand [`mutation`]s of them, always the same ones.
//! `cargo xtask fuzz` searches on, guided by what code the bytes have reached.

mod bytes;
pub mod corpus;
mod limit;
pub mod mutation;
mod seal;
mod target;
mod targets;
pub mod watched;

pub use bytes::Bytes;
pub use limit::Limit;
pub use target::{Target, named};
pub use targets::TARGETS;
