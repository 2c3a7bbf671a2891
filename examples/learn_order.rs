//! The order of a relaxation, learned from noisy data: `cargo run --release --example learn_order`.
//!
//! Eight time series of the relaxation D^0.6 y = -y are observed with an error of one per cent. A
//! network for the right-hand side and the order on the left-hand side are learned together; the
//! same network with the order 1 has no memory, and cannot fit them.

use hpfracc::ndarray::{Array2, Array3};
use hpfracc::nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{Activation, Adam, Batch, Network, Objective, Optimiser, Schedule};
use hpfracc::noise::{Normals, Purpose, Stream};
use hpfracc::sde::{Drift, PathMemory};
use hpfracc::special::MittagLeffler;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish, publish_curves};
use std::ops::ControlFlow;

/// Order of the data.
const ALPHA: f64 = 0.6;
/// Standard deviation of the errors of observation.
const ERROR: f64 = 0.01;
const TRAINING: [f64; 8] = [0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8];
const HELD_BACK: [f64; 4] = [0.5, 0.9, 1.3, 1.7];
/// Number of observations, and steps between two of them.
const TIMES: usize = 32;
const EVERY: usize = 4;
const END: f64 = 4.0;

pub(crate) fn main() -> Outcome<()> {
    let runs = [
        Run::new(
            "order learned",
            Orders::Learned { lower: 0.2, upper: 1.0, start: 0.9, each: false },
        )?,
        Run::new("order 1", Orders::One)?,
    ];
    println!("D^alpha y = network(y), from {} series with errors of {ERROR}", TRAINING.len());
    for run in &runs {
        println!("{:<14} alpha = {:.4}   held-out error {:.4}", run.name, run.alpha, run.held_out);
    }
    println!("The order of the data is {ALPHA}; the error of a perfect model is {ERROR}.");
    draw(&runs)
}

fn draw(runs: &[Run; 2]) -> Outcome<()> {
    let times: Vec<f64> = (1..=TIMES).map(time).collect();
    let data = observed(&HELD_BACK, 1)?;
    let all = |k: usize| data.iter().skip(k * TIMES).take(TIMES).copied().collect::<Vec<f64>>();
    let series: Vec<Vec<f64>> = (0..HELD_BACK.len()).map(all).collect();
    let dots = series.iter().map(|y| Curve::line("", &times, y, 2).marked(Mark::Rings));
    let mut fits: Vec<Curve<'_>> = dots.collect();
    for (color, run) in runs.iter().enumerate() {
        for (k, y) in run.fitted.iter().enumerate() {
            let name = if k == 0 { run.name } else { "" };
            fits.push(Curve::line(name, &times, y, color));
        }
    }
    let epochs: Vec<Vec<f64>> =
        runs.iter().map(|run| (1..=run.losses.len()).map(|n| n as f64).collect()).collect();
    let pairs = runs.iter().zip(&epochs).enumerate();
    let losses: Vec<Curve<'_>> =
        pairs.map(|(k, (run, epochs))| Curve::line(run.name, epochs, &run.losses, k)).collect();
    let chart = |title, x, y, curves| Chart { title, x: Axis::linear(x), y, curves, equal: false };
    let losses_of: Vec<(&str, &[f64])> = runs.iter().map(|run| (run.name, &*run.losses)).collect();
    publish_curves("learn_order", 20, &losses_of)?;
    publish(
        "learn_order",
        &Sheet {
            title: "A relaxation of order 0.6, learned with and without memory",
            columns: &[
                &[chart("held-out series and models", "t", Axis::linear("y"), &fits)],
                &[chart("training", "epoch", Axis::log("mean squared error"), &losses)],
            ],
        },
    )
}

fn time(n: usize) -> f64 {
    END * n as f64 / TIMES as f64
}

