use super::{CellIntegral, Gaussian, Law, Purpose, RowsMut};
use crate::SolveError;

/// A process Z whose increments drive an equation. A value: the same seed is the same noise.
pub trait Noise<T: Gaussian>: Sync {
    /// Components of Z.
    fn components(&self) -> usize;

    /// What a component is.
    fn law(&self, component: usize) -> Law;

    /// What a tile holds of each path, in bytes: nothing for increments that are made when they are
    /// asked for.
    fn bytes_per_path(&self, steps: usize) -> usize {
        let _ = steps;
        0
    }

    /// The random numbers that it draws. Two noises with a source in common are not independent; a noise
    /// that names none is taken to be independent of all.
    fn sources(&self) -> Vec<Source> {
        Vec::new()
    }

    /// Whether -Z has the law of Z. Unless a noise says otherwise, Gaussian ones have.
    fn symmetric(&self) -> bool {
        (0..self.components()).all(|component| self.law(component).is_gaussian())
    }

    /// The increments of a tile of paths over equal steps, and what a scheme asks for besides.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`] if there is no such noise on these steps;
    /// [`SolveError::NoIntegrals`] if it has no such integrals: only Brownian motion has.
    fn increments(
        &self,
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Box<dyn Increments<T> + '_>, SolveError>;
}

/// Random numbers of one kind of one seed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Source {
    /// The seed.
    pub seed: u64,
    /// What they are for.
    pub purpose: Purpose,
}

impl<T: Gaussian, N: Noise<T> + ?Sized> Noise<T> for &N {
    fn components(&self) -> usize {
        (**self).components()
    }

    fn law(&self, component: usize) -> Law {
        (**self).law(component)
    }

    fn bytes_per_path(&self, steps: usize) -> usize {
        (**self).bytes_per_path(steps)
    }

    fn sources(&self) -> Vec<Source> {
        (**self).sources()
    }

    fn symmetric(&self) -> bool {
        (**self).symmetric()
    }

    fn increments(
        &self,
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Box<dyn Increments<T> + '_>, SolveError> {
        (**self).increments(tile, integrals)
    }
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
    /// Writes `Z(t_{n+1}) - Z(t_n)`, a row for each component, and a row for each integral. Steps may be asked for in any order and
    /// again; one after the other, forward or backward, is cheapest.
    fn write(&mut self, step: usize, rows: RowsMut<'_, T>);
}

/// Refuses integrals, for noises that have none.
pub(crate) fn without_integrals(
    noise: &'static str,
    integrals: &[CellIntegral],
) -> Result<(), SolveError> {
    if integrals.is_empty() { Ok(()) } else { Err(SolveError::NoIntegrals { noise }) }
}
