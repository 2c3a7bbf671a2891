//! Learned orders of neural fractional equations: estimates, their errors, and trainings.

use hpfracc_nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::trainer::{Trained, Trainer, Training};
use hpfracc_nn::{Activation, Network, Schedule};
use hpfracc_sde::noise::{Normals, Purpose, Stream};
use hpfracc_sde::{Drift, PathMemory};
use hpfracc_special::MittagLeffler;
use ndarray::{Array2, Array3};
use std::ops::ControlFlow;

const ALPHA: f64 = 0.7;
const TIMES: usize = 32;
const EVERY: usize = 4;
const END: f64 = 4.0;
const STARTS: [f64; 8] = [0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8];

/// Relaxations of order 0.7, `y = y_0 E_0.7(-t^0.7)`, with normal errors.
fn relaxations(starts: &[f64], error: f64, seed: u64) -> Windows<f64> {
    let relaxation = MittagLeffler::new(ALPHA, 1.0).unwrap();
    let (normals, stream) = (Normals::new(seed), Stream::new(Purpose::Brownian, 0).unwrap());
    let observed = Array3::from_shape_fn((starts.len(), TIMES, 1), |(i, n, _)| {
        let t = END * (n + 1) as f64 / TIMES as f64;
        let exact = starts[i] * relaxation.eval(-t.powf(ALPHA));
        exact + error * normals.at::<f64>(stream, i as u64, n as u32)
    });
    let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
    let starts = Array2::from_shape_fn((starts.len(), 1), |(i, _)| starts[i]);
    Windows::new(starts, &nodes, observed).unwrap()
}

fn train(windows: Windows<f64>, drift: Drift, training: Training) -> (f64, Trained<f64>) {
    let network = Network::perceptron(&[1, 8, 1], Activation::Tanh).unwrap();
    let orders = Orders::Learned { lower: 0.2, upper: 1.0, start: 0.9, each: false };
    let model = NeuralFractionalSde::new(network, Diffusion::None, orders).unwrap();
    let memory = PathMemory::Direct;
    let solving = Solving { memory, drift, ..Solving::new(END, TIMES * EVERY) };
    let fit = SdeFit::new(model.clone(), solving, windows, PathLoss::default(), 1).unwrap();
    let mut loss = 0.0;
    let trained = Trainer::new(&fit, training)
        .run(|event| {
            if let hpfracc_nn::trainer::Event::Epoch(epoch) = event {
                if epoch.epoch == 0 || epoch.epoch % 500 == 0 { eprintln!("  epoch {} {}", epoch.epoch, epoch.loss); }
                loss = epoch.loss;
            }
            ControlFlow::Continue(())
        })
        .unwrap();
    eprintln!("loss {loss:.3e}");
    (model.order_values(trained.parameters()).unwrap()[0], trained)
}

#[test]
fn experiment() {
    for drift in [Drift::Rectangle, Drift::PredictorCorrector] {
        for (name, error) in [("clean", 0.0), ("noisy", 0.01)] {
            for seed in 0..5 {
                let now = std::time::Instant::now();
                let training = Training { seed, ..Training::default() };
                let (order, trained) = train(relaxations(&STARTS, error, seed), drift, training);
                eprintln!("{drift:?} {name} {seed}: {order:.4} {:?} {:.2?}", trained.orders, now.elapsed());
            }
        }
        for seed in 0..3 {
            let (order, trained) = train(relaxations(&STARTS[3..4], 0.01 * (seed % 2) as f64, seed), drift, Training { seed, ..Training::default() });
            eprintln!("{drift:?} single {seed}: {order:.4} {:?}", trained.orders);
        }
    }
    let schedule = Schedule::Cosine { from: 0.03, to: 1e-4, steps: 3000 };
    for seed in 0..3 {
        for estimate in [false, true] {
        let mut training = Training { epochs: 3000, schedule: schedule.clone(), seed, ..Training::default() };
        training.orders.estimate = estimate;
        let (order, _) = train(relaxations(&STARTS, 0.0, 0), Drift::PredictorCorrector, training);
        eprintln!("3000 {estimate} {seed} {order:.4}");
        }
    }
}
