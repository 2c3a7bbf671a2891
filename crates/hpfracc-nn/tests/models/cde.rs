use super::{check, check_drawing, dropping, gradient_on, learn, number, parameters};
use hpfracc_nn::models::{
    CdeFit, CdeParts, Controls, ModelError, NeuralCde, Orders, Solving, Windows,
};
use hpfracc_nn::{Activation, Batch, Loss, Network, Objective};
use hpfracc_sde::PathMemory;
use ndarray::{Array3, array};

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

fn model(orders: Orders) -> NeuralCde {
    NeuralCde::new(CdeParts {
        encoder: network(&[2, 3]),
        field: network(&[3, 4, 6]),
        readout: network(&[4, 3, 2]),
        orders,
    })
    .unwrap()
}

/// The time, and a series of which some is missing.
fn controls(samples: usize, steps: usize) -> Controls<f64> {
    let values =
        Array3::from_shape_fn((samples, steps + 1, 2), |(i, n, channel)| match (channel, n % 3) {
            (0, _) => n as f64 / steps as f64,
            (_, 1) => f64::NAN,
            _ => number(i * 31 + n),
        });
    Controls::new(values).unwrap()
}

fn fit(orders: Orders, samples: usize, loss: Loss) -> CdeFit<f64> {
    let observed =
        Array3::from_shape_fn((samples, 2, 2), |(i, k, j)| match (loss, (i + k + j) % 5) {
            (Loss::CrossEntropy, _) => f64::from((i + j).is_multiple_of(2)),
            (_, 3) => f64::NAN,
            _ => number(4 * i + 2 * k + j),
        });
    let windows = Windows::without_starts(&[4, 9], observed).unwrap();
    let solving = Solving { memory: PathMemory::Direct, ..Solving::new(1.0, 9) };
    CdeFit::new(model(orders), solving, (controls(samples, 9), windows), loss).unwrap()
}

const LEARNED: Orders = Orders::Learned { lower: 0.1, upper: 1.0, start: 0.6, each: false };

#[test]
fn every_parameter() {
    for orders in [Orders::One, LEARNED] {
        for loss in [Loss::MeanSquare, Loss::CrossEntropy] {
            check(&format!("{orders:?} {loss:?}"), &fit(orders.clone(), 6, loss), &[4, 0, 5]);
        }
    }
}

/// Dropout masks of encoder and readout depend on the sample, not on its tile.
#[test]
fn gradients_with_dropout() {
    let parts = CdeParts {
        encoder: dropping(2, 3, 1),
        field: dropping(3, 6, 2),
        readout: dropping(4, 2, 3),
        orders: Orders::One,
    };
    let observed = Array3::from_shape_fn((70, 1, 2), |(i, _, j)| number(2 * i + j));
    let windows = Windows::without_starts(&[9], observed).unwrap();
    let data = (controls(70, 9), windows);
    let model = NeuralCde::new(parts).unwrap();
    let fit = CdeFit::new(model, Solving::new(1.0, 9), data, Loss::MeanSquare).unwrap();
    check_drawing("controlled", &fit, &(0..70).collect::<Vec<_>>());
}

#[test]
fn same_bits_on_any_number_of_threads() {
    let fit = fit(LEARNED, 150, Loss::MeanSquare);
    let samples: Vec<usize> = (0..150).rev().collect();
    let one = gradient_on(1, &fit, &samples);
    assert_eq!(one, gradient_on(2, &fit, &samples));
}

#[test]
fn missing_values_are_interpolated() {
    let nan = f64::NAN;
    let holes = array![[[nan, 1.0], [2.0, nan], [nan, nan], [nan, 7.0], [8.0, nan]]];
    let lines = array![[[2.0, 1.0], [2.0, 3.0], [4.0, 5.0], [6.0, 7.0], [8.0, 7.0]]];
    assert_eq!(Controls::new(holes).unwrap(), Controls::new(lines).unwrap());
    let nothing = Controls::new(array![[[nan], [nan]]]).unwrap_err();
    assert!(matches!(nothing, ModelError::Nothing { sample: 0, .. }));
}

/// With a linear field, `dz = z dX`, the solution is a product of `1 + dX`.
#[test]
fn a_linear_equation_is_a_product() {
    let linear = |rows: [usize; 2]| Network::perceptron(&rows, Activation::Identity).unwrap();
    let parts = CdeParts {
        encoder: linear([1, 1]),
        field: linear([1, 1]),
        readout: linear([1, 1]),
        orders: Orders::One,
    };
    let x = [0.3, 0.5, 0.1, 0.9];
    let controls = Controls::new(Array3::from_shape_fn((1, 4, 1), |(_, n, _)| x[n])).unwrap();
    let windows = Windows::without_starts(&[3], Array3::zeros((1, 1, 1))).unwrap();
    let model = NeuralCde::new(parts).unwrap();
    let solving = Solving::new(1.0, 3);
    // Weights 1, biases 0.
    let theta = [1.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    let end = 0.3 * 1.2 * 0.6 * 1.8f64;
    let responses = model.respond(&theta, &controls, (&solving, &[0, 3])).unwrap();
    assert_eq!(responses[[0, 0, 0]], 0.3);
    assert!((responses[[0, 1, 0]] - end).abs() < 1e-15);
    assert!(model.respond(&theta[1..], &controls, (&solving, &[3])).is_err());
    assert!(model.respond(&theta, &controls, (&Solving::new(1.0, 4), &[3])).is_err());
    let fit = CdeFit::new(model, solving, (controls, windows), Loss::MeanSquare);
    let loss = fit.unwrap().loss(&theta, Batch::new(&[0], 0)).unwrap();
    assert!((loss - end * end).abs() < 1e-15, "{loss} {}", end * end);
}

/// Networks with finite parameters whose outputs overflow: weights after a bias.
#[test]
fn layers_that_overflow_are_named() {
    let fit = fit(Orders::One, 6, Loss::MeanSquare);
    let batch = Batch::new(&[4, 0], 1);
    assert_eq!(fit.culprit(&parameters(&fit), batch, batch.pass(true)), None);
    let layers = [("encoder", "0"), ("field", "1"), ("readout", "1")];
    for (network, layer) in layers {
        let (mut theta, mut first) = (parameters(&fit), 0);
        for block in fit.blocks() {
            let own = &mut theta[first..first + block.len()];
            if block.name == format!("{network}.{layer}.weight") {
                own.fill(1.7e308);
            } else if block.name == format!("{network}.{layer}.bias") {
                // One of both signs adds to the sum of what goes in.
                own.iter_mut().enumerate().for_each(|(i, b)| *b = [1.7e308, -1.7e308][i % 2]);
            } else if block.name == format!("{network}.0.bias") {
                own.fill(9.0);
            }
            first += block.len();
        }
        let found = fit.culprit(&theta, batch, batch.pass(true));
        assert_eq!(found, Some(format!("{network}.{layer}.Dense")));
    }
}

#[test]
fn two_classes_of_series_are_learned() {
    let fit = fit(Orders::One, 24, Loss::CrossEntropy);
    let (before, after, _) = learn(&fit, 60, 0.03);
    assert!(after < 0.8 * before, "{before} {after}");
}
