#[cfg(feature = "gpu")]
use super::path_solve::PathSolve;
#[cfg(feature = "gpu")]
use super::{NumberFormat, SimulationError};
use hpfracc_equation::Execute;
use hpfracc_sde::models::Variate;
#[cfg(feature = "gpu")]
use hpfracc_wgpu::ensemble::DeviceShare;
#[cfg(feature = "gpu")]
use hpfracc_wgpu::{Gpu, GpuError};

/// Scalar of an ensemble on a machine: `f32` or `f64`. Sealed, as [`Real`](hpfracc_types::Real) is.
pub trait EnsembleScalar: Variate + Execute {
    /// Numbers of a device with double precision, and of one without, in which this scalar is computed.
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    const FORMATS: [NumberFormat; 2];

    /// Solves paths on devices in a format, one of [`FORMATS`](Self::FORMATS).
    ///
    /// # Errors
    /// Those of the device and of the recorder.
    #[cfg(feature = "gpu")]
    #[doc(hidden)]
    fn solve_paths(
        gpus: &[Gpu],
        format: NumberFormat,
        solve: PathSolve<'_, Self>,
    ) -> Result<Vec<DeviceShare>, SimulationError>;
}

impl EnsembleScalar for f32 {
    #[cfg(feature = "gpu")]
    const FORMATS: [NumberFormat; 2] = [NumberFormat::Single; 2];

    #[cfg(feature = "gpu")]
    fn solve_paths(
        gpus: &[Gpu],
        _: NumberFormat,
        solve: PathSolve<'_, Self>,
    ) -> Result<Vec<DeviceShare>, SimulationError> {
        let precisions: Vec<_> = gpus.iter().map(Gpu::f32).collect();
        solve.on(&precisions)
    }
}

impl EnsembleScalar for f64 {
    #[cfg(feature = "gpu")]
    const FORMATS: [NumberFormat; 2] = [NumberFormat::Double, NumberFormat::DoubleFloat];

    #[cfg(feature = "gpu")]
    fn solve_paths(
        gpus: &[Gpu],
        format: NumberFormat,
        solve: PathSolve<'_, Self>,
    ) -> Result<Vec<DeviceShare>, SimulationError> {
        if format == NumberFormat::DoubleFloat {
            let all = gpus.iter().map(Gpu::double_float).collect::<Result<Vec<_>, GpuError>>()?;
            return solve.on(&all);
        }
        let all = gpus.iter().map(Gpu::f64).collect::<Result<Vec<_>, GpuError>>()?;
        solve.on(&all)
    }
}
