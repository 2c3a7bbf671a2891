//! Activations stored in 16 bits against those in full precision.

use super::number;
use hpfracc_nn::{
    Activation, Batch, Conv1d, Conv1dConfig, Dense, Dropout, FractionalDense, FractionalDerivative,
    FractionalRnn, FractionalScheme, Layer, LayerNorm, LayerOrder, Loss, MultiHeadAttention,
    Network, Objective, Padding, Residual, Scalar, Sequential, Storage, StorageOverflow,
    Supervised, SwiGlu, Targets, TrainingError,
};
use ndarray::Array2;

/// Formats with the bound of the relative error of a gradient: twice the largest rounding error.
const FORMATS: [(Storage, f64); 2] =
    [(Storage::BFloat16, 1.0 / 256.0), (Storage::Float16, 1.0 / 2048.0)];

fn sequential(layers: Vec<Network>) -> Network {
    Network::Sequential(Sequential::new(layers).unwrap())
}

fn residual(layers: Vec<Network>) -> Network {
    Network::Residual(Box::new(Residual::new(sequential(layers)).unwrap()))
}

fn dense(inputs: usize, outputs: usize, activation: Activation) -> Network {
    Network::Dense(Dense::new(inputs, outputs, activation))
}

/// Networks of 24 inputs and 2 outputs: compositions in compositions, and saved rows of every kind.
fn networks() -> Vec<(&'static str, Network)> {
    let order = LayerOrder::Learnable { lower: 0.0, upper: 1.0, start: 0.5 };
    let scheme = FractionalScheme::GrunwaldLetnikov;
    let derivative = FractionalDerivative::new(4, 6, 0.1, scheme, order).unwrap();
    let attention = MultiHeadAttention::new(4, 2, 6).unwrap();
    let (activation, padding) = (Activation::Gelu, Padding::Same);
    let config = Conv1dConfig { activation, padding, ..Conv1dConfig::new(4, 6, 4, 3) };
    let blocks = vec![
        dense(24, 10, Activation::Silu),
        residual(vec![
            Network::LayerNorm(LayerNorm::new(10).unwrap()),
            Network::SwiGlu(SwiGlu::new(10, 12).unwrap()),
            residual(vec![dense(12, 12, Activation::Softplus)]),
            Network::Dropout(Dropout::new(12, 0.3, 2).unwrap()),
            dense(12, 10, Activation::Identity),
        ]),
        dense(10, 2, Activation::Identity),
    ];
    let sequences = vec![
        Network::Conv1d(Conv1d::new(config).unwrap()),
        residual(vec![Network::MultiHeadAttention(attention)]),
        Network::FractionalDense(FractionalDense::new(derivative, 3, Activation::Silu)),
        Network::FractionalRnn(FractionalRnn::new(3, 4, 6, 0.1, order).unwrap()),
        dense(24, 2, Activation::Identity),
    ];
    vec![
        ("one layer", dense(24, 2, Activation::Gelu)),
        ("perceptron", Network::perceptron(&[24, 9, 7, 8, 2], Activation::Tanh).unwrap()),
        ("residual blocks", sequential(blocks)),
        ("sequences", sequential(sequences)),
    ]
}

fn objective<T: Scalar>(network: Network, scale: f64) -> Supervised<T, Network>
where
    Network: Layer<T>,
{
    let x = Array2::from_shape_fn((50, 24), |(i, j)| T::narrow(scale * number(24 * i + j)));
    let y = Array2::from_shape_fn((50, 2), |(i, j)| T::narrow(number(2 * i + j + 40)));
    let targets = Targets::Values(y, Loss::MeanSquare);
    Supervised::new(network, x, targets).unwrap().in_tiles_of(16).unwrap()
}

fn theta<T: Scalar>(objective: &dyn Objective<T>) -> Vec<T> {
    let mut theta = vec![T::zero(); objective.parameters()];
    objective.initialise(1, &mut theta);
    theta.iter_mut().enumerate().for_each(|(i, w)| *w += T::narrow(0.1 * number(i)));
    theta
}

