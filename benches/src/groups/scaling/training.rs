//! Gradients of training, by the samples of a batch.

use super::{Curve, exponents, measured};
use crate::bench::Bench;
use crate::cell::{bytes, each, label, size, time};
use crate::fit::Theory;
use crate::groups::nn::{neural_sde, perceptron};
use crate::threads::pool;
use rayon::ThreadPool;

const PERCEPTRON: [usize; 3] = [784, 128, 10];

/// Time and memory of a neural stochastic equation and of a plain network.
pub(crate) fn training(bench: &mut Bench) {
    bench.note(
        "The gradient of a batch, f32, one core: a neural SDE (state 4, drift 4-64-64-4, diffusion 4-64-4, 100 steps) \
         and a perceptron 784-128-10. Samples go in tiles of 64, so that smaller batches gain little. Memory: the \
         most that a first gradient holds at once, beyond model and data; the tiles of a perceptron's batch make up \
         to 16 gradients, which are added up, and more tiles need no more; of the equation a part grows with the batch \
         beside what its tiles hold.",
    );
    bench.columns("model | batch | time | a sample | memory");
    let pool = pool(1);
    let mut curves = Vec::new();
    rows(bench, &pool, &mut curves, ("neural SDE", Theory::LINEAR), &|batch| {
        let mut training = neural_sde(batch);
        Box::new(move || training.gradient())
    });
    rows(bench, &pool, &mut curves, ("perceptron", Theory::CONSTANT), &|batch| {
        let mut training = perceptron::<f32>(&PERCEPTRON, batch);
        Box::new(move || training.gradient())
    });
    exponents(bench, &curves);
}

fn rows(
    bench: &mut Bench,
    pool: &ThreadPool,
    curves: &mut Vec<Curve>,
    (name, held_as): (&str, Theory),
    training: &dyn Fn(usize) -> Box<dyn FnMut() + Send>,
) {
    let mut times = Curve::new(name, "time", Theory::LINEAR);
    let mut memory = Curve::new(name, "memory", held_as);
    let powers: &[u32] = if bench.quick { &[4, 6, 8, 10] } else { &[4, 5, 6, 7, 8, 9, 10, 11, 12] };
    for batch in powers.iter().map(|power| 1_usize << power) {
        let mut gradient = training(batch);
        let (whole, held) = measured(bench.budget, &mut || pool.install(&mut gradient));
        times.push(batch, whole.least);
        memory.push(batch, held);
        let sample = each(&whole, batch as f64);
        bench.row([label(name), size(batch), time(&whole), sample, bytes(held)]);
    }
    curves.extend([times, memory]);
}
