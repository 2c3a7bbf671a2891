//! Tasks of `hpfracc-sde` as shaders of `hpfracc-wgpu`.

use super::error::SimulationError;
use super::lowering::{path_equation, path_grid};
use super::path_solve::PathSolve;
use super::scalar::EnsembleScalar;
use hpfracc_equation::wgsl::{NumberFormat, Rounding};
use hpfracc_sde::{EquationModelError, PathExecutor, PathRecorder, PathTask};
use hpfracc_wgpu::ensemble::{DeviceShare, PathEquation};
use hpfracc_wgpu::{Gpu, GpuError};

/// Solves the paths of equations on a GPU, in `f32` or in `f64`: in double precision where the device has it, and else in
/// double-float numbers, of 48 bits in the range of `f32`.
#[derive(Debug, Clone)]
pub struct OnGpu {
    gpus: Vec<Gpu>,
    rounding: Rounding,
    /// Whether double precision is not used.
    in_double_float: bool,
}

impl OnGpu {
    /// On this device, with operations that are rounded freely or as they are written.
    pub fn new(gpu: Gpu, rounding: Rounding) -> Self {
        Self::on_all(vec![gpu], rounding)
    }

    /// On several devices, which take paths as fast as they solve them.
    pub fn on_all(gpus: Vec<Gpu>, rounding: Rounding) -> Self {
        Self { gpus, rounding, in_double_float: false }
    }

    /// Computes `f64` in double-float numbers on a device with double precision, too. Many devices have far fewer units of
    /// double than of single precision, of which a double-float operation takes some 20.
    #[must_use]
    pub fn in_double_float(self) -> Self {
        Self { in_double_float: true, ..self }
    }
}

impl<T: EnsembleScalar> PathExecutor<T> for OnGpu {
    type Error = SimulationError;

    /// If the device is lost or out of memory, the CPU solves what is not recorded yet.
    fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<(), SimulationError> {
        let (format, equation) = (self.number_format::<T>()?, path_equation(task)?);
        admit(&equation, format)?;
        self.solve_with_fallback(format, (task, equation), recorder).map(|_| ())
    }
}

impl OnGpu {
    /// Numbers in which the device computes a scalar.
    ///
    /// # Errors
    /// Those of [`number_format`].
    pub(crate) fn number_format<T: EnsembleScalar>(&self) -> Result<NumberFormat, SimulationError> {
        let without = self.gpus.iter().find(|gpu| !gpu.has_double_precision());
        let double = without.is_none() && !self.in_double_float;
        let device = (without.or(self.gpus.first()).map_or("", Gpu::name), double);
        number_format::<T>(device, self.rounding)
    }

    /// Solves on the devices, and on the CPU what failures of all leave.
    pub(crate) fn solve_with_fallback<T: EnsembleScalar>(
        &self,
        format: NumberFormat,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<DeviceWork, SimulationError> {
        match self.solve_on_device(format, (task, equation), recorder) {
            Err(SimulationError::Gpu(
                error @ (GpuError::Lost { .. } | GpuError::OutOfMemory { .. }),
            )) => {
                tracing::warn!(%error, "the CPU solves the rest of an ensemble");
                recorder.solve_rest().map_err(EquationModelError::from)?;
                Ok(DeviceWork { failure: Some(error.to_string()), shares: vec![] })
            }
            Ok(shares) => {
                let failure = shares.iter().find_map(|share| share.failure.as_ref());
                Ok(DeviceWork { failure: failure.map(ToString::to_string), shares })
            }
            Err(error) => Err(error),
        }
    }

    fn solve_on_device<T: EnsembleScalar>(
        &self,
        format: NumberFormat,
        (task, equation): (&PathTask<'_>, PathEquation),
        recorder: &mut dyn PathRecorder<T>,
    ) -> Result<Vec<DeviceShare>, SimulationError> {
        let grid = path_grid(task, recorder.tile())?;
        let rounding = self.rounding;
        T::solve_paths(&self.gpus, format, PathSolve { task, equation, rounding, grid, recorder })
    }
}

/// What devices did in a solve.
pub(crate) struct DeviceWork {
    /// Error of a device, if another one or the CPU solved what was left.
    pub(crate) failure: Option<String>,
    /// Work of each of several devices; empty for one.
    pub(crate) shares: Vec<DeviceShare>,
}

/// Numbers in which a device, given with its name and whether it has double precision, computes a scalar.
///
/// # Errors
/// [`SimulationError::NotOnGpu`] for guarded operations in `f64` on a device without double precision.
pub(crate) fn number_format<T: EnsembleScalar>(
    (name, double): (&str, bool),
    rounding: Rounding,
) -> Result<NumberFormat, SimulationError> {
    let [native, without] = T::FORMATS;
    let format = if double { native } else { without };
    if format == NumberFormat::DoubleFloat && rounding == Rounding::Guarded {
        let reason = format!(
            "without double precision `{name}` computes in double-float numbers, which do not have the bits of the CPU"
        );
        let instead = "take wgpu in place of wgpu-guarded, single precision, or the CPU";
        return Err(SimulationError::NotOnGpu { reason, instead });
    }
    Ok(format)
}

/// Refuses what a device computes in single precision only.
///
/// # Errors
/// [`SimulationError::NotOnGpu`].
pub(crate) fn admit(equation: &PathEquation, format: NumberFormat) -> Result<(), SimulationError> {
    let single = match (&equation.fractional[..], &equation.stops) {
        _ if format == NumberFormat::Single => return Ok(()),
        ([], None) => return Ok(()),
        ([_, ..], _) => "fractional Brownian motion",
        ([], Some(_)) => "an event that stops paths",
    };
    let reason = format!("it has {single}, which a GPU computes in single precision");
    Err(SimulationError::NotOnGpu { reason, instead: "take f32, or solve on the CPU" })
}
