//! Steps of training of plain networks: the gradient and Adam.

use super::{Alone, INSIDE, TILE, Training};
use crate::allocated::peak_bytes;
use crate::bench::Bench;
use crate::cell::{bytes, label, ratio, reference_time, time};
use crate::measure::interleaved;
use crate::threads::pool;
use hpfracc::ndarray::Array2;
use hpfracc::nn::{
    Activation, Adam, Layer, Network, Optimiser, OptimiserState, Scalar, Supervised, Targets,
};
use rayon::ThreadPool;
use std::cell::RefCell;

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).expect(INSIDE)
}

/// A gradient of a batch of a perceptron that tells classes apart.
pub(crate) fn perceptron<T: Scalar>(
    rows: &[usize],
    samples: usize,
) -> Training<Supervised<T, Network>, T>
where
    Network: Layer<T>,
{
    let inputs = Array2::from_shape_fn((samples, rows[0]), |(i, j)| {
        T::narrow(((i * 7 + j * 13) % 17) as f64 / 17.0)
    });
    let classes = (0..samples).map(|i| i % rows[rows.len() - 1]).collect();
    let fit = Supervised::new(network(rows), inputs, Targets::Classes(classes));
    Training::new(fit.expect(INSIDE))
}

/// Steps of training beside the layers alone.
pub(crate) fn networks(bench: &mut Bench) {
    bench.note(
        "A step of training is the gradient of a batch and Adam. Beside: the layers alone, forward and back, on one \
         core, in the same tiles. Held: the most bytes that the first step holds at once on two threads, beyond network and data.",
    );
    bench.columns(
        "network | layers | gradient | step | step / layers | step, two threads | \
         one / two threads | held",
    );
    let pools = [1, 2].map(pool);
    row::<f32>(bench, &pools, "784-128-10, batch 128, f32", (&[784, 128, 10], 128));
    row::<f32>(bench, &pools, "784-128-10, batch 1024, f32", (&[784, 128, 10], 1024));
    row::<f32>(bench, &pools, "24-8-2, batch 200, f32", (&[24, 8, 2], 200));
    row::<f64>(bench, &pools, "24-8-2, batch 200, f64", (&[24, 8, 2], 200));
}

struct Step<T: Scalar> {
    training: Training<Supervised<T, Network>, T>,
    adam: OptimiserState<T>,
}

impl<T: Scalar> Step<T>
where
    Network: Layer<T>,
{
    fn new(rows: &[usize], samples: usize) -> Self {
        let training = perceptron::<T>(rows, samples);
        let adam = Optimiser::Adam(Adam::default()).state::<T>(training.theta.len());
        Self { training, adam: adam.expect(INSIDE) }
    }

    fn step(&mut self) {
        self.training.gradient();
        let Training { theta, gradient, .. } = &mut self.training;
        self.adam.step(1e-4, theta, gradient).expect("a step");
    }
}

fn row<T: Scalar>(
    bench: &mut Bench,
    [one, two]: &[ThreadPool; 2],
    name: &str,
    (rows, samples): (&[usize], usize),
) where
    Network: Layer<T>,
{
    // Handing work to a pool wakes a thread, which would show beside a step of some microseconds.
    let times = (50_000_000 / (samples * rows[0] * rows[1])).max(1);
    let tiles = (0..samples).step_by(TILE).map(|at| TILE.min(samples - at));
    let mut layers: Vec<_> = tiles.map(|lanes| Alone::<T>::new(network(rows), lanes)).collect();
    let mut step = Step::<T>::new(rows, samples);
    let held = peak_bytes(|| two.install(|| step.step()));
    let step = RefCell::new(step);
    let on = |pool: &ThreadPool, work: fn(&mut Step<T>)| {
        let step = &mut *step.borrow_mut();
        pool.install(|| (0..times).for_each(|_| work(step)));
    };
    let found = interleaved(
        bench.budget,
        [
            &mut || {
                for tile in &mut layers {
                    tile.forward();
                    tile.back(false);
                }
            },
            &mut || on(one, |step| step.training.gradient()),
            &mut || on(one, Step::step),
            &mut || on(two, Step::step),
        ],
    );
    let [layers, gradient, whole, both] = found;
    let [gradient, whole, both] = [gradient, whole, both].map(|t| t.scaled(1.0 / times as f64));
    bench.row([
        label(name),
        reference_time(&layers),
        time(&gradient),
        time(&whole),
        ratio(&whole, &layers),
        time(&both),
        ratio(&whole, &both),
        bytes(held),
    ]);
}
