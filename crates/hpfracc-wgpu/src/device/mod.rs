//! Devices: how they are found and opened, their buffers, pipelines, clock and errors.

mod adapters;
mod bind_groups;
mod buffer_pool;
mod error;
mod gpu;
mod memory;
mod open_device;
mod pipeline_cache;
mod pipelines;
mod readback;
mod submission;
#[cfg(test)]
pub(crate) mod tests;
mod timing;

#[cfg(not(target_arch = "wasm32"))]
pub use adapters::adapters;
pub use adapters::{AdapterDescription, AdapterKind, Preference, request_adapters};
pub use buffer_pool::BufferPoolStats;
pub(crate) use buffer_pool::{PooledBuffer, Purpose};
pub use error::GpuError;
pub use gpu::{Gpu, GpuOptions};
pub use memory::MemoryLimit;
pub(crate) use pipelines::Pipeline;
pub use timing::Meter;
