#[cfg(not(feature = "gpu"))]
use super::backend::SimulationBackend;
use hpfracc_sde::EquationModelError;
use thiserror::Error;

/// Errors of a simulation.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SimulationError {
    /// A backend on a GPU in a build without them.
    #[cfg(not(feature = "gpu"))]
    #[error(
        "`{backend}` is a GPU, and this build has no GPU support (feature `gpu` of the crate hpfracc is off)"
    )]
    WithoutGpu {
        /// The backend.
        backend: SimulationBackend,
    },
    /// An equation, a noise or a scheme that only the CPU solves.
    #[cfg(feature = "webgpu")]
    #[error("a GPU does not solve it, because {reason}: {instead}")]
    NotOnGpu {
        /// The reason.
        reason: String,
        /// What to do.
        instead: &'static str,
    },
    /// Of the equation, of the noise, of the scheme, or of a path.
    #[error(transparent)]
    Model(#[from] EquationModelError),
    /// An expression without a shader.
    #[cfg(feature = "webgpu")]
    #[error(transparent)]
    Shader(#[from] hpfracc_equation::wgsl::ShaderError),
    /// Of the device.
    #[cfg(feature = "webgpu")]
    #[error(transparent)]
    Gpu(#[from] hpfracc_wgpu::GpuError),
}
