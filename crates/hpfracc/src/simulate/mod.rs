//! Ensembles of equations on the processor or on a GPU.

mod backend;
mod choice;
mod error;
#[cfg(feature = "webgpu")]
mod lowering;
#[cfg(feature = "webgpu")]
mod noises;
#[cfg(feature = "gpu")]
mod on_gpu;
#[cfg(feature = "webgpu")]
mod on_gpu_async;
#[cfg(feature = "gpu")]
mod path_solve;
#[cfg(feature = "webgpu")]
mod recording;
mod scalar;
#[cfg(feature = "webgpu")]
mod summaries;
#[cfg(feature = "webgpu")]
mod variables;

pub use backend::{SimulationBackend, UnknownSimulationBackend};
pub use choice::SimulationChoice;
pub use error::SimulationError;
#[cfg(feature = "gpu")]
pub(crate) use hpfracc_equation::wgsl::NumberFormat;
#[cfg(feature = "gpu")]
pub(crate) use lowering::path_equation;
#[cfg(feature = "gpu")]
pub use on_gpu::OnGpu;
#[cfg(feature = "gpu")]
pub(crate) use on_gpu::{DeviceWork, admit, number_format};
#[cfg(feature = "webgpu")]
pub use on_gpu_async::OnGpuAsync;
pub use scalar::EnsembleScalar;
