//! Objective and settings of the tests.

use hpfracc_nn::trainer::{Event, RunFolder, Trained, Trainer, TrainerError, Training};
use hpfracc_nn::{
    Activation, Adam, Backward, Batch, Forward, Layer, LossResult, Network, Objective, Optimiser,
    ParameterBlock, Pass, Scalar, Schedule, Shape, Tape,
};
use hpfracc_sde::{Rows, RowsMut};
use std::ops::ControlFlow;

/// A network fitted to sin(3 x) for x between -1 and 1, with noise by draw and sample.
#[derive(Debug)]
pub(crate) struct Sine {
    pub(crate) network: Network,
    pub(crate) x: Vec<f64>,
    pub(crate) noise: f64,
}

impl Sine {
    pub(crate) fn new(samples: usize, hidden: usize) -> Self {
        let network = Network::perceptron(&[1, hidden, 1], Activation::Tanh).unwrap();
        let x = (0..samples).map(|i| 2.0 * (i as f64 + 0.5) / samples as f64 - 1.0).collect();
        Self { network, x, noise: 0.0 }
    }
}

impl<T: Scalar> Objective<T> for Sine
where
    Network: Layer<T>,
{
    fn parameter_blocks(&self) -> Vec<ParameterBlock> {
        self.network.parameter_blocks()
    }

    fn samples(&self) -> usize {
        self.x.len()
    }

    fn evaluate(&self, theta: &[T], batch: Batch<'_>, thetabar: Option<&mut [T]>) -> LossResult {
        let lanes = batch.samples.len();
        let x: Vec<T> = batch.samples.iter().map(|i| T::narrow(self.x[*i])).collect();
        let layer: &dyn Layer<T> = &self.network;
        let rows = |rows: usize| vec![T::zero(); rows * lanes];
        let (mut saved, mut y) = (rows(layer.saved()), rows(1));
        let (x, pass) = (Rows::new(&x, lanes), Pass::Evaluate);
        let [own, out] = [&mut saved, &mut y].map(|rows| RowsMut::new(rows, lanes));
        layer.forward(Forward { pass, theta, x, saved: own, y: out });
        let (mut loss, mut ybar) = (0.0, rows(1));
        for (lane, i) in batch.samples.iter().enumerate() {
            let drawn = (batch.draw.wrapping_add(*i as u64 * 77) % 1000) as f64 / 500.0 - 1.0;
            let target = (3.0 * self.x[*i]).sin() + self.noise * drawn;
            let error = y[lane].widen() - target;
            loss += error * error / lanes as f64;
            ybar[lane] = T::narrow(batch.scale * 2.0 * error / lanes as f64);
        }
        if let Some(thetabar) = thetabar {
            thetabar.fill(T::zero());
            let tape = Tape { x, saved: Rows::new(&saved, lanes), y: Rows::new(&y, lanes) };
            let (mut scratch, ybar) = (rows(layer.scratch()), RowsMut::new(&mut ybar, lanes));
            let (xbar, scratch) = (None, RowsMut::new(&mut scratch, lanes));
            layer.vjp(Backward { theta, tape, ybar, xbar, thetabar, scratch });
        }
        Ok(loss)
    }
}

/// Adam at one rate.
pub(crate) fn training(epochs: u64, batch: usize, rate: f64) -> Training {
    Training {
        optimiser: Optimiser::Adam(Adam::default()),
        schedule: Schedule::Constant(rate),
        epochs,
        batch,
        seed: 5,
        ..Training::default()
    }
}

pub(crate) fn silent(_: &Event<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Trains in a folder, or resumes the training in it.
pub(crate) fn train<T: Scalar>(
    objective: &dyn Objective<T>,
    training: &Training,
    folder: &RunFolder,
    observer: impl FnMut(&Event<'_>) -> ControlFlow<()>,
) -> Result<Trained<T>, TrainerError> {
    let trainer = Trainer {
        validation: Some(objective),
        folder: Some(folder.clone()),
        resume: true,
        ..Trainer::new(objective, training.clone())
    };
    trainer.run(observer)
}
