use super::number;
use hpfracc_lanes::{Rows, RowsMut};
use hpfracc_nn::{
    Batch, Forward, Layer, Network, NetworkError, Objective, Pass, Shape, Storage, Supervised,
    Targets, TrainingError, Transformer,
};
use ndarray::{Array2, s};

const CLASSES: usize = 7;
const LENGTH: usize = 6;

fn decoder() -> Network {
    Transformer::new(8, 2, 2, LENGTH).causal().classes(CLASSES).unwrap()
}

fn class(i: usize) -> usize {
    (i * 7919 + 13) % 1009 % CLASSES
}

/// Texts whose next character is to be predicted.
fn objective(network: Network) -> Supervised<f64, Network> {
    let text = Array2::from_shape_fn((10, LENGTH + 1), |(i, j)| class(5 * i + j));
    let inputs = text.slice(s![.., ..LENGTH]).mapv(|class| class as f64);
    let targets = Targets::ClassSeries(text.slice(s![.., 1..]).to_owned());
    Supervised::new(network, inputs, targets).unwrap()
}

fn parameters(objective: &Supervised<f64, Network>) -> Vec<f64> {
    let mut theta = vec![0.0; objective.parameters()];
    objective.initialise(5, &mut theta);
    theta
}

fn output(network: &Network, theta: &[f64], x: &[f64]) -> Vec<f64> {
    let (mut saved, mut y) = (vec![0.0; network.saved()], vec![0.0; network.outputs()]);
    network.forward(Forward {
        pass: Pass::Evaluate,
        theta,
        x: Rows::new(x, 1),
        saved: RowsMut::new(&mut saved, 1),
        y: RowsMut::new(&mut y, 1),
    });
    y
}

#[test]
fn later_inputs_do_not_matter_to_a_decoder() {
    let x: Vec<f64> = (0..LENGTH).map(|i| class(i) as f64).collect();
    let mut other = x.clone();
    other[4] = ((class(4) + 1) % CLASSES) as f64;
    for causal in [true, false] {
        let settings = Transformer { causal, ..Transformer::new(8, 2, 2, LENGTH) };
        let network = settings.classes(CLASSES).unwrap();
        let theta = parameters(&objective(network.clone()));
        let [before, after] = [&x, &other].map(|x| output(&network, &theta, x));
        let changed = |time: usize| {
            (0..CLASSES).any(|class| before[class * LENGTH + time] != after[class * LENGTH + time])
        };
        assert_eq!((0..4).any(changed), !causal);
        assert!(changed(4) && changed(5));
    }
}

#[test]
fn gradients_of_texts() {
    let objective = objective(decoder());
    let theta = parameters(&objective);
    // In tiles of three with a rest, and some twice.
    let objective = objective.in_tiles_of(3).unwrap();
    let samples = [0, 3, 9, 9, 5, 1, 2];
    let batch = Batch::new(&samples, 2);
    let mut gradient = vec![0.0; theta.len()];
    let loss = objective.gradient(&theta, batch, &mut gradient).unwrap();
    assert_eq!(loss, objective.loss(&theta, batch).unwrap());
    for i in (0..theta.len()).step_by(11) {
        let at = |d: f64| {
            let mut theta = theta.clone();
            theta[i] += d;
            objective.loss(&theta, batch).unwrap()
        };
        let h = 1e-4;
        let slope = (8.0 * (at(h) - at(-h)) - (at(2.0 * h) - at(-2.0 * h))) / (12.0 * h);
        assert!((gradient[i] - slope).abs() < 1e-9, "{i}: {} {slope}", gradient[i]);
    }
}

#[test]
fn every_parameter_has_a_gradient() {
    let objective = objective(decoder());
    let theta = parameters(&objective);
    let mut gradient = vec![0.0; theta.len()];
    let samples: Vec<usize> = (0..10).collect();
    objective.gradient(&theta, Batch::new(&samples, 0), &mut gradient).unwrap();
    let mut rest = &gradient[..];
    for block in objective.network().blocks() {
        let (own, after) = rest.split_at(block.len());
        rest = after;
        assert!(own.iter().all(|slope| *slope != 0.0), "{}", block.name);
    }
}

#[test]
fn compact_activations_keep_the_loss() {
    let full = objective(decoder());
    let theta = parameters(&full);
    let compact = objective(decoder()).with_activations_in(Storage::BFloat16);
    let (samples, mut gradients) = ([1, 2, 4], [vec![0.0; theta.len()], vec![0.0; theta.len()]]);
    let batch = Batch::new(&samples, 0);
    let [of_full, of_compact] = &mut gradients;
    let losses = [
        full.gradient(&theta, batch, of_full).unwrap(),
        compact.gradient(&theta, batch, of_compact).unwrap(),
    ];
    assert_eq!(losses[0], losses[1]);
    let largest = of_full.iter().fold(0.0, |a: f64, b| a.max(b.abs()));
    for (full, compact) in of_full.iter().zip(of_compact) {
        assert!((full - *compact).abs() < 0.02 * largest, "{full} {compact}");
    }
}

#[test]
fn bad_input() {
    let new = Transformer::new;
    assert_eq!(
        new(8, 2, 0, 4).series(1, 1).unwrap_err().to_string(),
        "Transformer: blocks is 0, expected at least 1"
    );
    assert_eq!(
        new(8, 3, 1, 4).series(1, 1).unwrap_err().to_string(),
        "MultiHeadAttention: heads is 3, expected a divisor of the 8 features"
    );
    assert_eq!(
        new(6, 2, 1, 4).classes(3).unwrap_err().to_string(),
        "Rotary: features is 3 a head, expected an even number of them"
    );
    assert_eq!(
        new(8, 2, 1, 0).series(1, 1).unwrap_err().to_string(),
        "EachTime: length is 0, expected at least 1"
    );
    assert!(matches!(new(8, 2, 1, 4).classes(0), Err(NetworkError::OutOfRange(_))));
    assert!(new(usize::MAX, 1, 1, 1).series(1, 1).is_err());
    // A number that is no class, found by the trainer's diagnosis.
    let mut inputs = Array2::from_shape_fn((2, LENGTH), |(i, j)| class(i + j) as f64);
    inputs[(1, 2)] = 2.5;
    let targets = Targets::ClassSeries(Array2::zeros((2, LENGTH)));
    let objective = Supervised::new(decoder(), inputs, targets).unwrap();
    let theta = parameters(&objective);
    let batch = Batch::new(&[0, 1], 0);
    assert!(objective.loss(&theta, batch).unwrap().is_nan());
    let culprit = objective.culprit(&theta, batch, Pass::Evaluate);
    assert_eq!(culprit.as_deref(), Some("0.Embedding"));
    // Targets that do not match.
    let inputs = || Array2::from_shape_fn((2, LENGTH), |(i, j)| number(i + j).abs().floor());
    for (targets, text) in [
        (Array2::zeros((3, LENGTH)), "the targets' samples has the size 3, expected 2"),
        (Array2::zeros((2, 4)), "the network's outputs has the size 42, expected 40"),
        (Array2::from_elem((2, LENGTH), 7), "a class of the targets has the size 7, expected 6"),
        (Array2::zeros((2, 0)), "the targets' times has the size 0, expected 1"),
    ] {
        let error: TrainingError =
            Supervised::new(decoder(), inputs(), Targets::ClassSeries(targets)).unwrap_err();
        assert_eq!(error.to_string(), text);
    }
}
