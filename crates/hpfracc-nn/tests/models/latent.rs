use super::{check, gradient_on, learn, number, parameters};
use hpfracc_nn::models::{
    Diffusion, LatentFit, LatentFractionalSde, LatentParts, ModelError, Orders, Solving, Windows,
};
use hpfracc_nn::{Activation, Batch, Loss, Network, Objective};
use hpfracc_sde::PathMemory;
use ndarray::Array3;

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

const NODES: [usize; 3] = [0, 3, 6];
const GAUSSIAN: Loss = Loss::GaussianLikelihood { floor: 0.05 };

fn windows(samples: usize) -> Windows<f64> {
    let observed = Array3::from_shape_fn((samples, 3, 2), |(i, k, j)| {
        let place = (i * 3 + k) * 2 + j;
        if place % 7 == 3 { f64::NAN } else { 0.7 * number(place + 100) }
    });
    Windows::without_starts(&NODES, observed).unwrap()
}

/// Two latent components, one of context; two observed at three nodes.
fn parts(diffusion: Diffusion, orders: Orders) -> LatentParts {
    LatentParts {
        encoder: network(&[12, 5, 5]),
        posterior: network(&[4, 3, 2]),
        prior: network(&[2, 3, 2]),
        diffusion,
        decoder: network(&[2, 3, 4]),
        orders,
    }
}

fn fit(diffusion: Diffusion, orders: Orders, samples: usize) -> LatentFit<f64> {
    let model = LatentFractionalSde::new(parts(diffusion, orders)).unwrap();
    let solving = Solving { memory: PathMemory::Direct, ..Solving::new(0.9, 7) };
    let mut fit = LatentFit::new(model, solving, windows(samples), GAUSSIAN, 2).unwrap();
    fit.set_kl_weight(0.7).unwrap();
    fit
}

const LEARNED: Orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: true };

fn diagonal() -> Diffusion {
    Diffusion::Diagonal { network: network(&[3, 3, 2]), floor: Some(0.2) }
}

#[test]
fn every_parameter() {
    let additive = Diffusion::Additive { start: 0.4 };
    for (name, diffusion) in [("additive", additive), ("diagonal", diagonal())] {
        for orders in [Orders::One, LEARNED] {
            check(&format!("{name} {orders:?}"), &fit(diffusion.clone(), orders, 6), &[4, 0, 5]);
        }
    }
}

#[test]
fn same_bits_on_any_number_of_threads() {
    let fit = fit(diagonal(), LEARNED, 150);
    let samples: Vec<usize> = (0..150).rev().collect();
    let one = gradient_on(1, &fit, &samples);
    assert_eq!(one, gradient_on(2, &fit, &samples));
}

/// If posterior and prior are equal, the loss is the path loss for any weight of the divergence.
#[test]
fn equal_distributions_have_no_divergence() {
    let mut same = parts(Diffusion::Additive { start: 0.4 }, LEARNED);
    // No context; all of the encoder is zero, so that starts are standard normal.
    same.encoder = network(&[12, 4]);
    same.posterior = network(&[2, 3, 2]);
    let model = LatentFractionalSde::new(same).unwrap();
    assert_eq!((model.latent(), model.context()), (2, 0));
    let mut fit = LatentFit::new(model, Solving::new(0.9, 7), windows(6), GAUSSIAN, 3).unwrap();
    let mut theta = parameters(&fit);
    let mut first = 0;
    let mut posterior = Vec::new();
    for block in fit.blocks() {
        let own = &mut theta[first..first + block.len()];
        match block.name.split_once('.') {
            Some(("encoder" | "start", _)) => own.fill(0.0),
            Some(("posterior", _)) => posterior.extend_from_slice(own),
            Some(("prior", _)) => {
                let rest = posterior.split_off(own.len());
                own.copy_from_slice(&posterior);
                posterior = rest;
            }
            _ => {}
        }
        first += block.len();
    }
    let batch = Batch::new(&[0, 1, 2], 4);
    let loss = fit.loss(&theta, batch).unwrap();
    fit.set_kl_weight(100.0).unwrap();
    assert_eq!(fit.loss(&theta, batch).unwrap(), loss);
}

