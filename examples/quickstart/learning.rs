//! An equation learned from its solutions: the right-hand side is a network, the order is unknown.

use hpfracc::nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{Activation, Network, Schedule};
use hpfracc::special::MittagLeffler;
use ndarray::{Array2, Array3};
use pictures::Outcome;
use std::ops::ControlFlow;

/// Order of the equation of the data.
pub(crate) const ALPHA: f64 = 0.6;
pub(crate) const STARTS: [f64; 6] = [0.5, 0.8, 1.1, 1.4, 1.7, 2.0];
pub(crate) const EPOCHS: u64 = 600;
const TIMES: usize = 16;
const EVERY: usize = 4;
const END: f64 = 2.0;

/// Results of the training.
pub(crate) struct Learned {
    /// Root mean square error by epoch.
    pub(crate) errors: Vec<f64>,
    /// Order before and after the training.
    pub(crate) orders: [f64; 2],
}

impl Learned {
    /// `D^alpha y = network(y)` from solutions of `D^0.6 y = -y`.
    pub(crate) fn new() -> Outcome<Self> {
        let relaxation = MittagLeffler::new(ALPHA, 1.0)?;
        let seen = Array3::from_shape_fn((STARTS.len(), TIMES, 1), |(i, n, _)| {
            let t = END * (n + 1) as f64 / TIMES as f64;
            STARTS[i] * relaxation.eval(-t.powf(ALPHA))
        });
        let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
        let starts = Array2::from_shape_fn((STARTS.len(), 1), |(i, _)| STARTS[i]);
        let windows = Windows::new(starts, &nodes, seen)?;
        let drift = Network::perceptron(&[1, 4, 1], Activation::Tanh)?;
        let orders = Orders::Learned { lower: 0.2, upper: 1.0, start: 0.9, each: false };
        let model = NeuralFractionalSde::new(drift, Diffusion::None, orders)?;
        let solving = Solving::new(END, TIMES * EVERY);
        let fit = SdeFit::new(model, solving, windows, PathLoss::default(), 1)?;
        let settings = Training {
            epochs: EPOCHS,
            schedule: Schedule::Cosine { from: 0.05, to: 1e-3, steps: EPOCHS },
            ..Training::default()
        };
        let mut errors = Vec::new();
        let trained = Trainer::new(&fit, settings).run(|event| {
            if let Event::Epoch(epoch) = event {
                errors.push(epoch.loss.sqrt());
            }
            ControlFlow::Continue(())
        })?;
        let alpha = fit.model().order_values(trained.parameters())?[0];
        Ok(Self { errors, orders: [0.9, alpha] })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_visibly_learns() {
        let learned = Learned::new().unwrap();
        let [first, last] = [learned.errors[0], learned.errors[EPOCHS as usize - 1]];
        // The training begins where the estimate of the order leaves it.
        assert!(last < 0.6 * first && last < 0.01, "{first} {last}");
        assert!((learned.orders[1] - ALPHA).abs() < 0.1, "{}", learned.orders[1]);
    }
}
