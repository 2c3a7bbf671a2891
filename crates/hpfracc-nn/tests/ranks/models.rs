use crate::{errors, network, number, parameters, same_bits, sent};
use hpfracc_nn::models::{
    CdeFit, CdeParts, Controls, Diffusion, LatentFit, LatentFractionalSde, LatentParts, NeuralCde,
    NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::{Batch, Layer, Loss, Network, Objective, Pairs, Scalar, Storage};
use hpfracc_sde::PathMemory;
use ndarray::{Array2, Array3};

const GAUSSIAN: Loss = Loss::GaussianLikelihood { floor: 0.05 };
const LEARNED: Orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: true };

fn solving(steps: usize) -> Solving {
    Solving { memory: PathMemory::Direct, ..Solving::new(0.9, steps) }
}

fn starts<T: Scalar>(samples: usize) -> Array2<T> {
    Array2::from_shape_fn((samples, 2), |(i, j)| T::narrow(number(2 * i + j)))
}

/// Some values are missing where `holes` is true.
fn observed<T: Scalar>(samples: usize, holes: bool) -> Array3<T> {
    Array3::from_shape_fn((samples, 2, 2), |(i, k, j)| {
        let place = (i * 2 + k) * 2 + j;
        T::narrow(if holes && place % 7 == 3 { f64::NAN } else { 0.7 * number(place + 100) })
    })
}

fn equation<T: Scalar>(
    samples: usize,
    (orders, loss, paths): (Orders, PathLoss, usize),
    solving: Solving,
) -> SdeFit<T>
where
    Network: Layer<T>,
{
    let diffusion = Diffusion::Diagonal { network: network(&[2, 3, 2]), floor: Some(0.1) };
    let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, orders).unwrap();
    let holes = matches!(loss, PathLoss::Each(_) | PathLoss::EnergyScore);
    let observed = observed(samples, holes);
    let windows = Windows::new(starts(samples), &[2, 5], observed).unwrap();
    SdeFit::new(model, solving, windows, loss, paths).unwrap()
}

fn shuffled(samples: usize) -> Vec<usize> {
    (0..samples).map(|i| (i * 37 + 5) % samples).collect()
}

fn equations<T: Scalar>()
where
    Network: Layer<T>,
{
    let samples = shuffled(150);
    let gaussian = PathLoss::Each(GAUSSIAN);
    let cases = [
        (Orders::One, gaussian, 2),
        (LEARNED, gaussian, 2),
        (LEARNED, PathLoss::EnergyScore, 3),
        (Orders::One, PathLoss::Moments, 2),
        (Orders::One, PathLoss::MarginalEnergy(Pairs::Distinct), 2),
    ];
    for case in cases {
        let name = format!("{case:?}");
        same_bits(&name, &equation::<T>(150, case, solving(6)), &samples);
    }
    let stored = Solving { storage: Storage::BFloat16, ..solving(6) };
    let fit = equation::<T>(150, (LEARNED, gaussian, 2), stored);
    same_bits("stored in 16 bits", &fit, &samples);
    same_bits("one tile", &fit, &samples[..9]);
}

#[test]
fn stochastic_equations() {
    equations::<f64>();
    equations::<f32>();
}

/// More tiles than shards: sums of the loss's parameters pass through the ranks several times.
#[test]
fn more_tiles_than_shards() {
    let fit = equation::<f32>(150, (Orders::One, PathLoss::Each(GAUSSIAN), 60), solving(5));
    same_bits("9000 paths", &fit, &shuffled(150));
}

fn controlled<T: Scalar>(samples: usize, storage: Storage) -> CdeFit<T>
where
    Network: Layer<T>,
{
    controlled_with(samples, storage, 0.0)
}

/// The controls of the last sample are larger by `last`.
fn controlled_with<T: Scalar>(samples: usize, storage: Storage, last: f64) -> CdeFit<T>
where
    Network: Layer<T>,
{
    let parts = CdeParts {
        encoder: network(&[2, 5, 3]),
        field: network(&[3, 4, 6]),
        readout: network(&[3, 3, 2]),
        orders: LEARNED,
    };
    let controls = Array3::from_shape_fn((samples, 7, 2), |(i, n, channel)| {
        let more = if i + 1 == samples { last } else { 0.0 };
        T::narrow(more + if channel == 0 { n as f64 / 6.0 } else { number(i * 31 + n) })
    });
    let windows = Windows::without_starts(&[2, 5], observed(samples, true)).unwrap();
    let data = (Controls::new(controls).unwrap(), windows);
    let solving = Solving { storage, ..solving(6) };
    CdeFit::new(NeuralCde::new(parts).unwrap(), solving, data, Loss::MeanSquare).unwrap()
}

