use super::blocks::narrow;
use super::checks::{admit, finite, in_range, length, not_finite, same_size};
use super::ensemble_loss::ensemble_loss;
use super::error::ModelError;
use super::neural_sde::repeated;
use super::solving::{FurtherGradients, PathSolve};
use super::window_loss::{Shares, WindowLoss};
use super::{NeuralFractionalSde, PathLoss, Solving, Windows};
use crate::buffer_pool::BufferPool;
use crate::layers::Network;
use crate::{
    Batch, Block, Evaluation, Layer, Loss, Objective, ParameterBlock, Pass, Scalar, TrainingError,
};
use hpfracc_sde::noise::Noise;
use hpfracc_sde::{Cotangents, GradientWorkspace, StochasticGradient};
use ndarray::{Array2, Array3, Axis};

/// Objective that fits a [`NeuralFractionalSde`] to [`Windows`].
///
/// Each sample of a batch has a fixed number of paths. The noise of a batch has the seed `draw`:
/// equal draws give equal noise. Forward and backward pass run in one parallel region, after one
/// further solve for losses of several paths; the result is the same to the bit on any number of
/// threads. Stochastic layers of drift and diffusion draw once for a batch, the same numbers at
/// each step of a solve, for the 64 lanes of a tile: paths 64 apart share them.
///
/// Parameters: those of the model, then those of the loss in the block `loss`.
#[derive(Debug)]
pub struct SdeFit<T: Scalar, L = Network> {
    model: NeuralFractionalSde<L>,
    solving: Solving,
    windows: Windows<T>,
    loss: PathLoss,
    paths: usize,
    pool: BufferPool<T>,
    workspace: GradientWorkspace<T>,
}

impl<T: Scalar, L: Layer<T>> SdeFit<T, L> {
    /// An objective with `paths` paths for each sample; one suffices without noise.
    ///
    /// # Errors
    /// [`ModelError`] for windows with other components than the model, with more observed components, or with
    /// nodes after the last step, and numbers outside their ranges.
    pub fn new(
        model: NeuralFractionalSde<L>,
        solving: Solving,
        windows: Windows<T>,
        loss: PathLoss,
        paths: usize,
    ) -> Result<Self, ModelError> {
        same_size("the start of a sample", windows.starts().ncols(), model.dim())?;
        let observed = windows.components();
        let expected = "1 to those of the model";
        let holds = (1..=model.dim()).contains(&observed);
        in_range(holds, "the number of observed components", observed as f64, expected)?;
        loss.check(paths, &windows)?;
        solving.check(windows.nodes())?;
        Ok(Self {
            model,
            solving,
            windows,
            loss,
            paths,
            pool: BufferPool::new(),
            workspace: GradientWorkspace::new(),
        })
    }

    /// The model.
    pub fn model(&self) -> &NeuralFractionalSde<L> {
        &self.model
    }

    /// The data.
    pub fn windows(&self) -> &Windows<T> {
        &self.windows
    }

    /// Parameters of the loss: logarithms of standard deviations.
    fn loss_parameters(&self) -> usize {
        if matches!(self.loss, PathLoss::Each(Loss::GaussianLikelihood { .. })) {
            self.windows.components()
        } else {
            0
        }
    }

    /// Initial values of a batch, path by path.
    fn starts(&self, batch: Batch<'_>) -> Result<Array2<T>, TrainingError> {
        admit(batch, self.windows.samples())?;
        let starts = self.windows.starts().select(Axis(0), batch.samples);
        Ok(repeated(starts.view(), self.paths))
    }

