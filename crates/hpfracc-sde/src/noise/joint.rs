use super::{
    CellIntegral, Gaussian, Increments, Noise, NoiseProcess, Source, Tile, TileIncrements,
};
use crate::SdeError;
use hpfracc_lanes::RowsMut;

/// The components of several noises, one noise after the other: Brownian motion and jumps, say.
///
/// Noises of different kinds are independent, and so are those of one kind with different seeds.
/// Two of one kind with one seed would be the same noise twice, and are refused.
///
/// ```
/// use hpfracc_sde::noise::{Brownian, BrownianTree, Joint, Noise};
///
/// let noise = Joint::<f32>::new(Brownian::new(7, 2)?).with(Brownian::new(8, 1)?)?;
/// assert_eq!(noise.components(), 3);
/// assert!(noise.with(Brownian::new(7, 1)?).is_err());
/// # Ok::<(), hpfracc_sde::SdeError>(())
/// ```
pub struct Joint<'a, T> {
    parts: Vec<Box<dyn Noise<T> + 'a>>,
    /// The part that each component belongs to, and its number there.
    places: Vec<(usize, usize)>,
}

impl<T> std::fmt::Debug for Joint<'_, T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Joint").field("parts", &self.parts.len()).finish()
    }
}

impl<'a, T: Gaussian> Joint<'a, T> {
    /// The components of one noise.
    pub fn new(noise: impl Noise<T> + 'a) -> Self {
        let places = (0..noise.components()).map(|component| (0, component)).collect();
        Self { parts: vec![Box::new(noise)], places }
    }

    /// And after them the components of another.
    ///
    /// # Errors
    /// [`SdeError::SeedUsedTwice`] if it draws the random numbers of one that is there already.
    pub fn with(mut self, noise: impl Noise<T> + 'a) -> Result<Self, SdeError> {
        let known = self.sources();
        if let Some(twice) = noise.sources().into_iter().find(|source| known.contains(source)) {
            return Err(SdeError::SeedUsedTwice { seed: twice.seed, purpose: twice.purpose });
        }
        let part = self.parts.len();
        self.places.extend((0..noise.components()).map(|component| (part, component)));
        self.parts.push(Box::new(noise));
        Ok(self)
    }
}

impl<T: Gaussian> Noise<T> for Joint<'_, T> {
    fn components(&self) -> usize {
        self.places.len()
    }

    fn process(&self, component: usize) -> NoiseProcess {
        // A component that does not exist has the process of the first one.
        let (part, component) = self.places.get(component).copied().unwrap_or_default();
        self.parts[part].process(component)
    }

    fn bytes_per_path(&self, steps: usize) -> usize {
        self.parts.iter().map(|part| part.bytes_per_path(steps)).sum()
    }

    fn symmetric(&self) -> bool {
        self.parts.iter().all(|part| part.symmetric())
    }

    fn sources(&self) -> Vec<Source> {
        self.parts.iter().flat_map(|part| part.sources()).collect()
    }

    fn increments(&self, tile: Tile, integrals: &[CellIntegral]) -> TileIncrements<'_, T> {
        let mut asked: Vec<Vec<CellIntegral>> = vec![Vec::new(); self.parts.len()];
        let mut targets: Vec<Vec<usize>> = vec![Vec::new(); self.parts.len()];
        for (row, (part, _)) in self.places.iter().enumerate() {
            targets[*part].push(row);
        }
        for (row, integral) in (self.places.len()..).zip(integrals) {
            integral.check(self.places.len())?;
            let (part, noise) = self.places[integral.noise];
            asked[part].push(CellIntegral { noise, ..*integral });
            targets[part].push(row);
        }
        let parts = self.parts.iter().zip(&asked).zip(targets);
        let parts = parts.map(|((part, asked), targets)| {
            let rows = vec![T::zero(); targets.len() * tile.lanes];
            Ok(Part { increments: part.increments(tile, asked)?, targets, rows })
        });
        Ok(Box::new(parts.collect::<Result<Vec<_>, SdeError>>()?))
    }
}

/// One of the noises, and where its rows go.
struct Part<'a, T> {
    increments: Box<dyn Increments<T> + 'a>,
    targets: Vec<usize>,
    rows: Vec<T>,
}

impl<T: Gaussian> Increments<T> for Vec<Part<'_, T>> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let lanes = rows.lanes();
        for Part { increments, targets, rows: own } in self {
            increments.write(step, RowsMut::new(own, lanes));
            for (target, row) in targets.iter().zip(own.chunks_exact(lanes)) {
                rows[*target].copy_from_slice(row);
            }
        }
    }
}
