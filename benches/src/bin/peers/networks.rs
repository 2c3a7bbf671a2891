//! Training steps of plain networks with tanh: gradient of the cross-entropy, and Adam.

use crate::row::{INSIDE, Measured};
use hpfracc::ndarray::Array2;
use hpfracc::nn::{
    Activation, Adam, Batch, Layer, Network, Objective, Optimiser, Scalar, Supervised, Targets,
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
    let mut theta = weights(Objective::<T>::parameters(&fit));
    let mut gradient = theta.clone();
    let mut adam = Optimiser::Adam(Adam::default()).state::<T>(theta.len()).expect(INSIDE);
    let batch: Vec<usize> = (0..samples).collect();
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
