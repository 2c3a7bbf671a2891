use super::LatentFractionalSde;
use super::decoded::normals_of_starts;
use crate::buffer_pool::BufferPool;
use crate::layers::Network;
use crate::models::blocks::narrow;
use crate::models::checks::{admit, culprit, finite, in_range, length, not_finite, rows};
use crate::models::encoding::{Encoding, take_series};
use crate::models::field::Field;
use crate::models::solving::{FurtherGradients, PathSolve};
use crate::models::window_loss::{Shares, WindowLoss};
use crate::models::{ModelError, Solving, Windows};
use crate::{
    Batch, Cotangent, Evaluation, Layer, Loss, Objective, ParameterBlock, Pass, Scalar,
    TrainingError, gaussian_kl,
};
use hpfracc_lanes::Rows;
use hpfracc_sde::GradientWorkspace;
use hpfracc_sde::noise::Brownian;
use ndarray::{Array2, Array3};

/// Objective that fits a [`LatentFractionalSde`] to [`Windows`] by the negative ELBO.
///
/// The loss of a sample is the sum over its observed values plus the weight w times the
/// divergences, a mean over paths of the posterior: for w = 1 the negative ELBO per sequence. The
/// starts of windows are not used.
///
/// The noise of a batch has the seed `draw`. The result is the same to the bit on any number of
/// threads. Stochastic layers of encoder and decoder draw for the position of a sample or path in
/// its batch, those of drifts and diffusion as in [`SdeFit`](crate::models::SdeFit).
#[derive(Debug)]
pub struct LatentFit<T: Scalar, L = Network> {
    model: LatentFractionalSde<L>,
    solving: Solving,
    windows: Windows<T>,
    loss: Loss,
    paths: usize,
    kl_weight: f64,
    pool: BufferPool<T>,
    workspace: GradientWorkspace<T>,
}

impl<T: Scalar, L: Layer<T>> LatentFit<T, L> {
    /// An objective with `paths` paths for each sample, w = 1 and this loss of a value: usually
    /// [`Loss::GaussianLikelihood`], for which the outputs of the decoder are means and then logarithms of
    /// standard deviations, or [`Loss::CrossEntropy`].
    ///
    /// # Errors
    /// [`ModelError`] for a decoder or an encoder that does not match the windows, nodes after the last step, and
    /// numbers outside their ranges.
    pub fn new(
        model: LatentFractionalSde<L>,
        solving: Solving,
        windows: Windows<T>,
        loss: Loss,
        paths: usize,
    ) -> Result<Self, ModelError> {
        let components = windows.components();
        let values = windows.nodes().len() * components;
        let parts = model.parts();
        rows("the inputs of the encoder", parts.encoder.inputs(), &[values, 2 * values])?;
        let predictions = loss.predictions(components);
        rows("the outputs of the decoder", parts.decoder.outputs(), &[predictions])?;
        in_range(paths > 0, "the number of paths of each sample", paths as f64, "at least 1")?;
        loss.check()?;
        windows.check(loss)?;
        solving.check(windows.nodes())?;
        Ok(Self {
            model,
            solving,
            windows,
            loss,
            paths,
            kl_weight: 1.0,
            pool: BufferPool::new(),
            workspace: GradientWorkspace::new(),
        })
    }

