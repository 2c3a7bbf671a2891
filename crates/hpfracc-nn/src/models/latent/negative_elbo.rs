use super::decoded::normals_of_starts;
use super::system::LatentSystem;
use super::{LatentFractionalSde, LatentParts};
use crate::checks::{in_range, not_negative};
use crate::error::finite_loss;
use crate::kernels::{split, split_mut};
use crate::layers::Network;
use crate::models::blocks::narrow;
use crate::models::checks::{admit, culprit, not_finite, rows};
use crate::models::encoding::{Encoding, take_series};
use crate::models::field::Field;
use crate::models::path_fit::PathFit;
use crate::models::solving::{FurtherGradients, PathSolve};
use crate::models::system::NeuralSystem;
use crate::models::window_loss::WindowLoss;
use crate::models::{ModelError, Solving, Windows};
use crate::{
    Batch, Cotangent, Layer, Loss, LossResult, Objective, ParameterBlock, Pass, Scalar,
    TrainingError, gaussian_kl,
};
use hpfracc_lanes::{Rows, Storage};
use hpfracc_sde::noise::Brownian;
use ndarray::{Array2, Array3};
use std::ops::Range;

/// Objective that fits a [`LatentFractionalSde`] to [`Windows`] by the negative ELBO.
///
/// The loss of a sample is the sum over its observed values plus the weight w times the
/// divergences, a mean over paths of the posterior: for w = 1 the negative ELBO per sequence. The
/// starts of windows are not used.
///
/// The noise of a batch has the seed `draw`. The result is the same to the bit on any number of
/// threads and ranks. Stochastic layers of encoder and decoder draw for the position of a sample or
/// path in its batch, those of drifts and diffusion as in [`SdeFit`](crate::models::SdeFit).
///
/// Ranks of a batch share its samples and paths, in tiles of 64. Each sends at most 32 bytes for
/// each parameter of drifts and diffusion and 16 for each of encoder and decoder; and rank 0
/// gathers the encoder's outputs and the gradients with respect to the initial values of all paths,
/// and sends both to all. For each 4096 paths of a batch, the gradient of the decoder passes
/// through the ranks once more.
#[derive(Debug)]
pub struct LatentFit<T: Scalar, L = Network> {
    model: LatentFractionalSde<L>,
    loss: Loss,
    kl_weight: f64,
    fit: PathFit<T>,
}

impl<T: Scalar, L: Layer<T>> LatentFit<T, L> {
    /// An objective with `paths` paths for each sample, w = 1 and this loss of a value: usually
    /// [`Loss::GaussianLikelihood`], for which the outputs of the decoder are means and then
    /// logarithms of standard deviations, or [`Loss::CrossEntropy`].
    ///
    /// # Errors
    /// [`ModelError`] for a decoder or an encoder that does not match the windows, nodes after the
    /// last step, and numbers outside their ranges.
    pub fn new(
        model: LatentFractionalSde<L>,
        solving: Solving,
        windows: Windows<T>,
        loss: Loss,
        paths: usize,
    ) -> Result<Self, ModelError> {
        let components = windows.components();
        let values = windows.nodes().len() * components;
        let parts = &model.parts;
        rows("the inputs of the encoder", parts.encoder.inputs(), &[values, 2 * values])?;
        let predictions = loss.predictions(components);
        rows("the outputs of the decoder", parts.decoder.outputs(), &[predictions])?;
        in_range(paths > 0, "the number of paths of each sample", paths, "at least 1")?;
        loss.check()?;
        windows.check(loss)?;
        let fit = PathFit::new(solving, windows, paths)?;
        Ok(Self { model, loss, kl_weight: 1.0, fit })
    }

    /// Sets the weight w of the divergences, at least 0 (KL annealing begins with a small one).
    ///
    /// # Errors
    /// [`ModelError::OutOfRange`] if it is negative or not finite.
    pub fn set_kl_weight(&mut self, kl_weight: f64) -> Result<(), ModelError> {
        not_negative("the weight of the divergence", kl_weight)?;
        self.kl_weight = kl_weight;
        Ok(())
    }

    /// The model.
    pub fn model(&self) -> &LatentFractionalSde<L> {
        &self.model
    }

