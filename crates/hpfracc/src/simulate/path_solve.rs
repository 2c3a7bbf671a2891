//! The solve of a task in a precision of a device.

use super::error::SimulationError;
use super::summaries;
use hpfracc_equation::wgsl::Rounding;
use hpfracc_sde::{EquationModelError, PathRecorder, PathTask, RecordIndex, Rows, RowsMut};
use hpfracc_types::Real;
use hpfracc_wgpu::Precision;
use hpfracc_wgpu::ensemble::{PathEquation, PathGrid, PathObserver, PathSolver, PathSummary};

/// Paths of a task, for a solver in some precision.
pub struct PathSolve<'a, T> {
    pub(super) task: &'a PathTask<'a>,
    pub(super) equation: PathEquation,
    pub(super) rounding: Rounding,
    pub(super) grid: PathGrid,
    pub(super) recorder: &'a mut dyn PathRecorder<T>,
}

impl<T: Real> PathSolve<'_, T> {
    /// Solves the paths in a precision of a device.
    pub(super) fn on<P: Precision<Host = T>>(self, precision: &P) -> Result<(), SimulationError> {
        let Self { task, equation, rounding, grid, recorder } = self;
        let mut solver = PathSolver::new(precision, equation, rounding)?;
        let request = recorder.request();
        if let Some(request) =
            request.and_then(|request| summaries::request(task, request, rounding))
        {
            solver = solver.summarised(request)?;
        }
        solver.solve(&grid, &mut Recording(recorder))
    }
}

/// A recorder as the observer of a device.
struct Recording<'a, T>(&'a mut dyn PathRecorder<T>);

impl<T: Real> PathObserver<T> for Recording<'_, T> {
    type Error = SimulationError;

    fn start(&mut self, path: usize, lanes: usize, rows: &mut [T]) -> Result<(), Self::Error> {
        self.0.start(path, RowsMut::new(rows, lanes));
        Ok(())
    }

    fn record(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        rows: &[T],
    ) -> Result<(), Self::Error> {
        let recorded = self.0.record(RecordIndex { path, time }, Rows::new(rows, lanes));
        Ok(recorded.map_err(EquationModelError::from)?)
    }

    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Self::Error> {
        self.0
            .record_statistics(RecordIndex { path, time }, &summaries::statistics(lanes, summary));
        Ok(())
    }

    fn pause(&mut self, path_steps: u64) -> Result<(), Self::Error> {
        Ok(self.0.pause(path_steps).map_err(EquationModelError::from)?)
    }
}
