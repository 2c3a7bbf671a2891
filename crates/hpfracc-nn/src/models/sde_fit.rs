use super::blocks::narrow;
use super::checks::{admit, not_finite};
use super::ensemble_loss::ensemble_loss;
use super::error::ModelError;
use super::field::Field;
use super::neural_sde::repeated;
use super::order_fit::{OrderFit, OrderFitted, fit_network};
use super::path_fit::PathFit;
use super::solving::FurtherGradients;
use super::system::NeuralSystem;
use super::{Diffusion, NeuralFractionalSde, PathLoss, Solving, Windows};
use crate::checks::{in_range, same_size};
use crate::error::finite_loss;
use crate::layers::Network;
use crate::{
    Batch, Block, Layer, Loss, LossResult, NetworkError, Objective, OrderEstimate, ParameterBlock,
    Pass, Scalar, TrainingError,
};
use hpfracc_sde::{ComponentMemory, Cotangents, FractionalEulerMaruyama, NoiseKind};
use ndarray::{Array2, Array3, Axis};
use std::ops::Range;

/// Objective that fits a [`NeuralFractionalSde`] to [`Windows`].
///
/// Each sample of a batch has a fixed number of paths. The noise of a batch has the seed `draw`:
/// equal draws give equal noise. Forward and backward pass run in one parallel region, after one
/// further solve for losses of several paths; the result is the same to the bit on any number of
/// threads and ranks. Stochastic layers of drift and diffusion draw once for a batch, the same
/// numbers at each step of a solve, for the 64 lanes of a tile: paths 64 apart share them.
///
/// Ranks of a batch share the paths, in tiles of 64, with the costs of
/// [`EnsembleGradient`](hpfracc_sde::EnsembleGradient): each sends at most 32 bytes for each
/// parameter. For losses of several paths and without a gradient, rank 0 gathers the observed nodes
/// of all paths, 8 bytes a number, and sends them to all ranks; each then computes the same loss of
/// several paths.
///
/// Learned orders are estimated from the data by least squares, with a drift that is linear in few
/// coefficients: for all components observed, with a diffusion also without missing values and at
/// equidistant nodes from the first step on. Cost: about ten iterations, each with as many solves
/// of at most 64 windows as there are coefficients, at most 64, and orders.
///
/// Sources of the estimate: Golub and Pereyra, SIAM J. Numer. Anal. 10 (1973) 413, DOI
/// 10.1137/0710036 (the profile over the order); Liang and Zeger, Biometrika 73 (1986) 13, DOI
/// 10.1093/biomet/73.1.13 (correlated errors); Ljung, System Identification, 2nd ed. (1999), 7.2
/// (prediction errors, for equations with noise).
///
/// Parameters: those of the model, then those of the loss in the block `loss`.
#[derive(Debug)]
pub struct SdeFit<T: Scalar, L = Network> {
    model: NeuralFractionalSde<L>,
    loss: PathLoss,
    fit: PathFit<T>,
}