    fn solve<'a>(
        &'a self,
        starts: &'a Array2<T>,
        orders: &'a [f64],
        noise: &'a dyn Noise<T>,
    ) -> PathSolve<'a, T> {
        let orders = self.model.orders().with_memory(orders);
        PathSolve {
            solving: &self.solving,
            starts: starts.view(),
            orders,
            noise,
            nodes: self.windows.nodes(),
        }
    }

    fn window_loss<'a>(
        &'a self,
        theta: &'a [T],
        loss: Loss,
        batch: Batch<'a>,
    ) -> WindowLoss<'a, T, L> {
        WindowLoss {
            windows: &self.windows,
            samples: batch.samples,
            paths: self.paths,
            loss,
            log_deviations: &theta[self.model.parameters()..],
            readout: None,
            pool: &self.pool,
            sums: false,
            added: None,
            scale: batch.scale,
            shares: Shares::default(),
        }
    }

    /// The loss of all paths of a batch, and its derivatives.
    fn together(
        &self,
        batch: Batch<'_>,
        paths: &Array3<T>,
    ) -> Result<(f64, Array3<T>), TrainingError> {
        let (loss, mut slopes) = ensemble_loss(self.loss, &self.windows, batch.samples, paths)?;
        slopes.mapv_inplace(|slope| slope * T::narrow(batch.scale));
        Ok((loss, slopes))
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for SdeFit<T, L> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        let rows = self.loss_parameters();
        let loss = (rows > 0).then(|| Block::new("loss.log-deviation", &[rows]).filled(0.0));
        self.model.parameter_blocks().into_iter().chain(loss).collect()
    }

    fn parameters(&self) -> usize {
        self.model.parameters() + self.loss_parameters()
    }

    fn samples(&self) -> usize {
        self.windows.samples()
    }

    fn loss(&self, theta: &[T], batch: Batch<'_>) -> Result<f64, TrainingError> {
        length("the list of parameters", theta.len(), self.parameters())?;
        let (starts, noise) = (self.starts(batch)?, self.model.noise(batch.draw)?);
        let orders = self.model.order_values(&theta[..self.model.parameters()])?;
        let solve = self.solve(&starts, &orders, &*noise);
        let paths = solve.paths(self.model.system(theta, Pass::Evaluate, &self.pool))?;
        finite(match self.loss {
            PathLoss::Each(loss) => {
                let times = self.solving.times(self.windows.nodes());
                self.window_loss(theta, loss, batch).mean(times, &paths)
            }
            PathLoss::EnergyScore
            | PathLoss::EnergyDistance(_)
            | PathLoss::MarginalEnergy(_)
            | PathLoss::Moments => self.together(batch, &paths)?.0,
        })
    }

    fn gradient(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: &mut [T],
    ) -> Result<f64, TrainingError> {
        length("the list of parameters", theta.len(), self.parameters())?;
        length("the gradient", thetabar.len(), self.parameters())?;
        let (starts, noise) = (self.starts(batch)?, self.model.noise(batch.draw)?);
        let orders = self.model.order_values(&theta[..self.model.parameters()])?;
        let solve = self.solve(&starts, &orders, &*noise);
        let pass = Pass::Train { draw: batch.draw, first_sample: 0 };
        let system = || self.model.system(theta, pass, &self.pool);
        let further = FurtherGradients { orders: self.model.orders().learned(), starts: false };
        let (loss, result, of_loss) = if let PathLoss::Each(loss) = self.loss {
            let window_loss = self.window_loss(theta, loss, batch);
            let result = solve.gradient(system(), &window_loss, further, &self.workspace)?;
            let mean = 1.0 / starts.nrows() as f64;
            let mut of_loss = window_loss.shares.total(self.loss_parameters());
            of_loss.iter_mut().for_each(|bar| *bar *= mean);
            (result.loss.values[0], result, of_loss)
        } else {
            let (loss, slopes) = self.together(batch, &solve.paths(system())?)?;
            let result =
                solve.gradient(system(), &Cotangents(slopes.view()), further, &self.workspace)?;
            (loss, result, Vec::new())
        };
        self.write(theta, &result, &of_loss, thetabar);
        finite(loss)
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, evaluation: Evaluation) -> Option<String> {
        not_finite(self.blocks(), theta).or_else(|| {
            length("the list of parameters", theta.len(), self.parameters()).ok()?;
            let starts = self.starts(batch).ok()?;
            let pass = evaluation.pass(batch.draw, 0);
            self.model.system(theta, pass, &self.pool).culprit(starts.view())
        })
    }
}

impl<T: Scalar, L: Layer<T>> SdeFit<T, L> {
    /// Writes the gradient in the order of the parameters.
    fn write(
        &self,
        theta: &[T],
        result: &StochasticGradient<T>,
        of_loss: &[f64],
        thetabar: &mut [T],
    ) {
        let (networks, rest) = thetabar.split_at_mut(self.model.of_networks());
        let (order, loss) = rest.split_at_mut(rest.len() - of_loss.len());
        narrow(&result.parameters.values, networks);
        narrow(of_loss, loss);
        order.fill(T::zero());
        let raw = &theta[self.model.of_networks()..self.model.parameters()];
        self.model.orders().pull_back(raw, &result.orders.values, order);
    }
}
