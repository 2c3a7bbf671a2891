use super::{LatentFractionalSde, LatentParts};
use crate::buffer_pool::BufferPool;
use crate::checks::same_size;
use crate::kernels::split;
use crate::models::Solving;
use crate::models::field::Field;
use crate::models::readout::read_out;
use crate::models::solving::PathSolve;
use crate::models::system::NeuralSystem;
use crate::{Layer, Pass, Scalar, Shape, TrainingError};
use hpfracc_communicator::Ranks;
use hpfracc_sde::noise::{Brownian, Normals, Purpose, Stream};
use ndarray::{Array2, Array3};

/// Standard normal numbers for the start, by path and latent component, from streams of the seed's
/// Brownian motions after those of the equation.
pub(super) fn normals_of_starts<T: Scalar>(seed: u64, paths: usize, latent: usize) -> Array2<T> {
    let normals = Normals::new(seed);
    Array2::from_shape_fn((paths, latent), |(path, i)| {
        let stream = Stream::new(Purpose::Brownian, (latent + i) as u32);
        stream.map_or(T::zero(), |stream| normals.at(stream, path as u64, 0))
    })
}

impl<L: Shape> LatentFractionalSde<L> {
    /// Decoded paths, by path, node and output of the decoder.
    pub(super) fn decoded<T: Scalar>(
        &self,
        theta: &[T],
        times: &[f64],
        paths: &Array3<T>,
    ) -> Array3<T>
    where
        L: Layer<T>,
    {
        let (decoder, latent) = (&self.parts.decoder, self.latent());
        let (outputs, [_, _, own, ..]) = (decoder.outputs(), split(theta, self.lengths()));
        let decoder = Field::new(decoder, latent, own, Pass::Evaluate);
        read_out((&decoder, latent, outputs), times, paths)
    }

    /// Simulates `paths` paths of the prior, decoded at these nodes of a solve: an array by path,
    /// node and output of the decoder.
    ///
    /// # Errors
    /// [`TrainingError`] for another number of parameters, and for a solve that fails.
    pub fn simulate<T: Scalar>(
        &self,
        theta: &[T],
        (solving, nodes): (&Solving, &[usize]),
        paths: usize,
        seed: u64,
    ) -> Result<Array3<T>, TrainingError>
    where
        L: Layer<T>,
    {
        same_size("the list of parameters", theta.len(), self.parameters())?;
        let (latent, pool) = (self.latent(), BufferPool::default());
        let [_, system, _, _, start] = split(theta, self.lengths());
        let (mean, log_deviation) = start.split_at(latent);
        let mut starts = normals_of_starts(seed, paths, latent);
        for ((_, i), z) in starts.indexed_iter_mut() {
            *z = mean[i] + log_deviation[i].exp() * *z;
        }
        let LatentParts { posterior, prior, diffusion, .. } = &self.parts;
        let own = &system[posterior.parameters()..];
        let system = NeuralSystem::new((prior, diffusion), own, Pass::Evaluate, &pool);
        let orders = self.order_values(theta)?;
        let solve = PathSolve {
            solving,
            starts: starts.view(),
            orders: self.parts.orders.with_memory(&orders),
            noise: &Brownian::new(seed, latent)?,
            nodes,
            ranks: Ranks::ALONE,
        };
        Ok(self.decoded(theta, &solving.times(nodes), &solve.paths(system)?))
    }
}
