//! Gradients of neural differential equations.

use super::{Alone, INSIDE, Training};
use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, label, ratio, reference_time, time};
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{
    Checkpoints, Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::{Activation, Network};
use hpfracc::sde::{Drift, PathMemory};
use rayon::ThreadPool;
use std::cell::RefCell;

const BATCH: usize = 256;
const STATE: usize = 4;

fn drift() -> Network {
    Network::perceptron(&[STATE, 64, 64, STATE], Activation::Tanh).expect(INSIDE)
}

fn diffusion() -> Network {
    Network::perceptron(&[STATE, 64, STATE], Activation::Tanh).expect(INSIDE)
}

fn windows(batch: usize, nodes: &[usize]) -> Windows<f32> {
    let starts = Array2::from_shape_fn((batch, STATE), |(i, j)| ((i + 7 * j) % 13) as f32 / 13.0);
    let observed = Array3::from_shape_fn((batch, nodes.len(), STATE), |(i, _, j)| {
        ((i + 3 * j) % 11) as f32 / 11.0
    });
    Windows::new(starts, nodes, observed).expect(INSIDE)
}

/// A model of learning, and what a step of its solve evaluates.
struct Case {
    name: String,
    diffusion: Diffusion,
    orders: Orders,
    solving: Solving,
    /// Evaluations of the drift in a step.
    drifts: usize,
}

impl Case {
    fn stochastic(checkpoints: Checkpoints) -> Self {
        let again = if checkpoints == Checkpoints::All { "" } else { ", states computed again" };
        let solving = Solving { checkpoints, ..Solving::new(1.0, 100) };
        let name = format!("neural SDE, 100 steps{again}");
        let diffusion = Diffusion::Diagonal { network: diffusion(), floor: None };
        Self { name, diffusion, orders: Orders::One, solving, drifts: 1 }
    }

    fn fractional(steps: usize, how: &str, memory: PathMemory, drift: Drift) -> Self {
        let solving = Solving { memory, drift, ..Solving::new(1.0, steps) };
        let drifts = if drift == Drift::Rectangle { 1 } else { 2 };
        let name = format!("neural ODE of order 0.7, {steps} steps{how}");
        Self { name, diffusion: Diffusion::None, orders: Orders::Fixed(vec![0.7]), solving, drifts }
    }

    fn training(&self, batch: usize) -> Training<SdeFit<f32>, f32> {
        let Self { diffusion, orders, solving, .. } = self;
        let model = NeuralFractionalSde::new(drift(), diffusion.clone(), orders.clone());
        let data = windows(batch, &[solving.steps]);
        let fit = SdeFit::new(model.expect(INSIDE), *solving, data, PathLoss::default(), 1);
        Training::new(fit.expect(INSIDE))
    }

    /// The gradient of a batch, and the networks alone: forward for the solve, and again before each
    /// derivative.
    fn row(&self, bench: &mut Bench, [one, two]: &[ThreadPool; 2]) {
        let mut training = self.training(BATCH);
        let held = peak_bytes(|| two.install(|| training.gradient()));
        let noisy = !matches!(self.diffusion, Diffusion::None);
        let (mut f, mut g) =
            (Alone::<f32>::new(drift(), BATCH), Alone::<f32>::new(diffusion(), BATCH));
        let mut networks = || {
            for _ in 0..self.solving.steps {
                (0..self.drifts).for_each(|_| f.forward_and_backward());
                if noisy {
                    g.forward_and_backward();
                }
            }
        };
        let training = RefCell::new(training);
        let gradient = |pool: &ThreadPool| {
            let training = &mut *training.borrow_mut();
            pool.install(|| training.gradient());
        };
        let [least, alone, both] = interleaved(
            bench.budget.at_most(if bench.quick { 3 } else { 9 }),
            [&mut networks, &mut || gradient(one), &mut || gradient(two)],
        );
        bench.row([
            label(&self.name),
            reference_time(&least),
            time(&alone),
            ratio(&alone, &least),
            time(&both),
            ratio(&alone, &both),
            bytes(held),
        ]);
    }
}

/// A gradient of a batch of the neural SDE.
pub(crate) fn neural_sde(batch: usize) -> Training<SdeFit<f32>, f32> {
    Case::stochastic(Checkpoints::All).training(batch)
}

/// The neural SDE by the energy score of 8 paths of each sample.
#[cfg(feature = "gpu")]
pub(crate) fn neural_energy_score(batch: usize) -> SdeFit<f32> {
    let Case { diffusion, orders, solving, .. } = Case::stochastic(Checkpoints::All);
    let model = NeuralFractionalSde::new(drift(), diffusion, orders).expect(INSIDE);
    let data = windows(batch, &[solving.steps / 2, solving.steps]);
    SdeFit::new(model, solving, data, PathLoss::EnergyScore, 8).expect(INSIDE)
}

/// Gradients of batches of 256.
pub(crate) fn models(bench: &mut Bench) {
    bench.note(format!(
        "The gradient of a batch of {BATCH}, f32, state 4, drift 4-64-64-4 and diffusion 4-64-4 with tanh. Beside: the \
         networks alone, forward for the solve, forward again and back for the derivative, on one core. Held: the \
         most bytes that the first gradient holds at once on two threads, beyond model and data."
    ));
    bench.columns(
        "model | networks | one thread | one thread / networks | two threads | \
         one / two threads | held",
    );
    let pools = [1, 2].map(pool);
    let (exact, sum) = (PathMemory::Blocked, PathMemory::default());
    let (rectangle, corrected) = (Drift::Rectangle, Drift::PredictorCorrector);
    Case::stochastic(Checkpoints::All).row(bench, &pools);
    Case::stochastic(Checkpoints::Sqrt).row(bench, &pools);
    for steps in [200, if bench.quick { 400 } else { 1000 }] {
        Case::fractional(steps, "", exact, rectangle).row(bench, &pools);
        Case::fractional(steps, ", corrected", exact, corrected).row(bench, &pools);
        Case::fractional(steps, ", exponentials", sum, rectangle).row(bench, &pools);
    }
}
