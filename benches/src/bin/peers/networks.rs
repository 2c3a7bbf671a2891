//! Training steps of plain networks with tanh and of a transformer: gradient of the cross-entropy, and
//! Adam.

use crate::row::{INSIDE, Measured};
use hpfracc::ndarray::Array2;
use hpfracc::nn::{
    Activation, Adam, Batch, Layer, Network, Objective, Optimiser, Scalar, Supervised, Targets,
    Transformer,
};

/// Network 784-128-10 in f32.
pub(crate) fn images(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    (method == "adam").then(|| step::<f32>(&[784, 128, 10], seconds, samples))
}

/// Network 24-8-2 in f64.
pub(crate) fn small(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    (method == "adam").then(|| step::<f64>(&[24, 8, 2], seconds, samples))
}

fn step<T: Scalar>(rows: &[usize], seconds: f64, samples: usize) -> Measured
where
    Network: Layer<T>,
{
    let network = Network::perceptron(rows, Activation::Tanh).expect(INSIDE);
    let inputs = Array2::from_shape_fn((samples, rows[0]), |(i, j)| {
        T::narrow(((i * 7 + j * 13) % 17) as f64 / 17.0)
    });
    let classes = (0..samples).map(|i| i % rows[rows.len() - 1]).collect();
    let fit = Supervised::new(network, inputs, Targets::Classes(classes)).expect(INSIDE);
    steps(&fit, seconds)
}

/// Classes and length of the texts of the transformer.
const CLASSES: usize = 13;
const LENGTH: usize = 64;

/// Decoder with 19 million parameters, in f32.
pub(crate) fn transformer(method: &str, seconds: f64, samples: usize) -> Option<Measured> {
    if method != "adam" {
        return None;
    }
    let network = Transformer { hidden: 1376, ..Transformer::new(512, 8, 6, LENGTH) };
    let network = network.causal().classes(CLASSES).expect(INSIDE);
    let class = |i: usize, j: usize| (i * i + 3 * i * j + 5 * j * j) % CLASSES;
    let inputs = Array2::from_shape_fn((samples, LENGTH), |(i, j)| class(i, j) as f32);
    let targets = Array2::from_shape_fn((samples, LENGTH), |(i, j)| class(i, j + 1));
    let fit = Supervised::new(network, inputs, Targets::ClassSeries(targets)).expect(INSIDE);
    Some(steps(&fit.in_tiles_of(4).expect(INSIDE), seconds))
}

/// Training steps with all samples.
fn steps<T: Scalar>(fit: &Supervised<T, Network>, seconds: f64) -> Measured
where
    Network: Layer<T>,
{
    let mut theta = weights(Objective::<T>::parameters(fit));
    let mut gradient = theta.clone();
    let mut adam = Optimiser::Adam(Adam::default()).state::<T>(theta.len()).expect(INSIDE);
    let batch: Vec<usize> = (0..fit.samples()).collect();
    let mut first_loss = None;
    let measured = Measured::of(seconds, || {
        let loss = fit.gradient(&theta, Batch::new(&batch, 0), &mut gradient).expect(INSIDE);
        first_loss.get_or_insert(loss);
        adam.step(1e-4, &mut theta, &gradient).expect(INSIDE);
    });
    measured.with_loss(first_loss.unwrap_or(f64::NAN))
}

/// Initial weights of all libraries: equal first losses show that they solve the same problem.
pub(crate) fn weights<T: Scalar>(parameters: usize) -> Vec<T> {
    (1..=parameters).map(|i| T::narrow(0.1 * (i as f64).sin())).collect()
}
