//! The solve of a task in a precision of a device.

use super::error::SimulationError;
use super::recording::Recording;
use super::summaries;
use hpfracc_equation::wgsl::Rounding;
use hpfracc_sde::{PathRecorder, PathTask};
use hpfracc_types::Real;
use hpfracc_wgpu::ensemble::{DeviceShare, MultiDeviceSolver, PathEquation, PathGrid, PathSolver};
use hpfracc_wgpu::{GpuError, Precision};

/// Paths of a task, for a solver in some precision.
pub struct PathSolve<'a, T> {
    pub(super) task: &'a PathTask<'a>,
    pub(super) equation: PathEquation,
    pub(super) rounding: Rounding,
    pub(super) grid: PathGrid,
    pub(super) recorder: &'a mut dyn PathRecorder<T>,
}

impl<T: Real> PathSolve<'_, T> {
    /// Solves the paths in a precision of one device or several. Returns the work of each of several.
    pub(super) fn on<P: Precision<Host = T>>(
        self,
        precisions: &[P],
    ) -> Result<Vec<DeviceShare>, SimulationError> {
        let Self { task, equation, rounding, grid, recorder } = self;
        let request = recorder.request();
        let request = request.and_then(|request| summaries::request(task, request, rounding));
        let solver = |precision: &P| {
            let solver = PathSolver::new(precision, equation.clone(), rounding)?;
            match &request {
                Some(request) => solver.summarised(request.clone()),
                None => Ok(solver),
            }
        };
        let solvers = precisions.iter().map(solver).collect::<Result<Vec<_>, GpuError>>()?;
        let step = (task.t0, task.h);
        let mut recording = Recording { recorder, step };
        match &solvers[..] {
            [solver] => solver.solve(&grid, &mut recording).map(|()| vec![]),
            _ => MultiDeviceSolver::new(solvers).solve(&grid, &mut recording),
        }
    }
}
