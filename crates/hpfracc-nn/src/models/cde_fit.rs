use super::blocks::narrow;
use super::checks::{admit, culprit, not_finite, rows};
use super::control::Driving;
use super::encoding::Encoding;
use super::path_fit::PathFit;
use super::solving::FurtherGradients;
use super::system::NeuralSystem;
use super::window_loss::WindowLoss;
use super::{Controls, ModelError, NeuralCde, Solving, Windows};
use crate::checks::same_size;
use crate::error::finite_loss;
use crate::kernels::{split, split_mut};
use crate::layers::Network;
use crate::{
    Batch, Layer, Loss, LossResult, Objective, ParameterBlock, Pass, Scalar, TrainingError,
};
use hpfracc_lanes::Storage;
use ndarray::Array2;
use std::ops::Range;

/// Objective that fits a [`NeuralCde`] to responses to controls, observed at some nodes of its
/// solve. The starts of windows are not used.
///
/// Stochastic layers of encoder and readout draw for the position of a sample in its batch, those
/// of the field as in [`SdeFit`](super::SdeFit).
///
/// Ranks of a batch share samples, in tiles of 64, with the same bits on any number of ranks. Each
/// sends at most 32 bytes for each parameter of the field and 16 for each of encoder and readout;
/// and rank 0 gathers the encoder's outputs and the gradients with respect to them, and sends both
/// to all. For each 4096 samples of a batch, the gradient of the readout passes through the ranks
/// once more.
#[derive(Debug)]
pub struct CdeFit<T: Scalar, L = Network> {
    model: NeuralCde<L>,
    controls: Controls<T>,
    loss: Loss,
    fit: PathFit<T>,
}

impl<T: Scalar, L: Layer<T>> CdeFit<T, L> {
    /// An objective with this loss of each sample, the mean over its observed values. The outputs
    /// of the readout are the predictions of the loss.
    ///
    /// # Errors
    /// [`ModelError`] for controls, windows, steps and networks whose sizes do not match, and
    /// settings of the loss outside their ranges.
    pub fn new(
        model: NeuralCde<L>,
        solving: Solving,
        (controls, windows): (Controls<T>, Windows<T>),
        loss: Loss,
    ) -> Result<Self, ModelError> {
        same_size("the list of controls", controls.samples(), windows.samples())?;
        same_size("the channels of the controls", controls.channels(), model.channels())?;
        same_size("the steps of the controls", controls.steps(), solving.steps)?;
        let predictions = loss.predictions(windows.components());
        rows("the outputs of the readout", model.parts.readout.outputs(), &[predictions])?;
        loss.check()?;
        windows.check(loss)?;
        let fit = PathFit::new(solving, windows, 1)?;
        Ok(Self { model, controls, loss, fit })
    }

    /// The model.
    pub fn model(&self) -> &NeuralCde<L> {
        &self.model
    }

    fn encoding<'a>(
        &'a self,
        theta: &'a [T],
        batch: Batch<'a>,
        stored: (Pass, Storage),
    ) -> Result<Encoding<'a, T, L>, TrainingError> {
        self.model.encoding(theta, (&self.controls, batch.samples, batch.ranks), stored)
    }

    fn starts(&self, encoding: &Encoding<'_, T, L>, batch: Batch<'_>) -> Array2<T> {
        self.model.starts(encoding, batch.samples.len())
    }

    fn system<'a>(&'a self, theta: &'a [T], pass: Pass) -> NeuralSystem<'a, T, L> {
        self.model.system(theta, pass, &self.fit.pool)
    }

    fn losses<'a>(&'a self, theta: &'a [T], batch: Batch<'a>, pass: Pass) -> WindowLoss<'a, T, L> {
        self.fit.window_loss(batch, self.loss, &[], Some(self.model.readout(theta, pass)))
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for CdeFit<T, L> {
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.model.parameter_blocks()
    }

    fn parameters(&self) -> usize {
        self.model.parameters()
    }

    fn orders(&self) -> Range<usize> {
        let all = self.model.parameters();
        all - self.model.parts.orders.parameters(self.model.dim())..all
    }

    fn samples(&self) -> usize {
        self.fit.windows.samples()
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        admit(self, theta, batch, thetabar.as_deref())?;
        let (pass, lengths) = (batch.pass(thetabar.is_some()), self.model.lengths());
        let encoding = self.encoding(theta, batch, (pass, self.fit.solving.storage))?;
        let (starts, of) = (self.starts(&encoding, batch), &self.model.parts.orders);
        let [.., raw] = split(theta, lengths);
        let orders = of.values(raw, self.model.dim());
        let driving = Driving { controls: &self.controls, samples: batch.samples };
        let solve = self.fit.solve(&starts, of.with_memory(&orders), (&driving, batch.ranks));
        let system = self.system(theta, pass);
        let window_loss = self.losses(theta, batch, pass);
        let Some(thetabar) = thetabar else {
            return finite_loss(window_loss.mean(self.fit.times(), &solve.paths(system)?)?);
        };
        let further = FurtherGradients { orders: of.learned(), starts: true };
        let found = solve.gradient(system, &window_loss, further, &self.fit.workspace)?;
        let startbar = found.starts.unwrap_or_else(|| Array2::zeros(starts.raw_dim()));
        let mean = 1.0 / starts.nrows() as f64;
        let bar = |sample: usize, row: usize| T::narrow(mean) * startbar[[sample, row]];
        let [encoderbar, fieldbar, readoutbar, rawbar] = split_mut(thetabar, lengths);
        narrow(&encoding.vjp(&bar)?, encoderbar);
        narrow(&found.parameters.values, fieldbar);
        narrow(&window_loss.total(mean)?, readoutbar);
        of.pull_back(raw, &found.orders.values, rawbar);
        finite_loss(found.loss.values[0])
    }

    fn culprit(&self, theta: &[T], batch: Batch<'_>, pass: Pass) -> Option<String> {
        not_finite(self.blocks(), theta).or_else(|| {
            let batch = batch.alone();
            admit(self, theta, batch, None).ok()?;
            let encoding = self.encoding(theta, batch, (pass, Storage::Full)).ok()?;
            if let Some(layer) = encoding.culprit() {
                return Some(format!("encoder.{layer}"));
            }
            let system = self.system(theta, pass);
            let window_loss = self.losses(theta, batch, pass);
            let networks =
                [("field", system.diffusion.network()), ("readout", window_loss.readout.as_ref())];
            culprit(networks, self.starts(&encoding, batch).view())
        })
    }
}