#[test]
fn a_latent_distribution_is_learned() {
    let fit = fit(Diffusion::Additive { start: 0.4 }, LEARNED, 24);
    let (before, after, _) = learn(&fit, 60, 0.03);
    assert!(after < 0.5 * before, "{before} {after}");
}

/// The loss without divergence is the loss of the reconstructed paths; paths of the prior start
/// from its initial distribution.
#[test]
fn reconstruction_and_prior_paths() {
    let mut fit = fit(Diffusion::Additive { start: 0.4 }, LEARNED, 6);
    fit.set_kl_weight(0.0).unwrap();
    let (theta, batch) = (parameters(&fit), Batch::new(&[4, 1], 3));
    let decoded = fit.reconstruct(&theta, batch).unwrap();
    assert_eq!(decoded.dim(), (4, 3, 4));
    let (windows, mut sum) = (windows(6), 0.0);
    for ((path, k, j), m) in decoded.indexed_iter().filter(|((.., j), _)| *j < 2) {
        let y = windows.observed()[[batch.samples[path / 2], k, j]];
        let v = (2.0 * decoded[[path, k, 2 + j]]).exp() + 0.05f64.powi(2);
        let of_value = (y - m).powi(2) / (2.0 * v) + (std::f64::consts::TAU * v).ln() / 2.0;
        sum += if y.is_nan() { 0.0 } else { of_value / 4.0 };
    }
    let loss = fit.loss(&theta, batch).unwrap();
    assert!((loss - sum).abs() < 1e-12 * sum.abs(), "{loss} {sum}");
    let of_prior = fit.model().simulate(&theta, (&Solving::new(0.9, 7), &[0, 7]), 100, 5).unwrap();
    assert_eq!(of_prior.dim(), (100, 2, 4));
}

/// Networks with finite parameters whose outputs overflow.
#[test]
fn layers_that_overflow_are_named() {
    let fit = fit(diagonal(), LEARNED, 6);
    let batch = Batch::new(&[4, 0], 1);
    assert_eq!(fit.culprit(&parameters(&fit), batch, batch.pass(true)), None);
    assert_eq!(fit.culprit(&[0.0; 3], batch, batch.pass(true)), None);
    for network in ["encoder", "posterior", "prior", "diffusion", "decoder"] {
        let (mut theta, mut first) = (parameters(&fit), 0);
        for block in fit.blocks() {
            let own = &mut theta[first..first + block.len()];
            if block.name == format!("{network}.1.weight") {
                own.fill(1.7e308);
            } else if block.name == format!("{network}.0.bias") {
                own.fill(9.0);
            }
            first += block.len();
        }
        assert_eq!(
            fit.culprit(&theta, batch, batch.pass(true)),
            Some(format!("{network}.1.Dense"))
        );
    }
}

#[test]
fn invalid_models_are_errors() {
    let silent = LatentFractionalSde::new(parts(Diffusion::None, Orders::One)).unwrap_err();
    let what = "the least diffusion";
    assert!(matches!(silent, ModelError::OutOfRange(range) if range.what == what));
    let mut wrong = parts(diagonal(), Orders::One);
    wrong.posterior = network(&[2, 2]);
    let error = LatentFractionalSde::new(wrong).unwrap_err().to_string();
    assert_eq!(error, "the inputs of the posterior are 2 rows, expected 3 or 4");
    let text = serde_json::to_string(&parts(diagonal(), LEARNED)).unwrap();
    let again: LatentFractionalSde = serde_json::from_str(&text).unwrap();
    assert_eq!(again, LatentFractionalSde::new(parts(diagonal(), LEARNED)).unwrap());
}
