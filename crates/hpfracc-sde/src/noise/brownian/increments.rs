use crate::noise::{Gaussian, Increments, Normals, Purpose, STEPS, Stream, Tile};
use hpfracc_lanes::RowsMut;

/// Increments of the four steps that share a counter.
pub(super) struct BrownianIncrements<T> {
    normals: Normals,
    tile: Tile,
    scale: T,
    block: Option<u32>,
    /// By component, step of the block, and path.
    rows: Vec<T>,
}

impl<T: Gaussian> BrownianIncrements<T> {
    pub(super) fn new(normals: Normals, components: usize, tile: Tile) -> Self {
        let (scale, numbers) = (T::narrow(tile.h.sqrt()), components * STEPS * tile.lanes);
        Self { normals, tile, scale, block: None, rows: vec![T::zero(); numbers] }
    }

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
