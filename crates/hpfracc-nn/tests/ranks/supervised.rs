use crate::{errors, network, number, same_bits, sent};
use hpfracc_nn::{
    Activation, Batch, Dense, Dropout, Layer, Loss, Network, Objective, Scalar, Sequential, Shape,
    Storage, Supervised, Targets,
};
use ndarray::Array2;

const SAMPLES: usize = 200;

fn objective<T: Scalar>(storage: Storage) -> Supervised<T, Network>
where
    Network: Layer<T>,
{
    let layers = vec![
        Network::Dense(Dense::new(3, 9, Activation::Silu)),
        Network::Dropout(Dropout::new(9, 0.2, 2).unwrap()),
        network(&[9, 5, 2]),
    ];
    of(Network::Sequential(Sequential::new(layers).unwrap()), storage, 0.0)
}

/// With a first input that is larger by this.
fn of<T: Scalar>(network: Network, storage: Storage, first: f64) -> Supervised<T, Network>
where
    Network: Layer<T>,
{
    let (inputs, outputs) = (network.inputs(), network.outputs());
    let mut x =
        Array2::from_shape_fn((SAMPLES, inputs), |(i, j)| T::narrow(number(inputs * i + j)));
    x[[0, 0]] += T::narrow(first);
    let y = Array2::from_shape_fn((SAMPLES, outputs), |(i, j)| T::narrow(number(2 * i + j + 40)));
    let objective = Supervised::new(network, x, Targets::Values(y, Loss::MeanSquare)).unwrap();
    objective.with_activations_in(storage)
}

fn in_tiles<T: Scalar>()
where
    Network: Layer<T>,
{
    let samples: Vec<usize> = (0..171).map(|i| (i * 37 + 5) % SAMPLES).collect();
    for storage in [Storage::Full, Storage::BFloat16] {
        for lanes in [64, 13, 4] {
            let name = format!("{storage:?} in tiles of {lanes}");
            let objective = objective::<T>(storage).in_tiles_of(lanes).unwrap();
            same_bits(&name, &objective, &samples);
            same_bits(&name, &objective, &samples[..lanes]);
        }
    }
}

#[test]
fn same_bits_on_any_number_of_ranks() {
    in_tiles::<f64>();
    in_tiles::<f32>();
}

/// Each rank sends a gradient twice at most.
#[test]
fn bytes_of_a_step() {
    let objective = of::<f32>(network(&[200, 256, 10]), Storage::Full, 0.0);
    let objective = objective.in_tiles_of(8).unwrap();
    assert!(objective.parameters() > 50_000);
    let samples: Vec<usize> = (0..SAMPLES).collect();
    for size in [2, 4, 7, 16, 20] {
        let ratio = sent(&objective, &samples, size);
        println!("{size} ranks: {ratio:.3} gradients");
        assert!(ratio <= 2.1, "{size} ranks: {ratio}");
    }
}

/// An activation of the first sample, which is the last of the batch, is too large for its format.
#[test]
fn an_error_on_one_rank_is_one_on_all() {
    let layers = vec![
        Network::Dense(Dense::new(1, 1, Activation::Identity)),
        Network::Dense(Dense::new(1, 1, Activation::Identity)),
    ];
    let linear = Network::Sequential(Sequential::new(layers).unwrap());
    let overflowing = of::<f64>(linear, Storage::Float16, 1e6).in_tiles_of(8).unwrap();
    let theta = vec![1.0, 0.0, 1.0, 0.0];
    let samples: Vec<usize> = (0..SAMPLES).rev().collect();
    let errors = errors(3, |ranks| {
        let batch = Batch { ranks, ..Batch::new(&samples, 3) };
        overflowing.gradient(&theta, batch, &mut theta.clone())
    });
    let [first, second, third] = errors.try_into().unwrap();
    assert!(third.starts_with("the activations: "), "{third}");
    assert_eq!([first, second], [(); 2].map(|()| format!("rank 2: {third}")));
}
