//! The solve of a task in a precision of a device.

use super::error::SimulationError;
use super::summaries;
use hpfracc_equation::wgsl::Rounding;
use hpfracc_sde::{
    EquationModelError, PathRecorder, PathStop, PathTask, RecordIndex, Rows, RowsMut,
};
use hpfracc_types::Real;
use hpfracc_wgpu::ensemble::{
    DeviceShare, MultiDeviceSolver, PathEquation, PathGrid, PathObserver, PathSolver, PathSummary,
    StepStop,
};
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

/// A recorder as the observer of a device.
struct Recording<'a, T> {
    recorder: &'a mut dyn PathRecorder<T>,
    /// Start of the interval and length of a step.
    step: (f64, f64),
}

impl<T: Real> PathObserver<T> for Recording<'_, T> {
    type Error = SimulationError;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [T]) -> Result<(), Self::Error> {
        self.recorder.start(path, RowsMut::new(rows, lanes));
        Ok(())
    }

    fn record(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        rows: &[T],
    ) -> Result<(), Self::Error> {
        let recorded = self.recorder.record(RecordIndex { path, time }, Rows::new(rows, lanes));
        Ok(recorded.map_err(EquationModelError::from)?)
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Self::Error> {
        self.recorder
            .record_statistics(RecordIndex { path, time }, &summaries::statistics(lanes, summary));
        Ok(())
    }

    fn stops(&mut self, path: usize, stops: &[Option<StepStop>]) -> Result<(), Self::Error> {
        let stop = |stop: StepStop| {
            PathStop::in_step(stop.event, self.step, stop.step as usize, stop.share.into())
        };
        let stops: Vec<Option<PathStop>> = stops.iter().map(|of| of.map(stop)).collect();
        self.recorder.record_stops(path, &stops);
        Ok(())
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Self::Error> {
        Ok(self.recorder.pause(path_steps).map_err(EquationModelError::from)?)
    }
}
