//! Fuzz targets: arbitrary bytes for the readers of files and texts, arbitrary numbers for functions with
//! parameters, arbitrary expression graphs.
//!
//! A [`Target`] takes bytes and panics on a wrong result. An error is a correct result for invalid
//! input; a panic, a hang, an excessive allocation or a wrong value is not. The tests run the inputs
//! of `corpus/` and some thousand reproducible [`mutation`]s of them. `cargo xtask fuzz` searches
//! further, guided by code coverage.

mod bytes;
pub mod corpus;
mod limit;
pub mod mutation;
pub mod runner;
mod seal;
mod target;
mod targets;

pub use bytes::Bytes;
pub use limit::Limit;
pub use target::{Target, named};
pub use targets::TARGETS;