    /// Sets the weight w of the divergences, at least 0 (KL annealing begins with a small one).
    ///
    /// # Errors
    /// [`ModelError::OutOfRange`] if it is negative or not finite.
    pub fn set_kl_weight(&mut self, kl_weight: f64) -> Result<(), ModelError> {
        let holds = kl_weight >= 0.0 && kl_weight.is_finite();
        in_range(holds, "the weight of the divergence", kl_weight, "at least 0 and finite")?;
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
        let paths = batch.samples.len() * self.paths;
        let drawn = normals_of_starts::<T>(batch.draw, paths, latent);
        Array2::from_shape_fn((paths, latent + context + 1), |(path, i)| {
            let of = encoding.of(path / self.paths);
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
        let prior = &theta[self.model.places().start];
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

    fn window_loss<'a>(
        &'a self,
        theta: &'a [T],
        batch: Batch<'a>,
        pass: Pass,
    ) -> WindowLoss<'a, T, L> {
        let (latent, context) = (self.model.latent(), self.model.context());
        let decoder = &theta[self.model.places().decoder];
        WindowLoss {
            windows: &self.windows,
            samples: batch.samples,
            paths: self.paths,
            loss: self.loss,
            log_deviations: &[],
            readout: Some(Field::new(&self.model.parts().decoder, latent, decoder, pass)),
            pool: &self.pool,
            sums: true,
            added: Some((latent + context, self.kl_weight)),
            scale: batch.scale,
            shares: Shares::default(),
        }
    }

    /// Orders of all components; those of context and divergence are 1.
    fn orders(&self, theta: &[T]) -> Vec<f64> {
        let mut orders = self.model.order_values(theta);
        orders.resize(orders.len() + self.model.context() + 1, 1.0);
        orders
    }

    fn solve<'a>(
        &'a self,
        starts: &'a Array2<T>,
        orders: &'a [f64],
        noise: &'a Brownian,
    ) -> PathSolve<'a, T> {
        let orders = self.model.parts().orders.with_memory(orders);
        PathSolve {
            solving: &self.solving,
            starts: starts.view(),
            orders,
            noise,
            nodes: self.windows.nodes(),
        }
    }

    /// Decoded paths of the posterior of each sample of a batch, the paths of the first sample
    /// first: an array by path, node of the windows, and output of the decoder.
    ///
    /// # Errors
    /// [`TrainingError`] for another number of parameters, samples that do not exist, and a solve that fails.
    pub fn reconstruct(&self, theta: &[T], batch: Batch<'_>) -> Result<Array3<T>, TrainingError> {
        let (_, paths) = self.solved(theta, batch)?;
        Ok(self.model.decoding(theta).of(&self.solving.times(self.windows.nodes()), &paths))
    }

    /// The encoded time series of a batch, and paths of the posterior.
    fn solved<'a>(
        &'a self,
        theta: &'a [T],
        batch: Batch<'_>,
    ) -> Result<(Encoding<'a, T, L>, Array3<T>), TrainingError> {
        length("the list of parameters", theta.len(), self.parameters())?;
        admit(batch, self.windows.samples())?;
        let encoding = self.encoding(theta, batch, Pass::Evaluate);
        let (starts, orders) = (self.starts(&encoding, batch), self.orders(theta));
        let noise = Brownian::new(batch.draw, self.model.latent())?;
        let solve = self.solve(&starts, &orders, &noise);
        let system = self.model.system(theta, Pass::Evaluate, &self.pool);
        let paths = solve.paths(system)?;
        Ok((encoding, paths))
    }

    fn encoding<'a>(&'a self, theta: &'a [T], batch: Batch<'_>, pass: Pass) -> Encoding<'a, T, L> {
        let own = &theta[self.model.places().encoder];
        let encoder = (&self.model.parts().encoder, own, pass);
        let take = |samples: &[usize], x: &mut [T]| take_series(&self.windows, samples, x);
        Encoding::new(encoder, batch.samples, &take)
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for LatentFit<T, L> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.model.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.model.parameters()
    }

    fn samples(&self) -> usize {
        self.windows.samples()
    }

    fn loss(&self, theta: &[T], batch: Batch<'_>) -> Result<f64, TrainingError> {
        let (encoding, paths) = self.solved(theta, batch)?;
        let times = self.solving.times(self.windows.nodes());
        let window_loss = self.window_loss(theta, batch, Pass::Evaluate);
        let (at_start, ..) = self.start_divergence(theta, &encoding, batch.samples.len())?;
        finite(window_loss.mean(times, &paths) + self.kl_weight * at_start)
    }

    fn gradient(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: &mut [T],
    ) -> Result<f64, TrainingError> {
        length("the list of parameters", theta.len(), self.parameters())?;
        length("the gradient", thetabar.len(), self.parameters())?;
        admit(batch, self.samples())?;
        let pass = Pass::Train { draw: batch.draw, first_sample: 0 };
        let encoding = self.encoding(theta, batch, pass);
        let (starts, orders) = (self.starts(&encoding, batch), self.orders(theta));
        let noise = Brownian::new(batch.draw, self.model.latent())?;
        let of = &self.model.parts().orders;
        let solve = self.solve(&starts, &orders, &noise);
        let window_loss = self.window_loss(theta, batch, pass);
        let further = FurtherGradients { orders: of.learned(), starts: true };
        let system = self.model.system(theta, pass, &self.pool);
        let found = solve.gradient(system, &window_loss, further, &self.workspace)?;
        let (samples, paths) = (batch.samples.len(), starts.nrows());
        let (at_start, of_q, of_prior) = self.start_divergence(theta, &encoding, samples)?;
        // Paths of a sample have their start, and what was drawn for it, in common with nobody.
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
            let own = sample * self.paths..(sample + 1) * self.paths;
            let sum = own.map(|path| of_path(path).widen()).sum::<f64>();
            let divergence = of_q.get(row * samples + sample).map_or(0.0, |bar| bar.widen());
            T::narrow(by_paths * sum + by_samples * divergence)
        };
        let places = self.model.places();
        narrow(&encoding.vjp(&bar), &mut thetabar[places.encoder.clone()]);
        narrow(&found.parameters.values, &mut thetabar[places.system.clone()]);
        let of_decoder = window_loss.shares.total(places.decoder.len());
        let of_decoder: Vec<f64> = of_decoder.iter().map(|bar| by_paths * bar).collect();
        narrow(&of_decoder, &mut thetabar[places.decoder.clone()]);
        let of_orders = &mut thetabar[places.orders.clone()];
        of_orders.fill(T::zero());
        let of_components = found.orders.values.get(..latent).unwrap_or_default();
        of.pull_back(&theta[places.orders.clone()], of_components, of_orders);
        let of_prior = of_prior.iter().map(|bar| self.kl_weight * batch.scale * bar);
        narrow(&of_prior.collect::<Vec<f64>>(), &mut thetabar[places.start]);
        finite(found.loss.values[0] + self.kl_weight * at_start)
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, evaluation: Evaluation) -> Option<String> {
        not_finite(self.blocks(), theta).or_else(|| {
            length("the list of parameters", theta.len(), self.parameters()).ok()?;
            admit(batch, self.samples()).ok()?;
            let pass = evaluation.pass(batch.draw, 0);
            let encoding = self.encoding(theta, batch, pass);
            if let Some(layer) = encoding.culprit() {
                return Some(format!("encoder.{layer}"));
            }
            let system = self.model.system(theta, pass, &self.pool);
            let window_loss = self.window_loss(theta, batch, pass);
            let networks = [
                ("posterior", Some(&system.posterior)),
                ("prior", Some(&system.prior)),
                ("diffusion", system.diffusion.network()),
                ("decoder", window_loss.readout.as_ref()),
            ];
            culprit(networks, self.starts(&encoding, batch).view())
        })
    }
}
