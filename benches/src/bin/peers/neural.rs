//! Training steps of neural differential equations: batch 256, state 4, drift 4-64-64-4, f32;
//! gradient of the mean square at the final time, and Adam.

use crate::networks::weights;
use crate::row::{INSIDE, Measured};
use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{
    Checkpoints, Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::{Activation, Adam, Batch, Network, Objective, Optimiser};
use hpfracc::sde::PathMemory;

const BATCH: usize = 256;
const STATE: usize = 4;

/// Stochastic equation with a diagonal diffusion 4-64-4, in `steps` steps to t = 1.
pub(crate) fn stochastic(method: &str, seconds: f64, steps: usize) -> Option<Measured> {
    let checkpoints = match method {
        "default" => Checkpoints::All,
        "recomputed" => Checkpoints::Sqrt,
        _ => return None,
    };
    let network = Network::perceptron(&[STATE, 64, STATE], Activation::Tanh).expect(INSIDE);
    let diffusion = Diffusion::Diagonal { network, floor: None };
    let solving = Solving { checkpoints, ..Solving::new(1.0, steps) };
    Some(step(diffusion, Orders::One, solving, seconds))
}

/// Equation of order 0.7 without noise, in `steps` explicit product rectangles to t = 1.
pub(crate) fn fractional(method: &str, seconds: f64, steps: usize) -> Option<Measured> {
    let memory = match method {
        "exact" => PathMemory::Blocked,
        "exponentials" => PathMemory::default(),
        _ => return None,
    };
    let solving = Solving { memory, ..Solving::new(1.0, steps) };
    Some(step(Diffusion::None, Orders::Fixed(vec![0.7]), solving, seconds))
}

fn step(diffusion: Diffusion, orders: Orders, solving: Solving, seconds: f64) -> Measured {
    let drift = Network::perceptron(&[STATE, 64, 64, STATE], Activation::Tanh).expect(INSIDE);
    let model = NeuralFractionalSde::new(drift, diffusion, orders).expect(INSIDE);
    let starts = Array2::from_shape_fn((BATCH, STATE), |(i, j)| ((i + 7 * j) % 13) as f32 / 13.0);
    let ends = |(i, _, j): (usize, usize, usize)| ((i + 3 * j) % 11) as f32 / 11.0;
    let ends = Array3::from_shape_fn((BATCH, 1, STATE), ends);
    let windows = Windows::new(starts, &[solving.steps], ends).expect(INSIDE);
    let fit = SdeFit::new(model, solving, windows, PathLoss::default(), 1).expect(INSIDE);
    let mut theta: Vec<f32> = weights(fit.parameters());
    let mut gradient = theta.clone();
    let mut adam = Optimiser::Adam(Adam::default()).state(theta.len()).expect(INSIDE);
    let batch: Vec<usize> = (0..BATCH).collect();
    let (mut draw, mut first_loss) = (0, None);
    let measured = Measured::of(seconds, || {
        draw += 1;
        let loss = fit.gradient(&theta, Batch::new(&batch, draw), &mut gradient).expect(INSIDE);
        first_loss.get_or_insert(loss);
        adam.step(1e-4, &mut theta, &gradient).expect(INSIDE);
    });
    measured.with_loss(first_loss.unwrap_or(f64::NAN))
}
