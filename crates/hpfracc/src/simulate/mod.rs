//! Ensembles of equations on the processor or on a GPU.

mod backend;
mod choice;
mod error;
#[cfg(feature = "gpu")]
mod noises;
#[cfg(feature = "gpu")]
mod on_gpu;
#[cfg(feature = "gpu")]
mod path_solve;
mod scalar;
#[cfg(feature = "gpu")]
mod summaries;
#[cfg(feature = "gpu")]
mod variables;

pub use backend::{SimulationBackend, UnknownSimulationBackend};
pub use choice::SimulationChoice;
pub use error::SimulationError;
#[cfg(feature = "gpu")]
pub(crate) use hpfracc_equation::wgsl::NumberFormat;
#[cfg(feature = "gpu")]
pub use on_gpu::OnGpu;
#[cfg(feature = "gpu")]
pub(crate) use on_gpu::{DeviceWork, admit, number_format, path_equation};
pub use scalar::EnsembleScalar;
