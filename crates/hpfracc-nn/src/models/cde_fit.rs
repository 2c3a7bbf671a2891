use super::blocks::narrow;
use super::checks::{admit, culprit, finite, length, not_finite, rows, same_size};
use super::control::Driving;
use super::encoding::Encoding;
use super::field::Field;
use super::solving::{FurtherGradients, PathSolve};
use super::window_loss::{Shares, WindowLoss};
use super::{Controls, ModelError, NeuralCde, Solving, Windows};
use crate::buffer_pool::BufferPool;
use crate::layers::Network;
use crate::{
    Batch, Evaluation, Layer, Loss, Objective, ParameterBlock, Pass, Scalar, TrainingError,
};
use hpfracc_sde::GradientWorkspace;
use ndarray::Array2;

/// Objective that fits a [`NeuralCde`] to responses to controls, observed at some nodes of its
/// solve. The starts of windows are not used.
///
/// Stochastic layers of encoder and readout draw for the position of a sample in its batch, those
/// of the field as in [`SdeFit`](super::SdeFit).
#[derive(Debug)]
pub struct CdeFit<T: Scalar, L = Network> {
    model: NeuralCde<L>,
    solving: Solving,
    controls: Controls<T>,
    windows: Windows<T>,
    loss: Loss,
    pool: BufferPool<T>,
    workspace: GradientWorkspace<T>,
}

impl<T: Scalar, L: Layer<T>> CdeFit<T, L> {
    /// An objective with this loss of each sample, the mean over its observed values. The outputs
    /// of the readout are the predictions of the loss.
    ///
    /// # Errors
    /// [`ModelError`] for controls, windows, steps and networks whose sizes do not match, and settings of the
    /// loss outside their ranges.
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
        rows("the outputs of the readout", model.parts().readout.outputs(), &[predictions])?;
        loss.check()?;
        windows.check(loss)?;
        solving.check(windows.nodes())?;
        Ok(Self {
            model,
            solving,
            controls,
            windows,
            loss,
            pool: BufferPool::new(),
            workspace: GradientWorkspace::new(),
        })
    }

    /// The model.
    pub fn model(&self) -> &NeuralCde<L> {
        &self.model
    }

    /// Encodes the initial values of the controls.
    fn encoding<'a>(&'a self, theta: &'a [T], batch: Batch<'_>, pass: Pass) -> Encoding<'a, T, L> {
        let own = &theta[self.model.places().encoder];
        let take = |samples: &[usize], x: &mut [T]| {
            for (channel, row) in x.chunks_exact_mut(samples.len()).enumerate() {
                let pairs = row.iter_mut().zip(samples);
                pairs.for_each(|(x, sample)| *x = self.controls.at_start(*sample, channel));
            }
        };
        Encoding::new((&self.model.parts().encoder, own, pass), batch.samples, &take)
    }

    fn starts(&self, encoding: &Encoding<'_, T, L>, batch: Batch<'_>) -> Array2<T> {
        let shape = (batch.samples.len(), self.model.dim());
        Array2::from_shape_fn(shape, |(sample, i)| encoding.of(sample)(i))
    }

    fn window_loss<'a>(
        &'a self,
        theta: &'a [T],
        batch: Batch<'a>,
        pass: Pass,
    ) -> WindowLoss<'a, T, L> {
        let readout = &theta[self.model.places().readout];
        let readout = Field::new(&self.model.parts().readout, self.model.dim(), readout, pass);
        WindowLoss {
            windows: &self.windows,
            samples: batch.samples,
            paths: 1,
            loss: self.loss,
            log_deviations: &[],
            readout: Some(readout),
            pool: &self.pool,
            sums: false,
            added: None,
            scale: batch.scale,
            shares: Shares::default(),
        }
    }

    fn driving<'a>(&'a self, batch: Batch<'a>) -> Driving<'a, T> {
        Driving { controls: &self.controls, samples: batch.samples }
    }

    fn solve<'a>(
        &'a self,
        starts: &'a Array2<T>,
        orders: &'a [f64],
        driving: &'a Driving<'a, T>,
    ) -> PathSolve<'a, T> {
        let orders = self.model.parts().orders.with_memory(orders);
        PathSolve {
            solving: &self.solving,
            starts: starts.view(),
            orders,
            noise: driving,
            nodes: self.windows.nodes(),
        }
    }

    fn orders(&self, theta: &[T]) -> Vec<f64> {
        let raw = &theta[self.model.places().orders];
        self.model.parts().orders.values(raw, self.model.dim())
    }
}

impl<T: Scalar, L: Layer<T>> Objective<T> for CdeFit<T, L> {
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
        length("the list of parameters", theta.len(), self.parameters())?;
        admit(batch, self.samples())?;
        let pass = Pass::Evaluate;
        let encoding = self.encoding(theta, batch, pass);
        let (starts, orders) = (self.starts(&encoding, batch), self.orders(theta));
        let driving = self.driving(batch);
        let solve = self.solve(&starts, &orders, &driving);
        let paths = solve.paths(self.model.system(theta, pass, &self.pool))?;
        let times = self.solving.times(self.windows.nodes());
        finite(self.window_loss(theta, batch, pass).mean(times, &paths))
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
        let of = &self.model.parts().orders;
        let driving = self.driving(batch);
        let solve = self.solve(&starts, &orders, &driving);
        let window_loss = self.window_loss(theta, batch, pass);
        let further = FurtherGradients { orders: of.learned(), starts: true };
        let system = self.model.system(theta, pass, &self.pool);
        let found = solve.gradient(system, &window_loss, further, &self.workspace)?;
        let startbar = found.starts.unwrap_or_else(|| Array2::zeros(starts.raw_dim()));
        let mean = 1.0 / starts.nrows() as f64;
        let bar = |sample: usize, row: usize| T::narrow(mean) * startbar[[sample, row]];
        let places = self.model.places();
        narrow(&encoding.vjp(&bar), &mut thetabar[places.encoder]);
        narrow(&found.parameters.values, &mut thetabar[places.field]);
        let of_readout = window_loss.shares.total(places.readout.len());
        let of_readout: Vec<f64> = of_readout.iter().map(|bar| mean * bar).collect();
        narrow(&of_readout, &mut thetabar[places.readout]);
        let of_orders = &mut thetabar[places.orders.clone()];
        of_orders.fill(T::zero());
        of.pull_back(&theta[places.orders], &found.orders.values, of_orders);
        finite(found.loss.values[0])
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
            let networks =
                [("field", Some(system.field())), ("readout", window_loss.readout.as_ref())];
            culprit(networks, self.starts(&encoding, batch).view())
        })
    }
}