/// Series with these initial values, with errors, by series and time.
fn observed(starts: &[f64], first: u64) -> Outcome<Array3<f64>> {
    let relaxation = MittagLeffler::new(ALPHA, 1.0)?;
    let (normals, stream) =
        (Normals::new(20), Stream::new(Purpose::Brownian, 0).ok_or("no stream")?);
    Ok(Array3::from_shape_fn((starts.len(), TIMES, 1), |(i, n, _)| {
        let exact = starts[i] * relaxation.eval(-time(n + 1).powf(ALPHA));
        exact + ERROR * normals.at::<f64>(stream, 100 * first + i as u64, n as u32)
    }))
}

fn windows(starts: &[f64], first: u64) -> Outcome<Windows<f64>> {
    let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
    let from = Array2::from_shape_fn((starts.len(), 1), |(i, _)| starts[i]);
    Ok(Windows::new(from, &nodes, observed(starts, first)?)?)
}

/// A model and the results of its training.
struct Run {
    name: &'static str,
    alpha: f64,
    /// Root mean square error on the held-out series.
    held_out: f64,
    /// Solutions of the model with the initial values of the held-out series.
    fitted: Vec<Vec<f64>>,
    /// Loss by epoch.
    losses: Vec<f64>,
}

impl Run {
    fn new(name: &'static str, orders: Orders) -> Outcome<Self> {
        let drift = Network::perceptron(&[1, 4, 1], Activation::Tanh)?;
        let model = NeuralFractionalSde::new(drift, Diffusion::None, orders)?;
        let memory = PathMemory::Direct;
        let solving = Solving {
            memory,
            drift: Drift::PredictorCorrector,
            ..Solving::new(END, TIMES * EVERY)
        };
        let fit = |windows| SdeFit::new(model.clone(), solving, windows, PathLoss::default(), 1);
        let (training, judging) = (fit(windows(&TRAINING, 0)?)?, fit(windows(&HELD_BACK, 1)?)?);
        let settings = Training {
            optimiser: Optimiser::Adam(Adam::default()),
            schedule: Schedule::Cosine { from: 0.03, to: 1e-4, steps: 3000 },
            epochs: 3000,
            batch: TRAINING.len(),
            seed: 1,
            ..Training::default()
        };
        let mut losses = Vec::new();
        let trained = Trainer::new(&training, settings).run(|event| {
            if let Event::Epoch(epoch) = event {
                losses.push(epoch.loss);
            }
            ControlFlow::Continue(())
        })?;
        let theta = trained.parameters();
        let all: Vec<usize> = (0..HELD_BACK.len()).collect();
        let nodes = judging.windows().nodes();
        let paths =
            model.simulate(theta, judging.windows().starts().view(), (&solving, nodes), 1, 0)?;
        Ok(Self {
            name,
            alpha: model.order_values(theta)?[0],
            held_out: judging.loss(theta, Batch::new(&all, 0))?.sqrt(),
            fitted: paths.outer_iter().map(|path| path.iter().copied().collect()).collect(),
            losses,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_testkit::{Figure, record};

    #[test]
    fn the_order_is_found_and_memory_is_needed() {
        let orders = Orders::Learned { lower: 0.2, upper: 1.0, start: 0.9, each: false };
        let learned = Run::new("", orders).unwrap();
        assert!((learned.alpha - ALPHA).abs() < 0.02, "{}", learned.alpha);
        let without = Run::new("", Orders::One).unwrap();
        assert!(learned.held_out < 0.5 * without.held_out);
        assert!(learned.held_out < 1.2 * ERROR, "{}", learned.held_out);

        let row = |what, numbers: [f64; 3]| {
            let figures = numbers.map(|number| Figure::number(number, 4));
            let names = ["with memory", "order 1", "for comparison"];
            let figures: Vec<(&str, Figure)> = names.into_iter().zip(figures).collect();
            let labels = [("training", "relaxation with errors of 0.01"), ("figure", what)];
            record("accuracy/trainings", &labels, &figures);
        };
        row("order", [learned.alpha, 1.0, ALPHA]);
        row("error on held-out series", [learned.held_out, without.held_out, ERROR]);
    }
}
