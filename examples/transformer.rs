//! A transformer of 19 million parameters learns to add: `cargo run --release --example transformer`.
//!
//! The text is made here: sums of two numbers below 100, `7+25=32` and the like, one a line. The decoder
//! predicts each character from those before it. Printed are the loss and the characters trained on in a
//! second.

use hpfracc::ndarray::{Array2, s};
use hpfracc::nn::trainer::{Event, Trainer, Training};
use hpfracc::nn::{
    Adam, Batch, Network, Objective, Optimiser, Schedule, Shape, Supervised, Targets, Transformer,
};
use hpfracc::noise::Philox;
use pictures::Outcome;
use std::ops::ControlFlow;
use std::time::Instant;

const CHARACTERS: &str = "0123456789+=\n";

/// A network, its data and the length of its training.
#[derive(Debug, Clone, Copy)]
struct Run {
    network: Transformer,
    texts: usize,
    batch: usize,
    epochs: u64,
    rate: f64,
}

impl Run {
    const LARGE: Self = Self {
        network: Transformer {
            features: 512,
            heads: 8,
            blocks: 6,
            length: 64,
            hidden: 1376,
            causal: true,
        },
        texts: 128,
        batch: 16,
        epochs: 4,
        rate: 3e-4,
    };
}

pub(crate) fn main() -> Outcome<()> {
    train(Run::LARGE).map(|_| ())
}

/// The mean loss of each epoch.
fn train(run: Run) -> Outcome<Vec<f64>> {
    let text = sums(run.texts * run.network.length + 1);
    let objective = supervised(run, &text)?;
    let parameters = objective.parameters();
    println!("{:.1} million parameters, {} characters", parameters as f64 / 1e6, text.len());
    every_parameter_has_a_gradient(&objective)?;
    let steps = run.epochs * (run.texts / run.batch) as u64;
    let settings = Training {
        optimiser: Optimiser::Adam(Adam::default()),
        schedule: Schedule::Cosine { from: run.rate, to: 0.1 * run.rate, steps },
        epochs: run.epochs,
        batch: run.batch,
        seed: 1,
        ..Training::default()
    };
    let (mut losses, mut begun) = (Vec::new(), Instant::now());
    Trainer::new(&objective, settings).run(|event| {
        if let Event::Epoch(epoch) = event {
            let seconds = begun.elapsed().as_secs_f64();
            let rate = (run.texts * run.network.length) as f64 / seconds;
            println!("epoch {}: loss {:.3}, {rate:.0} characters/s", losses.len() + 1, epoch.loss);
            losses.push(epoch.loss);
            begun = Instant::now();
        }
        ControlFlow::Continue(())
    })?;
    Ok(losses)
}

/// Consecutive pieces of the text, each with itself one character later as target.
fn supervised(run: Run, text: &[usize]) -> Outcome<Supervised<f32, Network>> {
    let length = run.network.length;
    let piece = |(i, j): (usize, usize)| text[i * length + j];
    let pieces = Array2::from_shape_fn((run.texts, length + 1), piece);
    let inputs = pieces.slice(s![.., ..length]).mapv(|character| character as f32);
    let targets = Targets::ClassSeries(pieces.slice(s![.., 1..]).to_owned());
    let network = run.network.classes(CHARACTERS.len())?;
    Ok(Supervised::new(network, inputs, targets)?.in_tiles_of(4)?)
}

/// Sums of random numbers, as positions in [`CHARACTERS`].
fn sums(length: usize) -> Vec<usize> {
    let philox = Philox::new(7);
    let line = |i: u32| {
        let [a, b, ..] = philox.block([i, 0, 0, 0]).map(|word| word % 100);
        format!("{a}+{b}={}\n", a + b)
    };
    let text: String = (0..length as u32 / 5 + 1).map(line).collect();
    text.chars().take(length).filter_map(|character| CHARACTERS.find(character)).collect()
}

/// Of some text; that of one text alone may be exactly zero by chance.
fn every_parameter_has_a_gradient(objective: &Supervised<f32, Network>) -> Outcome<()> {
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(1, &mut theta);
    let (mut gradient, mut reached) = (vec![0.0; theta.len()], vec![false; theta.len()]);
    for sample in 0..4 {
        objective.gradient(&theta, Batch::new(&[sample], 0), &mut gradient)?;
        reached.iter_mut().zip(&gradient).for_each(|(reached, slope)| *reached |= *slope != 0.0);
    }
    let mut rest = &reached[..];
    for block in objective.network().blocks() {
        let (own, after) = rest.split_at(block.len());
        rest = after;
        let without = own.iter().filter(|reached| !**reached).count();
        if without > 0 {
            return Err(format!("{without} parameters of {} without gradient", block.name).into());
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_falls() {
        let network = Transformer::new(32, 2, 2, 32).causal();
        let run = Run { network, texts: 64, batch: 8, epochs: 40, rate: 3e-3 };
        let losses = train(run).unwrap();
        // The frequencies of the 13 characters alone leave 2.5: it reads what is before them.
        assert!(losses[0] > 2.5 && losses[39] < 1.5, "{losses:?}");
    }
}
