//! The distribution of a random motion, learned from paths: `cargo run --release --example learn_diffusion`.
//!
//! Particles in a viscoelastic bath: their mean square displacement grows as t^0.5. A neural
//! fractional stochastic equation, `D^alpha x = f(x) + sigma dW/dt`, is trained on 1024 of their
//! paths so that the distribution of its own paths agrees with theirs (energy distance). Without a
//! drift its mean square displacement grows as t^(2 alpha - 1), so the order is near 0.75. The same
//! equation of order 1 can only bend the straight line of free diffusion by a restoring drift.

use hpfracc::ndarray::{Array2, Array3, s};
use hpfracc::nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{Activation, Adam, Network, Optimiser, Pairs, Schedule};
use hpfracc::prelude::*;
use hpfracc::sde::models::FractionalLangevin;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish, publish_curves};
use std::ops::ControlFlow;

/// Order of the bath, the exponent of the mean square displacement.
const ALPHA: f64 = 0.5;
/// Particles of the training data, and particles drawn for comparison.
const PARTICLES: usize = 1024;
const DRAWN: usize = 4000;
/// Times of observation, and steps between two of them.
const TIMES: usize = 24;
const EVERY: usize = 2;
const END: f64 = 1.0;
/// Paths of the equation for each particle of a batch.
const PATHS: usize = 4;

pub(crate) fn main() -> Outcome<()> {
    let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
    let runs = [Run::new("order learned", learned)?, Run::new("order 1", Orders::One)?];
    let truth = truth()?;
    println!("Mean square displacement at the end, its power of t, and the order of the equation");
    println!("{:<14}{:8.3}  t^{:.3}", "bath", truth[TIMES - 1], slope(&truth));
    for Run { name, spread, order, .. } in &runs {
        println!("{name:<14}{:8.3}  t^{:.3}  {order:.3}", spread[TIMES - 1], slope(spread));
    }
    draw(&runs, &truth)
}

fn draw(runs: &[Run; 2], truth: &[f64]) -> Outcome<()> {
    let times: Vec<f64> = (1..=TIMES).map(time).collect();
    let mut spreads = vec![Curve::line("theory", &times, truth, 2)];
    for (color, run) in runs.iter().enumerate() {
        spreads.push(Curve::line(run.name, &times, &run.spread, color).marked(Mark::Rings));
    }
    let epochs: Vec<Vec<f64>> =
        runs.iter().map(|run| (1..=run.losses.len()).map(|n| n as f64).collect()).collect();
    let losses: Vec<Curve<'_>> = (runs.iter().zip(&epochs).enumerate())
        .map(|(k, (run, epochs))| Curve::line(run.name, epochs, &run.losses, k))
        .collect();
    let chart = |title, x, y, curves| Chart { title, x, y, curves, equal: false };
    let spread = chart(
        "particles drawn from the learned equation",
        Axis::log("t"),
        Axis::log("mean square displacement"),
        &spreads,
    );
    let bound = chart("training", Axis::linear("epoch"), Axis::linear("energy distance"), &losses);
    let title = "Anomalous diffusion, learned by stochastic equations";
    let losses_of: Vec<(&str, &[f64])> = runs.iter().map(|run| (run.name, &*run.losses)).collect();
    publish_curves("learn_diffusion", 1, &losses_of)?;
    publish("learn_diffusion", &Sheet { title, columns: &[&[spread], &[bound]] })
}

fn time(n: usize) -> f64 {
    END * n as f64 / TIMES as f64
}

/// Exponent of t between the first times and the last.
fn slope(spread: &[f64]) -> f64 {
    (spread[TIMES - 1] / spread[1]).ln() / (time(TIMES) / time(2)).ln()
}

fn bath() -> Result<FractionalLangevin, SdeError> {
    FractionalLangevin::default().alpha(ALPHA)
}

