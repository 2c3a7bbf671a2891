//! The parts of a [`NeuralCde`] that a fit and a prediction share.

use super::control::Driving;
use super::diffusion::Coefficient;
use super::encoding::Encoding;
use super::field::Field;
use super::readout::read_out;
use super::solving::PathSolve;
use super::system::NeuralSystem;
use super::{Controls, NeuralCde, Solving};
use crate::buffer_pool::BufferPool;
use crate::checks::same_size;
use crate::kernels::split;
use crate::{Layer, Pass, Scalar, Shape, TrainingError};
use hpfracc_communicator::Ranks;
use hpfracc_lanes::Storage;
use hpfracc_sde::NoiseKind;
use ndarray::{Array2, Array3};

impl<L: Shape> NeuralCde<L> {
    /// Encodes the initial values of the controls of some samples. Collective.
    pub(super) fn encoding<'a, T: Scalar>(
        &'a self,
        theta: &'a [T],
        (controls, samples, ranks): (&Controls<T>, &[usize], Ranks<'a>),
        (pass, storage): (Pass, Storage),
    ) -> Result<Encoding<'a, T, L>, TrainingError>
    where
        L: Layer<T>,
    {
        let [own, ..] = split(theta, self.lengths());
        let take = |samples: &[usize], x: &mut [T]| {
            for (channel, row) in x.chunks_exact_mut(samples.len()).enumerate() {
                let pairs = row.iter_mut().zip(samples);
                pairs.for_each(|(x, sample)| *x = controls.at_start(*sample, channel));
            }
        };
        Encoding::new((&self.parts.encoder, own, pass), (samples, ranks), storage, &take)
    }

    /// Initial values of `samples` encoded samples.
    pub(super) fn starts<T: Scalar>(
        &self,
        encoding: &Encoding<'_, T, L>,
        samples: usize,
    ) -> Array2<T>
    where
        L: Layer<T>,
    {
        Array2::from_shape_fn((samples, self.dim()), |(sample, i)| encoding.of(sample)(i))
    }

    /// The system `dz = F(z) dX`, with the control as the noise.
    pub(super) fn system<'a, T: Scalar>(
        &'a self,
        theta: &'a [T],
        pass: Pass,
        pool: &'a BufferPool<T>,
    ) -> NeuralSystem<'a, T, L>
    where
        L: Layer<T>,
    {
        let [_, own, ..] = split(theta, self.lengths());
        let field = Field::new(&self.parts.field, self.dim(), own, pass);
        NeuralSystem {
            dim: self.dim(),
            noise_kind: NoiseKind::General { noises: self.channels() },
            drift: Coefficient::None,
            diffusion: Coefficient::Network(field, None),
            pool,
        }
    }

    /// The readout of z.
    pub(super) fn readout<'a, T: Scalar>(&'a self, theta: &'a [T], pass: Pass) -> Field<'a, T, L>
    where
        L: Layer<T>,
    {
        let [_, _, own, _] = split(theta, self.lengths());
        Field::new(&self.parts.readout, self.dim(), own, pass)
    }

    /// Responses to controls at these nodes of a solve: an array by sample, node and output of the
    /// readout.
    ///
    /// # Errors
    /// [`TrainingError`] for sizes that do not match, and for a solve that fails.
    pub fn respond<T: Scalar>(
        &self,
        theta: &[T],
        controls: &Controls<T>,
        (solving, nodes): (&Solving, &[usize]),
    ) -> Result<Array3<T>, TrainingError>
    where
        L: Layer<T>,
    {
        let orders = self.order_values(theta)?;
        same_size("the channels of the controls", controls.channels(), self.channels())?;
        same_size("the steps of the controls", controls.steps(), solving.steps)?;
        let samples: Vec<usize> = (0..controls.samples()).collect();
        let (pool, ranks) = (BufferPool::default(), Ranks::ALONE);
        let encoding =
            self.encoding(theta, (controls, &samples, ranks), (Pass::Evaluate, Storage::Full))?;
        let starts = self.starts(&encoding, samples.len());
        let noise = Driving { controls, samples: &samples };
        let solve = PathSolve {
            solving,
            starts: starts.view(),
            orders: self.parts.orders.with_memory(&orders),
            noise: &noise,
            nodes,
            ranks,
        };
        let paths = solve.paths(self.system(theta, Pass::Evaluate, &pool))?;
        let readout = self.readout(theta, Pass::Evaluate);
        let sizes = (&readout, self.dim(), self.parts.readout.outputs());
        Ok(read_out(sizes, &solving.times(nodes), &paths))
    }
}
