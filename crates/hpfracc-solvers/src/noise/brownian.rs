use super::brownian_integrals::BrownianIntegrals;
use super::{
    CellIntegral, Gaussian, Increments, Law, Noise, Normals, Purpose, RowsMut, STEPS, Source,
    Stream, Tile,
};
use crate::SolveError;
use crate::error::out_of_range;

/// Brownian motion with independent components: increments over a step of length h are normal with
/// mean 0 and variance h, independent of each other.
#[derive(Debug, Clone, Copy)]
pub struct Brownian {
    normals: Normals,
    components: u32,
}

impl Brownian {
    /// So many components, 1 to 2^24.
    ///
    /// # Errors
    /// [`SolveError::OutOfRange`] for another number of components.
    pub fn new(seed: u64, components: usize) -> Result<Self, SolveError> {
        match u32::try_from(components) {
            Ok(count @ 1..=MOST) => Ok(Self { normals: Normals::new(seed), components: count }),
            _ => Err(out_of_range("the number of noises", components as f64, "1 to 2^24")),
        }
    }
}

const MOST: u32 = 1 << 24;

impl<T: Gaussian> Noise<T> for Brownian {
    fn components(&self) -> usize {
        self.components as usize
    }

    fn law(&self, _: usize) -> Law {
        Law::Brownian
    }

    fn sources(&self) -> Vec<Source> {
        vec![self.normals.source(Purpose::Brownian)]
    }

    fn increments(
        &self,
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Box<dyn Increments<T> + '_>, SolveError> {
        let components = self.components as usize;
        tile.check(components * STEPS)?;
        let increments = BrownianIncrements {
            normals: self.normals,
            tile,
            scale: T::narrow(tile.h.sqrt()),
            block: None,
            rows: vec![T::zero(); components * STEPS * tile.lanes],
        };
        if integrals.is_empty() {
            return Ok(Box::new(increments));
        }
        let source = (self.normals, components);
        Ok(Box::new(BrownianIntegrals::new(increments, source, tile, integrals)?))
    }
}

/// Increments of the four steps that share a counter.
pub(super) struct BrownianIncrements<T> {
    normals: Normals,
    tile: Tile,
    scale: T,
    block: Option<u32>,
    /// By component, step of the block, and path.
    rows: Vec<T>,
}

impl<T> BrownianIncrements<T> {
    /// The normals of a step of the present block.
    pub(super) fn normals(&self, component: usize, step: usize) -> &[T] {
        &self.rows[(component * STEPS + step) * self.tile.lanes..][..self.tile.lanes]
    }
}

impl<T: Gaussian> Increments<T> for BrownianIncrements<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let Tile { first_path, lanes, .. } = self.tile;
        let block = (step / STEPS) as u32;
        if self.block != Some(block) {
            for (component, rows) in (0..).zip(self.rows.chunks_exact_mut(STEPS * lanes)) {
                if let Some(stream) = Stream::new(Purpose::Brownian, component) {
                    self.normals.fill(stream, block, first_path, rows);
                }
            }
            self.block = Some(block);
        }
        for (component, normals) in self.rows.chunks_exact(STEPS * lanes).enumerate() {
            let normals = &normals[(step % STEPS) * lanes..][..lanes];
            for (increment, z) in rows[component].iter_mut().zip(normals) {
                *increment = self.scale * *z;
            }
        }
    }
}