impl<T: Scalar, L: Layer<T>> SdeFit<T, L> {
    /// An objective with `paths` paths for each sample; one suffices without noise.
    ///
    /// # Errors
    /// [`ModelError`] for windows with other components than the model, with more observed
    /// components, or with nodes after the last step, and numbers outside their ranges.
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
        in_range(holds, "the number of observed components", observed, expected)?;
        loss.check(paths, &windows)?;
        Ok(Self { model, loss, fit: PathFit::new(solving, windows, paths)? })
    }

    /// The model.
    pub fn model(&self) -> &NeuralFractionalSde<L> {
        &self.model
    }

    /// The data.
    pub fn windows(&self) -> &Windows<T> {
        &self.fit.windows
    }

    /// The discretisation.
    pub fn solving(&self) -> &Solving {
        &self.fit.solving
    }

    /// The loss.
    pub fn path_loss(&self) -> PathLoss {
        self.loss
    }

    /// Number of paths of each sample.
    pub fn paths(&self) -> usize {
        self.fit.paths
    }

    /// Checks the arguments of an evaluation.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for slices of other lengths, an empty batch, and samples that do not exist.
    pub fn admit(
        &self,
        theta: &[T],
        batch: Batch<'_>,
        thetabar: Option<&[T]>,
    ) -> Result<(), TrainingError> {
        Ok(admit(self, theta, batch, thetabar)?)
    }

    /// Memories of the components at these parameters, for executors outside of this crate; `None` if their drift is
    /// corrected. The orders of components are 1 where there is no memory.
    ///
    /// # Errors
    /// [`TrainingError`] for another number of parameters, and for orders outside the range of the scheme.
    pub fn memories(
        &self,
        theta: &[T],
    ) -> Result<Option<Vec<Option<ComponentMemory<T>>>>, TrainingError> {
        let orders = self.order_values(theta)?;
        if self.model.orders.with_memory(&orders).is_none() {
            return Ok(Some(vec![None; self.model.dim()]));
        }
        let (scheme, kind, steps) = self.fractional_scheme();
        Ok(scheme.memories(kind, &orders, steps)?)
    }

    /// Derivatives of the weights of [`memories`](Self::memories), each with respect to the order of its component.
    ///
    /// # Errors
    /// As [`memories`](Self::memories).
    pub fn memories_by_order(&self, theta: &[T]) -> Result<Vec<ComponentMemory<T>>, TrainingError> {
        let (scheme, kind, steps) = self.fractional_scheme();
        Ok(scheme.memories_by_order(kind, &self.order_values(theta)?, steps)?)
    }

    /// Writes the gradient with respect to learned orders to its places in `thetabar`, given that with respect to the
    /// order of each component.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for lists of other lengths.
    pub fn pull_back_orders(
        &self,
        theta: &[T],
        orders: &[f64],
        thetabar: &mut [T],
    ) -> Result<(), TrainingError> {
        same_size("the list of parameters", theta.len(), self.parameters())?;
        same_size("the gradient", thetabar.len(), self.parameters())?;
        same_size("the list of orders", orders.len(), self.model.dim())?;
        let places = self.orders();
        self.model.orders.pull_back(&theta[places.clone()], orders, &mut thetabar[places]);
        Ok(())
    }

    /// Orders of the components at the parameters of model and loss.
    fn order_values(&self, theta: &[T]) -> Result<Vec<f64>, TrainingError> {
        self.model.order_values(&theta[..theta.len().min(self.model.parameters())])
    }

    /// The scheme with its noise structure, and number and length of its steps.
    fn fractional_scheme(&self) -> (FractionalEulerMaruyama, NoiseKind, (usize, f64)) {
        let Solving { end, steps, memory, drift, .. } = self.fit.solving;
        let scheme = FractionalEulerMaruyama::new(memory).drift(drift);
        let kind = self.model.diffusion.noise_kind(self.model.dim());
        (scheme, kind, (steps, end / steps as f64))
    }

    /// The loss of solved paths (by path, node and component) of a batch, for losses of several paths, with its derivatives
    /// times the scale of the batch: paths of a sample follow each other.
    ///
    /// # Errors
    /// [`TrainingError::Size`] for another number of paths; [`TrainingError::Loss`].
    pub fn loss_of_paths(
        &self,
        batch: Batch<'_>,
        paths: &Array3<T>,
    ) -> Result<(f64, Array3<T>), TrainingError> {
        let count = batch.samples.len() * self.fit.paths;
        same_size("the list of paths", paths.dim().0, count)?;
        same_size("the nodes of the paths", paths.dim().1, self.fit.windows.nodes().len())?;
        same_size("the components of the paths", paths.dim().2, self.model.dim())?;
        self.ensemble_loss(batch, paths)
    }

    /// Number of parameters of the loss: the logarithm of the standard deviation of each component.
    fn loss_parameters(&self) -> usize {
        let gaussian = matches!(self.loss, PathLoss::Each(Loss::GaussianLikelihood { .. }));
        if gaussian { self.fit.windows.components() } else { 0 }
    }

    fn system<'a>(&'a self, theta: &'a [T], pass: Pass) -> NeuralSystem<'a, T, L> {
        let networks = (&self.model.drift, &self.model.diffusion);
        NeuralSystem::new(networks, theta, pass, &self.fit.pool)
    }

    /// Initial values of a batch, path by path.
    fn starts(&self, batch: Batch<'_>) -> Array2<T> {
        let starts = self.fit.windows.starts().select(Axis(0), batch.samples);
        repeated(starts.view(), self.fit.paths)
    }

    /// The loss of all paths of a batch, and its derivatives.
    fn ensemble_loss(
        &self,
        batch: Batch<'_>,
        paths: &Array3<T>,
    ) -> Result<(f64, Array3<T>), TrainingError> {
        let windows = &self.fit.windows;
        let (loss, mut slopes) = ensemble_loss(self.loss, windows, batch.samples, paths)?;
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
        self.fit.windows.samples()
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        admit(self, theta, batch, thetabar.as_deref())?;
        let (starts, noise) = (self.starts(batch), self.model.noise(batch.draw)?);
        let (own, log_deviations) = theta.split_at(self.model.parameters());
        let (orders, of) = (self.model.order_values(own)?, &self.model.orders);
        let solve = self.fit.solve(&starts, of.with_memory(&orders), (&*noise, batch.ranks));
        let pass = batch.pass(thetabar.is_some());
        let system = || self.system(theta, pass);
        let window_loss = match self.loss {
            PathLoss::Each(loss) => {
                Some(self.fit.window_loss(batch, loss, log_deviations, None::<Field<'_, T, L>>))
            }
            _ => None,
        };
        let Some(thetabar) = thetabar else {
            let paths = solve.paths(system())?;
            return finite_loss(match &window_loss {
                Some(window_loss) => window_loss.mean(self.fit.times(), &paths)?,
                None => self.ensemble_loss(batch, &paths)?.0,
            });
        };
        let further = FurtherGradients { orders: of.learned(), starts: false };
        let workspace = &self.fit.workspace;
        let (networks, rest) = thetabar.split_at_mut(self.model.of_networks());
        let (order, lossbar) = rest.split_at_mut(rest.len() - log_deviations.len());
        let (loss, found) = if let Some(window_loss) = window_loss {
            let found = solve.gradient(system(), &window_loss, further, workspace)?;
            narrow(&window_loss.total(1.0 / starts.nrows() as f64)?, lossbar);
            (found.loss.values[0], found)
        } else {
            let (loss, slopes) = self.ensemble_loss(batch, &solve.paths(system())?)?;
            (loss, solve.gradient(system(), &Cotangents(slopes.view()), further, workspace)?)
        };
        narrow(&found.parameters.values, networks);
        of.pull_back(&own[self.model.of_networks()..], &found.orders.values, order);
        finite_loss(loss)
    }

    fn orders(&self) -> Range<usize> {
        self.model.of_networks()..self.model.parameters()
    }

    fn estimate_orders(
        &self,
        samples: &[usize],
        theta: &mut [T],
    ) -> Result<Vec<OrderEstimate>, TrainingError> {
        admit(self, theta, Batch::new(samples, 0), None)?;
        let windows = &self.fit.windows;
        let starts = windows.starts().select(Axis(0), samples).mapv(|x| x.widen());
        let observed = windows.observed().select(Axis(0), samples).mapv(|y| y.widen());
        let timed = self.model.drift.inputs() > self.model.dim();
        let noisy = !matches!(self.model.diffusion, Diffusion::None);
        let data = (starts, windows.nodes(), observed);
        let fit = OrderFit::new(&self.model.orders, self.fit.solving, data, (timed, noisy));
        let fitted = fit.and_then(|fit| fit.estimate());
        let Some(OrderFitted { orders, inputs, drift }) = fitted else { return Ok(Vec::new()) };
        if !orders.iter().all(OrderEstimate::identifiable) {
            return Ok(orders);
        }
        let of = orders.iter().map(|estimate| estimate.order);
        self.model.orders.write(of, &mut theta[self.orders()]).map_err(NetworkError::from)?;
        let network = &mut theta[..self.model.drift.parameters()];
        fit_network(&self.model.drift, inputs.mapv(T::narrow), drift.mapv(T::narrow), network)?;
        Ok(orders)
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        not_finite(self.blocks(), theta).or_else(|| {
            admit(self, theta, batch, None).ok()?;
            self.system(theta, pass).culprit(self.starts(batch).view())
        })
    }
}
