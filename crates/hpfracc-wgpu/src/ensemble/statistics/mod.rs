//! Statistics of the paths at saved nodes, reduced on the device.

mod blocks;
mod buckets;
mod reduction;
mod request;
mod shader;

pub(super) use reduction::{NodeStates, Reduction};
pub use request::{BlockSums, NumberCounts, PathSummary, SummaryRequest};
pub(super) use shader::BLOCK;
#[cfg(test)]
pub(crate) use shader::sources;
