use super::{CellIntegral, NoiseProcess};
use crate::SdeError;
use crate::checks::Range;
use crate::checks::room_for;
use crate::error::{in_range, out_of_range};
use crate::random::{Gaussian, Source};
use hpfracc_lanes::RowsMut;

/// A process Z whose increments drive an equation. A value: the same seed is the same noise.
pub trait Noise<T: Gaussian>: Sync {
    /// Components of Z.
    fn components(&self) -> usize;

    /// The process of a component.
    fn process(&self, component: usize) -> NoiseProcess;

    /// Bytes that a tile stores for each path: 0 for increments that are computed on request.
    fn bytes_per_path(&self, steps: usize) -> usize {
        let _ = steps;
        0
    }

    /// The random numbers that it draws. Two noises with a source in common are not independent; a
    /// noise without sources counts as independent of all others.
    fn sources(&self) -> Vec<Source> {
        Vec::new()
    }

    /// Whether -Z has the distribution of Z: by default, whether the noise is Gaussian.
    fn symmetric(&self) -> bool {
        (0..self.components()).all(|component| self.process(component).is_gaussian())
    }

    /// The increments of a tile of paths over equal steps, and the integrals of a scheme.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] if there is no such noise on these steps; [`SdeError::TooLarge`] if
    /// what it stores exceeds the available memory;
    /// [`SdeError::NoIntegrals`] if it has no such integrals: only Brownian motion has.
    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T>;
}

/// The properties of a noise that are those of another one.
macro_rules! of_inner_noise {
    ($self:ident => $inner:expr) => {
        fn components(&$self) -> usize {
            $inner.components()
        }

        fn process(&$self, component: usize) -> NoiseProcess {
            $inner.process(component)
        }

        fn sources(&$self) -> Vec<Source> {
            $inner.sources()
        }

        fn symmetric(&$self) -> bool {
            $inner.symmetric()
        }
    };
}

pub(super) use of_inner_noise;

impl<T: Gaussian, N: Noise<T> + ?Sized> Noise<T> for &N {
    of_inner_noise!(self => (**self));

    fn bytes_per_path(&self, steps: usize) -> usize {
        (**self).bytes_per_path(steps)
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        (**self).increments(tile, integrals)
    }
}

impl<T: Gaussian, N: Noise<T> + ?Sized> Noise<T> for Box<N> {
    of_inner_noise!(self => (**self));

    fn bytes_per_path(&self, steps: usize) -> usize {
        (**self).bytes_per_path(steps)
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        (**self).increments(tile, integrals)
    }
}

/// Which paths, and which steps: at least one path and one step, steps of a length that is positive
/// and finite. Noises refuse others.
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

/// The increments of a tile, or the reason why there are none.
pub type TileIncrements<'a, T> = Result<Box<dyn Increments<T> + 'a>, SdeError>;

/// The increments of a tile of paths, step by step.
pub trait Increments<T> {
    /// Writes `Z(t_{n+1}) - Z(t_n)`, a row for each component, and a row for each integral. Steps,
    /// all below the number of the tile's, may be requested in any order and repeatedly; one after
    /// the other, forward or backward, is cheapest.
    fn write(&mut self, step: usize, rows: RowsMut<'_, T>);
}

impl Tile {
    /// Checks the ranges of a tile that stores `kept_per_path` numbers for each path.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`]; [`SdeError::TooLarge`].
    pub(super) fn check(&self, kept_per_path: usize) -> Result<(), SdeError> {
        let Self { first_path, lanes, steps, h } = *self;
        in_range(lanes > 0, "the number of paths", 0.0, "at least 1")?;
        if first_path.checked_add(lanes as u64).is_none_or(|next| next == u64::MAX) {
            let expected = "with the paths after it below 2^64 - 1";
            return Err(out_of_range("the first path", first_path as f64, expected));
        }
        check_steps(steps)?;
        Range::POSITIVE.check("the length of a step", h)?;
        // Numbers have eight bytes at the most; they are transposed, so that they are there twice.
        room_for("the noise of a tile of paths", &[kept_per_path, lanes, 16])
    }
}

/// Refuses no steps, and more than a counter has.
pub(crate) fn check_steps(steps: usize) -> Result<(), SdeError> {
    let holds = (1..=u32::MAX as usize).contains(&steps);
    in_range(holds, "the number of steps", steps as f64, "1 to 2^32 - 1")
}

/// Refuses no components, and more than there are streams for; `expected` is the range in words.
pub(super) fn check_components(
    count: usize,
    (most, expected): (usize, &'static str),
) -> Result<(), SdeError> {
    in_range((1..=most).contains(&count), "the number of noises", count as f64, expected)
}

/// Most components of a noise with a stream for each, with one for each of several integrals or
/// series, and with one for each jump.
pub(super) const MOST: (usize, &str) = (1 << 24, "1 to 2^24");
pub(super) const MOST_SERIES: (usize, &str) = (1 << 20, "1 to 2^20");
pub(super) const MOST_JUMPS: (usize, &str) = (1 << 13, "1 to 2^13");

/// Refuses integrals, for noises without any.
pub(crate) fn without_integrals(
    noise: &'static str,
    integrals: &[CellIntegral],
) -> Result<(), SdeError> {
    if integrals.is_empty() { Ok(()) } else { Err(SdeError::NoIntegrals { noise }) }
}