fn gradient<T: Scalar>(objective: &dyn Objective<T>, theta: &[T]) -> (f64, Vec<f64>) {
    let samples: Vec<usize> = (0..50).collect();
    let mut found = vec![T::NAN; theta.len()];
    let loss = objective.gradient(theta, Batch::new(&samples, 3), &mut found).unwrap();
    (loss, found.iter().map(|x| x.widen()).collect())
}

fn check<T: Scalar>()
where
    Network: Layer<T>,
{
    for (name, network) in networks() {
        let full = objective::<T>(network.clone(), 1.0);
        let theta = theta(&full);
        let (loss, exact) = gradient(&full, &theta);
        let norm = exact.iter().map(|x| x * x).sum::<f64>().sqrt();
        for (storage, bound) in FORMATS {
            let compact = objective::<T>(network.clone(), 1.0).with_activations_in(storage);
            let (same, found) = gradient(&compact, &theta);
            assert_eq!(same, loss, "{name} {storage}");
            let squares = found.iter().zip(&exact).map(|(a, b)| (a - b) * (a - b));
            let error = squares.sum::<f64>().sqrt() / norm;
            println!("{} {name} {storage}: {error:e}", T::NAME);
            assert!(error < bound, "{name} {storage}: {error:e}");
            // The activations are rounded.
            assert!(error > bound / 200.0, "{name} {storage}: {error:e}");
            assert_eq!(gradient(&compact, &theta).1, found, "{name} {storage}");
        }
    }
}

#[test]
fn gradients() {
    check::<f32>();
    check::<f64>();
}

/// An activation that is too large is an error of a gradient, and none of a loss, which stores
/// nothing.
#[test]
fn overflow() {
    let network = Network::perceptron(&[24, 9, 2], Activation::Relu).unwrap();
    let compact = |storage| objective::<f32>(network.clone(), 1e6).with_activations_in(storage);
    let float16 = compact(Storage::Float16);
    let theta = theta(&float16);
    let (samples, mut found) = ([0, 1, 2], theta.clone());
    let batch = Batch::new(&samples, 0);
    let error = float16.gradient(&theta, batch, &mut found).unwrap_err();
    let TrainingError::Storage { overflow: StorageOverflow { value, storage, .. }, .. } = error
    else {
        panic!("{error}")
    };
    assert!(storage == Storage::Float16 && value.abs() > 65504.0, "{value}");
    let text = error.to_string();
    assert!(text.starts_with("the activations: "), "{text}");
    assert!(text.ends_with("the largest number of float16: store in bfloat16 or full precision"));
    let loss = float16.loss(&theta, batch).unwrap();
    assert_eq!(compact(Storage::BFloat16).gradient(&theta, batch, &mut found).unwrap(), loss);
    let Err(error) = objective::<f32>(network.clone(), 1e6).with_inputs_in(Storage::Float16) else {
        panic!("inputs above 65504")
    };
    assert!(error.to_string().starts_with("the inputs: "), "{error}");
}

/// Of many layers half the memory remains in `f32`, a quarter in `f64`.
#[test]
fn bytes() {
    fn ratio<T: Scalar>(storage: Storage) -> f64
    where
        Network: Layer<T>,
    {
        let block =
            || residual(vec![dense(24, 96, Activation::Gelu), dense(96, 24, Activation::Tanh)]);
        let blocks = (0..40).map(|_| block()).chain([dense(24, 2, Activation::Identity)]);
        let network = sequential(blocks.collect());
        let full = objective::<T>(network.clone(), 1.0).bytes_per_thread();
        let compact = objective::<T>(network, 1.0).with_activations_in(storage);
        compact.bytes_per_thread() as f64 / full as f64
    }
    for (storage, _) in FORMATS {
        let [single, double] = [ratio::<f32>(storage), ratio::<f64>(storage)];
        assert!(single < 0.56 && double < 0.31, "{single} {double}");
    }
}
