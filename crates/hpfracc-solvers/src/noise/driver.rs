use super::{Gaussian, RowsMut};
use crate::SolveError;

/// A process Z whose increments drive an equation. A value: the same seed is the same noise.
pub trait Noise<T: Gaussian>: Sync {
    /// Components of Z.
    fn components(&self) -> usize;

    /// What a tile holds of each path, in bytes: nothing for increments that are made when they are
    /// asked for.
    fn bytes_per_path(&self, steps: usize) -> usize {
        let _ = steps;
        0
    }

    /// The increments of a tile of paths over equal steps.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`] if there is no such noise on these steps.
    fn increments(&self, tile: Tile) -> Result<Box<dyn Increments<T> + '_>, SolveError>;
}

/// Which paths, and which steps.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Tile {
    /// The first path; the others follow.
    pub first_path: u64,
    /// Number of paths.
    pub lanes: usize,
    /// Number of steps.
    pub steps: usize,
    /// Length of a step.
    pub h: f64,
}

/// The increments of a tile of paths, step by step.
pub trait Increments<T> {
    /// Writes `Z(t_{n+1}) - Z(t_n)`, a row for each component. Steps may be asked for in any order and
    /// again; one after the other, forward or backward, is cheapest.
    fn write(&mut self, step: usize, rows: RowsMut<'_, T>);
}
