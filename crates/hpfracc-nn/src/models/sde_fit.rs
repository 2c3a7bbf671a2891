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

/// A [`NeuralFractionalSde`] fitted to [`Windows`]: what training makes small.
///
/// Each sample of a batch has so many paths. The noise of a batch is that of the seed `draw`: the same draw
/// is the same noise. Paths are solved and taken back in one parallel region, for losses of paths that are
/// judged together after one more solve, and the bits of the result do not depend on the number of threads.
/// Layers of drift and diffusion that draw numbers themselves draw them once for a batch, the same at each
/// step of a solve, and for the 64 lanes of a tile: paths 64 apart have them in common.
///
/// Parameters: those of the model, and of the loss by the name `loss`.
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
    /// With so many paths for each sample; one is enough without noise.
    ///
    /// # Errors
    /// [`ModelError`] for windows with other components than the model, with more of them observed, or with
    /// nodes behind the last step, and numbers out of their ranges.
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

    /// What it is fitted to.
    pub fn windows(&self) -> &Windows<T> {
        &self.windows
    }

    /// Logarithms of deviations.
    fn loss_parameters(&self) -> usize {
        if matches!(self.loss, PathLoss::Each(Loss::GaussianLikelihood { .. })) {
            self.windows.components()
        } else {
            0
        }
    }

    /// The starts of a batch, path by path.
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

    /// The loss of all paths together, and its derivatives.
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
    /// The gradient in the order of the parameters.
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
