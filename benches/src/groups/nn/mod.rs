//! Networks and steps of training, beside their floors and the layers in them.

mod layers;
mod models;
mod networks;

pub(crate) use layers::layers;
#[cfg(feature = "gpu")]
pub(crate) use models::neural_energy_score;
pub(crate) use models::{models, neural_sde};
pub(crate) use networks::{networks, perceptron};

use super::INSIDE;
use hpfracc::nn::{Backward, Batch, Forward, Layer, Network, Objective, Pass, Scalar, Shape, Tape};
use hpfracc::noise::Normals;
use hpfracc::sde::{Rows, RowsMut};
use std::hint::black_box;

/// Samples of a tile, as [`Supervised`](hpfracc::nn::Supervised) has them.
const TILE: usize = 64;

/// Samples of a wave: no two that follow each other are alike.
fn sines<T: Scalar>(count: usize) -> Vec<T> {
    (0..count).map(|i| T::narrow((0.7 * i as f64).sin())).collect()
}

/// A network on a batch, forward and back, and nothing else.
struct Alone<T> {
    network: Network,
    lanes: usize,
    theta: Vec<T>,
    x: Vec<T>,
    y: Vec<T>,
    saved: Vec<T>,
    ybar: Vec<T>,
    xbar: Vec<T>,
    thetabar: Vec<T>,
    scratch: Vec<T>,
}

impl<T: Scalar> Alone<T>
where
    Network: Layer<T>,
{
    fn new(network: Network, lanes: usize) -> Self {
        // Numbers that differ, as those of samples do.
        let rows = |rows: usize| sines(rows * lanes);
        let mut theta = vec![T::zero(); network.parameters()];
        network.initialise(&Normals::new(1), 0, &mut theta);
        Self {
            lanes,
            x: rows(network.inputs()),
            y: rows(network.outputs()),
            saved: rows(network.saved()),
            ybar: rows(network.outputs()),
            xbar: rows(network.inputs()),
            thetabar: vec![T::zero(); theta.len()],
            scratch: rows(network.scratch()),
            theta,
            network,
        }
    }

    fn forward(&mut self) {
        let (x, lanes) = (Rows::new(&self.x, self.lanes), self.lanes);
        let (saved, y) = (RowsMut::new(&mut self.saved, lanes), RowsMut::new(&mut self.y, lanes));
        self.network.forward(Forward { pass: Pass::Evaluate, theta: &self.theta, x, saved, y });
    }

    /// The least work of a step of a solve and of its gradient: forward, then forward and backward.
    fn forward_and_backward(&mut self) {
        self.forward();
        self.forward();
        self.back(true);
    }

    /// To the parameters, and to the inputs where that is wanted.
    fn back(&mut self, to_inputs: bool) {
        let lanes = self.lanes;
        let [x, saved, y] = [&self.x, &self.saved, &self.y].map(|rows| Rows::new(rows, lanes));
        self.network.vjp(Backward {
            theta: &self.theta,
            tape: Tape { x, saved, y },
            ybar: RowsMut::new(&mut self.ybar, lanes),
            xbar: to_inputs.then(|| RowsMut::new(&mut self.xbar, lanes)),
            thetabar: &mut self.thetabar,
            scratch: RowsMut::new(&mut self.scratch, lanes),
        });
    }
}

/// Gradients of an objective over all of its samples.
pub(crate) struct Training<F, T> {
    fit: F,
    theta: Vec<T>,
    gradient: Vec<T>,
    samples: Vec<usize>,
    draw: u64,
}

impl<F: Objective<T>, T: Scalar> Training<F, T> {
    fn new(fit: F) -> Self {
        let mut theta = vec![T::zero(); fit.parameters()];
        fit.initialise(1, &mut theta);
        let samples = (0..fit.samples()).collect();
        Self { gradient: theta.clone(), fit, theta, samples, draw: 0 }
    }

    /// The next one, on the threads of the pool that this is called in.
    pub(crate) fn gradient(&mut self) {
        self.draw += 1;
        let batch = Batch::new(&self.samples, self.draw);
        let loss = self.fit.gradient(&self.theta, batch, &mut self.gradient);
        black_box(loss.expect("a gradient"));
    }
}