fn truth() -> Outcome<Vec<f64>> {
    let bath = bath()?;
    Ok((1..=TIMES).map(|n| bath.mean_square_displacement(time(n))).collect::<Result<_, _>>()?)
}

/// Positions of the particles.
fn observations() -> Outcome<Windows<f64>> {
    let ensemble = Ensemble::new(PARTICLES, 8 * TIMES)?.saving_every(8)?;
    let paths = bath()?.simulate::<f64, _>(&ensemble, (0.0, END), 5, &Paths)?;
    let observed =
        Array3::from_shape_fn((PARTICLES, TIMES, 1), |(path, n, _)| paths[[path, n + 1, 0]]);
    let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
    Ok(Windows::new(Array2::zeros((PARTICLES, 1)), &nodes, observed)?)
}

/// A model and the results of its training.
struct Run {
    name: &'static str,
    order: f64,
    /// Mean square displacements of particles drawn from it.
    spread: Vec<f64>,
    /// Energy distance by epoch.
    losses: Vec<f64>,
}

impl Run {
    fn new(name: &'static str, orders: Orders) -> Outcome<Self> {
        let drift = Network::perceptron(&[1, 8, 1], Activation::Tanh)?;
        let model = NeuralFractionalSde::new(drift, Diffusion::Additive { start: 0.5 }, orders)?;
        let solving = Solving::new(END, TIMES * EVERY);
        let loss = PathLoss::EnergyDistance(Pairs::Distinct);
        let fit = SdeFit::new(model, solving, observations()?, loss, PATHS)?;
        let training = Training {
            optimiser: Optimiser::Adam(Adam::default()),
            schedule: Schedule::Cosine { from: 0.01, to: 1e-4, steps: 1920 },
            epochs: 60,
            seed: 1,
            ..Training::default()
        };
        let mut losses = Vec::new();
        let trained = Trainer::new(&fit, training).run(|event| {
            if let Event::Epoch(epoch) = event {
                losses.push(epoch.loss);
            }
            ControlFlow::Continue(())
        })?;
        let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
        let theta = trained.parameters();
        let drawn = fit.model().simulate(
            theta,
            Array2::zeros((1, 1)).view(),
            (&solving, &nodes),
            DRAWN,
            7,
        )?;
        let order = fit.model().order_values(theta)?[0];
        let square = |n: usize| drawn.slice(s![.., n, 0]).iter().map(|x| x * x).sum::<f64>();
        let spread = (0..TIMES).map(|n| square(n) / DRAWN as f64).collect();
        Ok(Self { name, order, spread, losses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hpfracc_testkit::{Figure, record};

    #[test]
    fn particles_drawn_spread_as_in_the_bath() {
        let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
        let [run, without] = [learned, Orders::One].map(|orders| Run::new("", orders).unwrap());
        let truth = truth().unwrap();
        let error = |run: &Run| {
            let ratios = run.spread.iter().zip(&truth).map(|(drawn, exact)| drawn / exact);
            ratios.map(|ratio| (ratio - 1.0).abs()).fold(0.0, f64::max)
        };
        assert!(error(&run) < 0.15, "{}", error(&run));
        assert!(error(&without) > 0.3, "{}", error(&without));
        assert!((slope(&run.spread) - 0.5).abs() < 0.08, "{}", slope(&run.spread));
        assert!(run.losses[59] < 0.2 * run.losses[0]);

        let row = |what, figures: [Figure; 3]| {
            let names = ["with memory", "order 1", "for comparison"];
            let figures: Vec<(&str, Figure)> = names.into_iter().zip(figures).collect();
            let labels = [("training", "particles in a bath"), ("figure", what)];
            record("accuracy/trainings", &labels, &figures);
        };
        let three = [slope(&run.spread), slope(&without.spread), slope(&truth)];
        row("power of t of the mean square displacement", three.map(|x| Figure::number(x, 3)));
        let errors = [error(&run), error(&without), 0.0];
        row("its largest relative error", errors.map(Figure::error));
    }
}
