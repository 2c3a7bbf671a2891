use super::increments::BrownianIncrements;
use crate::SdeError;
use crate::error::{in_range, out_of_range};
use crate::noise::cell_integral::Factor;
use crate::noise::{CellIntegral, Gaussian, Increments, Normals, Purpose, STEPS, Stream, Tile};
use crate::rows::add_scaled;
use hpfracc_lanes::RowsMut;

/// Increments of Brownian motion and integrals over the steps, in their joint distribution. The
/// increments are the bits that they are without integrals.
pub(super) struct BrownianIntegrals<T> {
    increments: BrownianIncrements<T>,
    normals: Normals,
    tile: Tile,
    block: Option<u32>,
    noises: Vec<OneNoise<T>>,
}

/// A noise with integrals.
struct OneNoise<T> {
    component: usize,
    factor: Factor<T>,
    /// Where the integrals go.
    targets: Vec<usize>,
    streams: Vec<Stream>,
    /// Normals beyond that of the increment, by integral, step of the block, and path.
    rows: Vec<T>,
}

impl<T: Gaussian> BrownianIntegrals<T> {
    pub(super) fn new(
        increments: BrownianIncrements<T>,
        (normals, components): (Normals, usize),
        tile: Tile,
        integrals: &[CellIntegral],
    ) -> Result<Self, SdeError> {
        for integral in integrals {
            integral.check(components)?;
            let (exponent, what) = (integral.exponent, "the exponent of an integral");
            let expected = "above -1/2: below, the integral has no finite variance";
            in_range(exponent > -0.5 && exponent.is_finite(), what, exponent, expected)?;
        }
        let mut noises = Vec::new();
        for component in 0..components {
            let own = || integrals.iter().enumerate().filter(|(_, own)| own.noise == component);
            let kernels: Vec<_> = own().map(|(_, own)| (own.exponent, own.lag)).collect();
            if kernels.is_empty() {
                continue;
            }
            let stream = |i: usize| {
                let number = i.checked_mul(components)?.checked_add(component)?;
                Stream::new(Purpose::CellIntegral, u32::try_from(number).ok()?)
            };
            let streams: Option<Vec<Stream>> = (0..kernels.len()).map(stream).collect();
            let Some(streams) = streams else {
                let what = "the number of integrals over a step";
                return Err(out_of_range(what, kernels.len() as f64, "2^24 for all noises"));
            };
            noises.push(OneNoise {
                component,
                factor: Factor::new(tile.h, &kernels),
                targets: own().map(|(i, _)| components + i).collect(),
                streams,
                rows: vec![T::zero(); kernels.len() * STEPS * tile.lanes],
            });
        }
        Ok(Self { increments, normals, tile, block: None, noises })
    }
}

impl<T: Gaussian> Increments<T> for BrownianIntegrals<T> {
    fn write(&mut self, step: usize, mut rows: RowsMut<'_, T>) {
        let lanes = self.tile.lanes;
        self.increments.write(step, rows.reborrow());
        let (block, step) = ((step / STEPS) as u32, step % STEPS);
        let fresh = self.block != Some(block);
        self.block = Some(block);
        for noise in &mut self.noises {
            if fresh {
                let unknown = noise.streams.iter().zip(&noise.factor.used[1..]);
                let parts = noise.rows.chunks_exact_mut(STEPS * lanes);
                for ((stream, used), rows) in unknown.zip(parts) {
                    if *used {
                        self.normals.fill(*stream, block, self.tile.first_path, rows);
                    }
                }
            }
            let first = self.increments.normals(noise.component, step);
            for (i, target) in (1..).zip(&noise.targets) {
                let sum = &mut rows[*target];
                sum.fill(T::zero());
                noise.factor.each(i, |column, entry| {
                    let normals = match column.checked_sub(1) {
                        None => first,
                        Some(column) => &noise.rows[(column * STEPS + step) * lanes..][..lanes],
                    };
                    add_scaled(sum, entry, normals);
                });
            }
        }
    }
}
