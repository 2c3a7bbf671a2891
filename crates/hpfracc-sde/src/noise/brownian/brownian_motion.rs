use super::increments::BrownianIncrements;
use super::integrals::BrownianIntegrals;
use crate::SdeError;
use crate::noise::increments::{MOST, check_components};
use crate::noise::{
    CellIntegral, Gaussian, Noise, NoiseProcess, Normals, Purpose, STEPS, Source, Tile,
    TileIncrements,
};

/// Brownian motion with independent components: increments are normal and independent of each
/// other.
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
    /// With `components` independent components, 1 to 2^24.
    ///
    /// # Errors
    /// [`SdeError::OutOfRange`] for another number of components.
    pub fn new(seed: u64, components: usize) -> Result<Self, SdeError> {
        check_components(components, MOST)?;
        Ok(Self { normals: Normals::new(seed), components: components as u32 })
    }
}

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

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        let components = self.components as usize;
        tile.check(components * STEPS)?;
        let increments = BrownianIncrements::new(self.normals, components, tile);
        if integrals.is_empty() {
            return Ok(Box::new(increments));
        }
        let source = (self.normals, components);
        Ok(Box::new(BrownianIntegrals::new(increments, source, tile, integrals)?))
    }
}