#[test]
fn controlled_equations() {
    for storage in [Storage::Full, Storage::BFloat16] {
        let name = format!("{storage:?}");
        same_bits(&name, &controlled::<f64>(300, storage), &shuffled(300));
        same_bits(&name, &controlled::<f32>(300, storage), &shuffled(300));
    }
    same_bits("70 tiles", &controlled::<f64>(4480, Storage::Full), &shuffled(4480));
}

fn latent<T: Scalar>(orders: Orders, storage: Storage) -> LatentFit<T>
where
    Network: Layer<T>,
{
    let parts = LatentParts {
        encoder: network(&[8, 5, 5]),
        posterior: network(&[3, 3, 2]),
        prior: network(&[2, 3, 2]),
        diffusion: Diffusion::Diagonal { network: network(&[2, 3, 2]), floor: Some(0.2) },
        decoder: network(&[2, 3, 4]),
        orders,
    };
    let windows = Windows::without_starts(&[2, 5], observed(150, true)).unwrap();
    let solving = Solving { storage, ..solving(6) };
    let model = LatentFractionalSde::new(parts).unwrap();
    let mut fit = LatentFit::new(model, solving, windows, GAUSSIAN, 2).unwrap();
    fit.set_kl_weight(0.7).unwrap();
    fit
}

#[test]
fn latent_equations() {
    for (orders, storage) in [(Orders::One, Storage::Full), (LEARNED, Storage::BFloat16)] {
        let name = format!("{orders:?} {storage:?}");
        same_bits(&name, &latent::<f64>(orders.clone(), storage), &shuffled(150));
        same_bits(&name, &latent::<f32>(orders, storage), &shuffled(150));
    }
}

/// Reconstructed paths are those of one process on all ranks.
#[test]
fn reconstructions() {
    let fit = latent::<f64>(LEARNED, Storage::Full);
    let (theta, samples) = (parameters(&fit), shuffled(150));
    let batch = Batch::new(&samples, 3);
    let alone = fit.reconstruct(&theta, batch).unwrap();
    let found = hpfracc_communicator::run_threads(3, |ranks| {
        fit.reconstruct(&theta, Batch { ranks: ranks.into(), ..batch })
    });
    assert!(found.unwrap().iter().all(|found| *found == alone));
}

/// A path of the last sample breaks, which is on the last rank.
#[test]
fn an_error_on_one_rank_is_one_on_all() {
    let linear = hpfracc_nn::Dense::new(2, 2, hpfracc_nn::Activation::Identity);
    let model = NeuralFractionalSde::new(Network::Dense(linear), Diffusion::None, Orders::One);
    let mut starts = starts::<f64>(150);
    starts[[149, 0]] = 1e300;
    let windows = Windows::new(starts, &[2, 5], observed(150, true)).unwrap();
    let loss = PathLoss::Each(Loss::MeanSquare);
    let fit = SdeFit::new(model.unwrap(), Solving::new(1.0, 5), windows, loss, 1).unwrap();
    let theta = vec![1e6, 0.0, 0.0, 1.0, 0.0, 0.0];
    let samples: Vec<usize> = (0..150).collect();
    let messages = errors(3, |ranks| {
        fit.gradient(&theta, Batch { ranks, ..Batch::new(&samples, 3) }, &mut theta.clone())
    });
    assert!(messages[2].contains("path 149"), "{}", messages[2]);
    let elsewhere = format!("rank 2: {}", messages[2]);
    assert_eq!(messages[..2], [elsewhere.clone(), elsewhere]);
}

/// Means and squares in double precision, twice.
#[test]
fn bytes_of_a_step() {
    let diffusion = Diffusion::Additive { start: 0.3 };
    let drift = network(&[2, 160, 160, 160, 2]);
    let model = NeuralFractionalSde::new(drift, diffusion, LEARNED).unwrap();
    let windows = Windows::new(starts(150), &[2, 5], observed(150, true)).unwrap();
    let loss = PathLoss::Each(GAUSSIAN);
    let fit = SdeFit::<f32>::new(model, solving(5), windows, loss, 2).unwrap();
    assert!(fit.parameters() > 50_000);
    for size in [2, 4, 7] {
        let ratio = sent(&fit, &shuffled(150), size);
        println!("{size} ranks: {ratio:.3} gradients in f32");
        assert!(ratio <= 4.1, "{size} ranks: {ratio}");
    }
}

/// A control of the last sample is too large for the format of the encoder's inputs.
#[test]
fn an_error_of_the_encoder_on_one_rank_is_one_on_all() {
    let fit = controlled_with::<f64>(300, Storage::Float16, 1e6);
    let theta = parameters(&fit);
    let samples: Vec<usize> = (0..300).collect();
    let messages = errors(3, |ranks| {
        fit.gradient(&theta, Batch { ranks, ..Batch::new(&samples, 3) }, &mut theta.clone())
    });
    assert!(messages[2].starts_with("the inputs of the encoder"), "{}", messages[2]);
    let elsewhere = format!("rank 2: {}", messages[2]);
    assert_eq!(messages[..2], [elsewhere.clone(), elsewhere]);
}
