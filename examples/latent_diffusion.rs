//! A distribution that is not observed directly: `cargo run --release --example latent_diffusion`.
//!
//! Particles in a viscoelastic bath, observed by a blurred camera: their mean square displacement
//! grows as t^0.5. A latent stochastic equation learns the distribution of such time series, and
//! new particles drawn from it spread nearly as the true ones do. Its order is learned with all
//! other parameters, and stays near 1: over one window a restoring drift has the same effect as a
//! memory, and the evidence lower bound (ELBO) hardly distinguishes them: alpha is not
//! identifiable. Where the order itself is the question, fit the data as `learn_order` does.

use hpfracc::ndarray::{Array2, Array3, s};
use hpfracc::nn::models::{
    Diffusion, LatentFit, LatentFractionalSde, LatentParts, Orders, Solving, Windows,
};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{Activation, Adam, Loss, Network, Optimiser, Schedule};
use hpfracc::noise::{Normals, Purpose, Stream};
use hpfracc::prelude::*;
use hpfracc::sde::models::FractionalLangevin;
use hpfracc_plot::{Axis, Chart, Curve, Mark, Sheet};
use pictures::{Outcome, publish, publish_curves};
use std::ops::ControlFlow;

/// Order of the bath, the exponent of the mean square displacement.
const ALPHA: f64 = 0.5;
/// Standard deviation of the camera's error.
const BLUR: f64 = 0.05;
/// Particles of the training data, and particles drawn for comparison.
const PARTICLES: usize = 256;
const DRAWN: usize = 4000;
/// Times of observation, and steps between two of them.
const TIMES: usize = 24;
const EVERY: usize = 2;
const END: f64 = 1.0;
/// Size of the context that the encoder passes to the posterior.
const CONTEXT: usize = 24;

pub(crate) fn main() -> Outcome<()> {
    let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
    let runs = [Run::new("order learned", learned)?, Run::new("order 1", Orders::One)?];
    let truth = truth()?;
    println!(
        "Mean square displacement at the end, its power of t, and the negative ELBO per sequence"
    );
    println!("{:<14}{:8.3}  t^{:.3}", "bath", truth[TIMES - 1], slope(&truth));
    for Run { name, spread, losses } in &runs {
        let bound = losses.last().copied().unwrap_or(f64::NAN);
        println!("{name:<14}{:8.3}  t^{:.3}  {bound:.4}", spread[TIMES - 1], slope(spread));
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
    let bound = chart(
        "training",
        Axis::linear("epoch"),
        Axis::linear("negative ELBO per sequence"),
        &losses,
    );
    let title = "Anomalous diffusion, learned by latent stochastic equations";
    let losses_of: Vec<(&str, &[f64])> = runs.iter().map(|run| (run.name, &*run.losses)).collect();
    publish_curves("latent_diffusion", 1, &losses_of)?;
    publish("latent_diffusion", &Sheet { title, columns: &[&[spread], &[bound]] })
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

/// Observations of the camera.
fn observations() -> Outcome<Windows<f64>> {
    let ensemble = Ensemble::new(PARTICLES, 8 * TIMES)?.saving_every(8)?;
    let paths = bath()?.simulate::<f64, _>(&ensemble, (0.0, END), 5, &Paths)?;
    let (normals, stream) =
        (Normals::new(6), Stream::new(Purpose::Brownian, 0).ok_or("no stream")?);
    let observed = Array3::from_shape_fn((PARTICLES, TIMES, 1), |(path, n, _)| {
        paths[[path, n + 1, 0]] + BLUR * normals.at::<f64>(stream, path as u64, n as u32)
    });
    let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
    Ok(Windows::new(Array2::zeros((PARTICLES, 1)), &nodes, observed)?)
}

/// A model and the results of its training.
struct Run {
    name: &'static str,
    /// Mean square displacements of particles drawn from it.
    spread: Vec<f64>,
    /// Negative ELBO by epoch.
    losses: Vec<f64>,
}

impl Run {
    fn new(name: &'static str, orders: Orders) -> Outcome<Self> {
        let tanh = Activation::Tanh;
        let model = LatentFractionalSde::new(LatentParts {
            encoder: Network::perceptron(&[TIMES, 32, 2 + CONTEXT], tanh)?,
            // Inputs: the state, the context and the time.
            posterior: Network::perceptron(&[1 + CONTEXT + 1, 64, 1], tanh)?,
            prior: Network::perceptron(&[1, 8, 1], tanh)?,
            diffusion: Diffusion::Additive { start: 0.5 },
            decoder: Network::perceptron(&[1, 1], tanh)?,
            orders,
        })?;
        let solving = Solving::new(END, TIMES * EVERY);
        let mut fit = LatentFit::new(model, solving, observations()?, Loss::MeanSquare, 1)?;
        // With this weight, squares are the log-likelihood of a camera of known error, times 2
        // BLUR^2.
        fit.set_kl_weight(2.0 * BLUR * BLUR)?;
        let training = Training {
            optimiser: Optimiser::Adam(Adam::default()),
            schedule: Schedule::Cosine { from: 0.01, to: 1e-4, steps: 800 },
            epochs: 100,
            clip: Some(10.0),
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
        let drawn = fit.model().simulate(theta, (&solving, &nodes), DRAWN, 7)?;
        let square = |n: usize| drawn.slice(s![.., n, 0]).iter().map(|x| x * x).sum::<f64>();
        let spread = (0..TIMES).map(|n| square(n) / DRAWN as f64).collect();
        Ok(Self { name, spread, losses })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn particles_drawn_spread_as_in_the_bath() {
        let learned = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
        let run = Run::new("", learned).unwrap();
        let truth = truth().unwrap();
        assert!((slope(&run.spread) - slope(&truth)).abs() < 0.15);
        for (drawn, exact) in run.spread.iter().zip(&truth).skip(1) {
            assert!((drawn / exact - 1.0).abs() < 0.45, "{drawn} {exact}");
        }
        assert!(run.losses[99] < 0.2 * run.losses[0]);
    }
}