    /// Initial values of the paths of the batch, by path and component.
    fn starts(&self, encoding: &Encoding<'_, T, L>, batch: Batch<'_>) -> Array2<T> {
        let (latent, context) = (self.model.latent(), self.model.context());
        let paths = batch.samples.len() * self.fit.paths;
        let drawn = normals_of_starts::<T>(batch.draw, paths, latent);
        Array2::from_shape_fn((paths, latent + context + 1), |(path, i)| {
            let of = encoding.of(path / self.fit.paths);
            match i {
                i if i < latent => of(i) + of(latent + i).exp() * drawn[[path, i]],
                i if i < latent + context => of(latent + i),
                _ => T::zero(),
            }
        })
    }

    /// The divergence of the distributions of the start, a mean over the batch, with its gradients
    /// with respect to means and logarithms of standard deviations: of the posterior by sample, and
    /// of the prior.
    fn start_divergence(
        &self,
        theta: &[T],
        encoding: &Encoding<'_, T, L>,
        samples: usize,
    ) -> Result<(f64, Vec<T>, Vec<f64>), TrainingError> {
        let count = 2 * self.model.latent();
        let [.., prior] = split(theta, self.model.lengths());
        let spread = prior.iter().flat_map(|p| std::iter::repeat_n(*p, samples));
        let (q, p): (Vec<T>, Vec<T>) = (
            (0..count * samples).map(|at| encoding.of(at % samples)(at / samples)).collect(),
            spread.collect(),
        );
        let (mut losses, mut of_q) = (vec![T::zero(); samples], vec![T::zero(); q.len()]);
        let mut of_p = of_q.clone();
        gaussian_kl(
            Rows::new(&q, samples),
            Some(Rows::new(&p, samples)),
            &mut losses,
            Some(Cotangent::new(T::one(), &mut of_q, samples)),
            Some(Cotangent::new(T::one(), &mut of_p, samples)),
        )?;
        let mean = |row: &[T]| row.iter().map(|x| x.widen()).sum::<f64>() / samples as f64;
        let of_prior = of_p.chunks_exact(samples).map(mean).collect();
        Ok((mean(&losses), of_q, of_prior))
    }

    fn system<'a>(&'a self, theta: &'a [T], pass: Pass) -> LatentSystem<'a, T, L> {
        let LatentParts { posterior, prior, diffusion, .. } = &self.model.parts;
        let (components, context) = (self.model.latent(), self.model.context());
        let [_, system, ..] = split(theta, self.model.lengths());
        let (own, rest) = system.split_at(posterior.parameters());
        let posterior = Field::new(posterior, components + context, own, pass);
        let prior = NeuralSystem::new((prior, diffusion), rest, pass, &self.fit.pool);
        LatentSystem { context, posterior, prior }
    }

