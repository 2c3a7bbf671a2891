use super::brownian_integrals::BrownianIntegrals;
use super::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Normals, Purpose, STEPS, Source,
    Stream, Tile,
};
use crate::SdeError;
use crate::error::out_of_range;
use hpfracc_lanes::RowsMut;

/// Brownian motion with independent components: increments are normal and independent of each other.
///
#[doc = formula!("brownian", r"\mathbb{E} \, dW = 0, \quad \mathbb{E} \, dW^2 = h \text{ over a step of length } h")]
///
/// Cost: one normal a step, and one for each integral within the step. Nothing is stored.
///
/// Source: Wiener, J. Math. Phys. 2 (1923) 131, DOI 10.1002/sapm192321131.
///
/// ```
/// use hpfracc_sde::noise::{Brownian, Noise, Tile};
/// use hpfracc_sde::RowsMut;
///
/// // 1000 paths of W side by side, to W(1)
/// let noise = Brownian::new(7, 1)?;
/// let tile = Tile { first_path: 0, lanes: 1000, steps: 4, h: 0.25 };
/// let mut increments = Noise::<f64>::increments(&noise, tile, &[])?;
/// let (mut z, mut dz) = (vec![0.0; 1000], vec![0.0; 1000]);
/// for step in 0..4 {
///     increments.write(step, RowsMut::new(&mut dz, 1000));
///     z.iter_mut().zip(&dz).for_each(|(z, dz)| *z += dz);
/// }
/// let variance = z.iter().map(|z| z * z).sum::<f64>() / 1000.0;
/// assert!((variance - 1.0).abs() < 0.2);
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Brownian {
    normals: Normals,
    components: u32,
}

impl Brownian {
    /// So many components, 1 to 2^24.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for another number of components.
    pub fn new(seed: u64, components: usize) -> Result<Self, SdeError> {
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

    fn process(&self, _: usize) -> NoiseProcess {
        NoiseProcess::Brownian
    }

    fn sources(&self) -> Vec<Source> {
        vec![self.normals.source(Purpose::Brownian)]
    }

    fn increments(
        &self,
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Box<dyn Increments<T> + '_>, SdeError> {
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
