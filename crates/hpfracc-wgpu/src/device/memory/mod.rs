//! Memory of a device: its size, and the limit of this crate's buffers.

pub(super) mod heaps;
mod limit;

pub use limit::MemoryLimit;
