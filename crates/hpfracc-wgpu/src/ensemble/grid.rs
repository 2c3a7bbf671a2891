use super::statistics::{BLOCK, PathSummary};
use crate::GpuError;

/// Sizes of an ensemble: its paths, its steps and the nodes that are saved.
#[derive(Debug, Clone)]
pub struct PathGrid {
    /// Seed of the noise.
    pub seed: u64,
    /// Number of the first path, which selects its noise.
    pub first_path: u64,
    /// Number of paths.
    pub paths: usize,
    /// Paths of a tile, at least 1, in which the caller rounds sums: parts of the ensemble are whole tiles where there is
    /// memory for them, so that sums do not depend on parts.
    pub tile: usize,
    /// Start of the interval.
    pub t0: f64,
    /// Length of a step.
    pub h: f64,
    /// Nodes that are saved, increasing. No step is taken beyond the last of them.
    pub saved: Vec<u32>,
}

impl PathGrid {
    /// Least number of paths that are whole tiles and whole blocks of statistics.
    pub(super) fn whole_tiles(&self) -> usize {
        let tile = self.tile.max(1);
        // The block is a power of two.
        let common = tile.trailing_zeros().min(BLOCK.trailing_zeros());
        tile.saturating_mul(BLOCK >> common)
    }
}

/// Stop of a path.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct StepStop {
    /// Event that stopped it, from 0.
    pub event: usize,
    /// Step in which it stopped.
    pub step: u32,
    /// Share of the step, 0 to 1, after which it stopped.
    pub share: f32,
}

/// The caller's side of a solve, in numbers of the host. An error of any of its functions ends the solve.
pub trait PathObserver<T> {
    /// Error of a solve.
    type Error: From<GpuError>;

    /// Writes the initial values of `lanes` paths from `path` on, counted from the first of the ensemble: a row for
    /// each component.
    ///
    /// # Errors
    /// As the caller says.
    fn start(&mut self, path: usize, lanes: usize, rows: &mut [T]) -> Result<(), Self::Error>;

    /// Takes the states of `lanes` paths from `path` on at the saved node of this index.
    ///
    /// # Errors
    /// As the caller says.
    fn record(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        rows: &[T],
    ) -> Result<(), Self::Error>;

    /// Takes the statistics of `lanes` paths from `path` on at the saved node of this index, in place of their states,
    /// from a solver that computes them.
    ///
    /// # Errors
    /// As the caller says.
    fn summary(
        &mut self,
        time: usize,
        path: usize,
        lanes: usize,
        summary: &PathSummary,
    ) -> Result<(), Self::Error>;

    /// Takes the stops of paths from `path` on, after their last saved node, where
    /// [events](super::PathEquation::stops) stop paths.
    ///
    /// # Errors
    /// As the caller says.
    fn stops(&mut self, path: usize, stops: &[Option<StepStop>]) -> Result<(), Self::Error> {
        let _ = (path, stops);
        Ok(())
    }

    /// Is called between two dispatches with the paths times steps since the last call.
    ///
    /// # Errors
    /// As the caller says.
    fn pause(&mut self, path_steps: u64) -> Result<(), Self::Error>;
}
