use super::error::SimulationError;
use super::lowering::{path_equation, path_grid};
use super::recording::Recording;
use super::summaries;
use hpfracc_equation::wgsl::Rounding;
use hpfracc_sde::{AsyncPathExecutor, EquationModelError, PathRecorder, PathTask};
use hpfracc_wgpu::ensemble::PathSolver;
use hpfracc_wgpu::{Gpu, GpuError};

/// Solves the paths of equations in single precision on a GPU without blocking: in browsers, or in an app with an executor of
/// its own.
///
/// ```no_run
/// use hpfracc::OnGpuAsync;
/// use hpfracc::equation::Equation;
/// use hpfracc::gpu::{Gpu, GpuOptions};
/// use hpfracc::sde::{Ensemble, EquationModel, EulerMaruyama, Moments};
///
/// async fn mean() -> Result<f64, Box<dyn std::error::Error>> {
///     let gpu = Gpu::request(GpuOptions::default()).await?;
///     let model = EquationModel::new(&Equation::parse("dX = -X dt + dW; X(0) = 1; t in [0, 1]")?)?;
///     let ensemble = Ensemble::new(100_000, 100)?;
///     let on = OnGpuAsync::new(gpu);
///     let solved =
///         model.simulate_on_async::<f32, _, _, _>(&on, &EulerMaruyama, (&ensemble, 1), &Moments);
///     Ok(solved.await?.mean[[0, 0]])
/// }
/// ```
#[derive(Debug, Clone)]
pub struct OnGpuAsync {
    gpu: Gpu,
}

impl OnGpuAsync {
    /// On this device.
    pub fn new(gpu: Gpu) -> Self {
        Self { gpu }
    }

    /// The device.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    async fn solve_on_device(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<f32>,
    ) -> Result<(), SimulationError> {
        let (equation, rounding) = (path_equation(task)?, Rounding::Free);
        let grid = path_grid(task, recorder.tile())?;
        let request = recorder.request();
        let request = request.and_then(|request| summaries::request(task, request, rounding));
        let solver = PathSolver::new(&self.gpu.f32(), equation, rounding)?;
        let solver = match request {
            Some(request) => solver.summarised(request)?,
            None => solver,
        };
        let mut recording = Recording { recorder, step: (task.t0, task.h) };
        solver.solve_async(&grid, &mut recording).await
    }
}

impl AsyncPathExecutor<f32> for OnGpuAsync {
    type Error = SimulationError;

    /// If the device is lost or out of memory, the CPU solves what is not recorded yet.
    async fn solve(
        &self,
        task: &PathTask<'_>,
        recorder: &mut dyn PathRecorder<f32>,
    ) -> Result<(), SimulationError> {
        match self.solve_on_device(task, recorder).await {
            Err(SimulationError::Gpu(
                error @ (GpuError::Lost { .. } | GpuError::OutOfMemory { .. }),
            )) => {
                tracing::warn!(%error, "the CPU solves the rest of an ensemble");
                Ok(recorder.solve_rest().map_err(EquationModelError::from)?)
            }
            solved => solved,
        }
    }
}
