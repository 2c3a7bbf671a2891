use super::error::SimulationError;
use super::summaries;
use hpfracc_sde::{EquationModelError, PathRecorder, PathStop, RecordIndex, Rows, RowsMut};
use hpfracc_types::Real;
use hpfracc_wgpu::ensemble::{PathObserver, PathSummary, StepStop};

/// A recorder as the observer of a device.
pub(super) struct Recording<'a, T> {
    pub(super) recorder: &'a mut dyn PathRecorder<T>,
    /// Start of the interval and length of a step.
    pub(super) step: (f64, f64),
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