    fn losses<'a>(&'a self, theta: &'a [T], batch: Batch<'a>, pass: Pass) -> WindowLoss<'a, T, L> {
        let (latent, context) = (self.model.latent(), self.model.context());
        let [_, _, own, ..] = split(theta, self.model.lengths());
        let decoder = Field::new(&self.model.parts.decoder, latent, own, pass);
        WindowLoss {
            sums: true,
            added: Some((latent + context, self.kl_weight)),
            ..self.fit.window_loss(batch, self.loss, &[], Some(decoder))
        }
    }

    /// Decoded paths of the posterior of each sample of a batch, the paths of the first sample
    /// first: an array by path, node of the windows, and output of the decoder. Collective over the
    /// ranks of the batch.
    ///
    /// # Errors
    /// [`TrainingError`] for another number of parameters, samples that do not exist, and a solve
    /// that fails.
    pub fn reconstruct(&self, theta: &[T], batch: Batch<'_>) -> Result<Array3<T>, TrainingError> {
        admit(self, theta, batch, None)?;
        let paths = self
            .solved(theta, batch, Pass::Evaluate, |_, solve, system, _| Ok(solve.paths(system)?))?;
        Ok(self.model.decoded(theta, &self.fit.times(), &paths))
    }

    /// Runs `then` with the encoded time series of a batch, the solve of the posterior, its system
    /// and initial values.
    fn solved<R>(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        pass: Pass,
        then: impl FnOnce(
            &Encoding<'_, T, L>,
            PathSolve<'_, T>,
            LatentSystem<'_, T, L>,
            &Array2<T>,
        ) -> Result<R, TrainingError>,
    ) -> Result<R, TrainingError> {
        let encoding = self.encoding(theta, batch, (pass, self.fit.solving.storage))?;
        let starts = self.starts(&encoding, batch);
        // The orders of context and divergence are 1.
        let mut orders = self.model.order_values(theta)?;
        orders.resize(orders.len() + self.model.context() + 1, 1.0);
        let orders = self.model.parts.orders.with_memory(&orders);
        let noise = Brownian::new(batch.draw, self.model.latent())?;
        let solve = self.fit.solve(&starts, orders, (&noise, batch.ranks));
        then(&encoding, solve, self.system(theta, pass), &starts)
    }

    fn encoding<'a>(
        &'a self,
        theta: &'a [T],
        batch: Batch<'a>,
        (pass, storage): (Pass, Storage),
    ) -> Result<Encoding<'a, T, L>, TrainingError> {
        let [own, ..] = split(theta, self.model.lengths());
        let encoder = (&self.model.parts.encoder, own, pass);
        let take = |samples: &[usize], x: &mut [T]| take_series(&self.fit.windows, samples, x);
        Encoding::new(encoder, (batch.samples, batch.ranks), storage, &take)
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for LatentFit<T, L> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.model.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.model.parameters()
    }

    fn orders(&self) -> Range<usize> {
        let [encoder, system, decoder, orders, _] = self.model.lengths();
        let first = encoder + system + decoder;
        first..first + orders
    }

    fn samples(&self) -> usize {
        self.fit.windows.samples()
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        admit(self, theta, batch, thetabar.as_deref())?;
        let pass = batch.pass(thetabar.is_some());
        self.solved(theta, batch, pass, |encoding, solve, system, starts| {
            let window_loss = self.losses(theta, batch, pass);
            let (samples, paths) = (batch.samples.len(), starts.nrows());
            let (at_start, of_q, of_prior) = self.start_divergence(theta, encoding, samples)?;
            let Some(thetabar) = thetabar else {
                let mean = window_loss.mean(self.fit.times(), &solve.paths(system)?)?;
                return finite_loss(mean + self.kl_weight * at_start);
            };
            let of = &self.model.parts.orders;
            let further = FurtherGradients { orders: of.learned(), starts: true };
            let found = solve.gradient(system, &window_loss, further, &self.fit.workspace)?;
            // Each path has a start, and numbers drawn for it, of its own.
            let startbar = found.starts.unwrap_or_else(|| Array2::zeros(starts.raw_dim()));
            let (latent, by_paths) = (self.model.latent(), 1.0 / paths as f64);
            let by_samples = self.kl_weight * batch.scale / samples as f64;
            let bar = |sample: usize, row: usize| {
                let of_path = |path: usize| match row {
                    row if row < latent => startbar[[path, row]],
                    row if row < 2 * latent => {
                        let i = row - latent;
                        startbar[[path, i]] * (starts[[path, i]] - encoding.of(sample)(i))
                    }
                    row => startbar[[path, row - latent]],
                };
                let own = sample * self.fit.paths..(sample + 1) * self.fit.paths;
                let sum = own.map(|path| of_path(path).widen()).sum::<f64>();
                let divergence = of_q.get(row * samples + sample).map_or(0.0, |bar| bar.widen());
                T::narrow(by_paths * sum + by_samples * divergence)
            };
            let lengths = self.model.lengths();
            let [.., raw, _] = split(theta, lengths);
            let [encoderbar, systembar, decoderbar, rawbar, startsbar] =
                split_mut(thetabar, lengths);
            narrow(&encoding.vjp(&bar)?, encoderbar);
            narrow(&found.parameters.values, systembar);
            narrow(&window_loss.total(by_paths)?, decoderbar);
            let of_components = found.orders.values.get(..latent).unwrap_or_default();
            of.pull_back(raw, of_components, rawbar);
            let of_prior = of_prior.iter().map(|bar| self.kl_weight * batch.scale * bar);
            narrow(&of_prior.collect::<Vec<f64>>(), startsbar);
            finite_loss(found.loss.values[0] + self.kl_weight * at_start)
        })
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        not_finite(self.blocks(), theta).or_else(|| {
            let batch = batch.alone();
            admit(self, theta, batch, None).ok()?;
            let encoding = self.encoding(theta, batch, (pass, Storage::Full)).ok()?;
            if let Some(layer) = encoding.culprit() {
                return Some(format!("encoder.{layer}"));
            }
            let LatentSystem { posterior, prior, .. } = self.system(theta, pass);
            let window_loss = self.losses(theta, batch, pass);
            let networks = [
                ("posterior", Some(&posterior)),
                ("prior", prior.drift.network()),
                ("diffusion", prior.diffusion.network()),
                ("decoder", window_loss.readout.as_ref()),
            ];
            culprit(networks, self.starts(&encoding, batch).view())
        })
    }
}
