//! Ensembles of equations on the processor or on a GPU.

mod backend;
mod error;
#[cfg(feature = "gpu")]
mod on_gpu;

pub use backend::{SimulationBackend, UnknownSimulationBackend};
pub use error::SimulationError;
#[cfg(feature = "gpu")]
pub use on_gpu::OnGpu;
