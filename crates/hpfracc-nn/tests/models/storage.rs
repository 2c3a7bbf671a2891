//! States, cotangents and encoders stored in 16 bits, and the loss scale that float16 needs.

use super::{number, parameters};
use hpfracc_nn::models::{
    CdeFit, CdeParts, Checkpoints, Controls, Diffusion, LatentFit, LatentFractionalSde,
    LatentParts, NeuralCde, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::trainer::{Event, OrderTraining, Trained, Trainer, Training};
use hpfracc_nn::{
    Activation, Batch, Loss, LossScale, Network, Objective, Schedule, Storage, TrainingError,
};
use hpfracc_sde::{Drift, PathMemory, SdeError};
use ndarray::{Array2, Array3};
use std::ops::ControlFlow;

const SQUARES: PathLoss = PathLoss::Each(Loss::MeanSquare);
const LEARNED: Orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: true };

/// Formats with the bound of the relative error of a gradient: twice the largest rounding error.
const FORMATS: [(Storage, f64); 2] =
    [(Storage::BFloat16, 1.0 / 256.0), (Storage::Float16, 1.0 / 2048.0)];

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

fn starts() -> Array2<f64> {
    Array2::from_shape_fn((6, 2), |(i, j)| number(2 * i + j))
}

fn model(orders: Orders) -> NeuralFractionalSde {
    NeuralFractionalSde::new(network(&[2, 4, 2]), Diffusion::None, orders).unwrap()
}

fn equation(orders: Orders, solving: Solving) -> SdeFit<f64> {
    let observed = Array3::from_shape_fn((6, 2, 2), |(i, k, j)| number(4 * i + 2 * k + j + 100));
    let windows = Windows::new(starts(), &[20, 40], observed).unwrap();
    SdeFit::new(model(orders), solving, windows, SQUARES, 1).unwrap()
}

fn latent(storage: Storage) -> LatentFit<f64> {
    let parts = LatentParts {
        encoder: network(&[4, 5, 7, 5]),
        posterior: network(&[4, 3, 2]),
        prior: network(&[2, 3, 2]),
        diffusion: Diffusion::Additive { start: 0.4 },
        decoder: network(&[2, 3, 4]),
        orders: LEARNED,
    };
    let observed = Array3::from_shape_fn((6, 2, 2), |(i, k, j)| number(4 * i + 2 * k + j + 100));
    let windows = Windows::without_starts(&[20, 40], observed).unwrap();
    let loss = Loss::GaussianLikelihood { floor: 0.05 };
    LatentFit::new(LatentFractionalSde::new(parts).unwrap(), solving(storage), windows, loss, 2)
        .unwrap()
}

fn controlled(storage: Storage) -> CdeFit<f64> {
    let parts = CdeParts {
        encoder: network(&[2, 6, 3]),
        field: network(&[3, 4, 6]),
        readout: network(&[3, 2]),
        orders: LEARNED,
    };
    let controls = Array3::from_shape_fn((6, 41, 2), |(i, n, j)| match j {
        0 => n as f64 / 40.0,
        _ => (0.2 * n as f64 + i as f64).sin(),
    });
    let observed = Array3::from_shape_fn((6, 1, 2), |(i, _, j)| number(2 * i + j));
    let windows = Windows::without_starts(&[40], observed).unwrap();
    let data = (Controls::new(controls).unwrap(), windows);
    CdeFit::new(NeuralCde::new(parts).unwrap(), solving(storage), data, Loss::MeanSquare).unwrap()
}

fn solving(storage: Storage) -> Solving {
    Solving { storage, memory: PathMemory::Direct, ..Solving::new(2.0, 40) }
}

fn gradient(objective: &dyn Objective<f64>, theta: &[f64], scale: f64) -> (f64, Vec<f64>) {
    let mut found = vec![f64::NAN; theta.len()];
    let batch = Batch { scale, ..Batch::new(&[4, 0, 5, 1], 3) };
    let loss = objective.gradient(theta, batch, &mut found).unwrap();
    found.iter_mut().for_each(|x| *x /= scale);
    (loss, found)
}

/// The distance of two gradients relative to the norm of the second.
fn distance(found: &[f64], exact: &[f64]) -> f64 {
    let norm = |x: &mut dyn Iterator<Item = f64>| x.map(|x| x * x).sum::<f64>().sqrt();
    norm(&mut found.iter().zip(exact).map(|(a, b)| a - b)) / norm(&mut exact.iter().copied())
}

/// Losses have the same bits; gradients are those of the rounding.
#[test]
fn gradients() {
    type Case = (&'static str, fn(Storage) -> Box<dyn Objective<f64>>);
    let cases: [Case; 7] = [
        ("order 1", |storage| Box::new(equation(Orders::One, solving(storage)))),
        ("segments", |storage| {
            let checkpoints = Checkpoints::Sqrt;
            Box::new(equation(Orders::One, Solving { checkpoints, ..solving(storage) }))
        }),
        ("checkpoints", |storage| {
            let checkpoints = Checkpoints::Binomial { states: 5 };
            Box::new(equation(Orders::One, Solving { checkpoints, ..solving(storage) }))
        }),
        ("with memory", |storage| Box::new(equation(LEARNED, solving(storage)))),
        ("corrected", |storage| {
            let drift = Drift::PredictorCorrector;
            Box::new(equation(LEARNED, Solving { drift, ..solving(storage) }))
        }),
        ("latent", |storage| Box::new(latent(storage))),
        ("controlled", |storage| Box::new(controlled(storage))),
    ];
    for (name, make) in cases {
        let full = make(Storage::Full);
        let theta = parameters(&*full);
        let (loss, exact) = gradient(&*full, &theta, 1.0);
        for (storage, bound) in FORMATS {
            let compact = make(storage);
            let (same, found) = gradient(&*compact, &theta, 1.0);
            let error = distance(&found, &exact);
            println!("{name} {storage}: {error:e}");
            assert_eq!(same, loss, "{name} {storage}");
            assert!(error < bound && error > bound / 1000.0, "{name} {storage}: {error:e}");
        }
    }
}

/// Near the minimum of a loss cotangents are small: without a scale those that float16 stores
/// become 0.
#[test]
fn the_loss_scale_rescues_small_cotangents() {
    let full = equation(LEARNED, solving(Storage::Full));
    let theta = parameters(&full);
    let solving = solving(Storage::Full);
    let paths = full.model().simulate(&theta, starts().view(), (&solving, &[20, 40]), 1, 0);
    // The data are the solution, but for 2e-8: cotangents are at most 1e-8.
    let observed = paths.unwrap().mapv(|x| x + 2e-8);
    let windows = Windows::new(starts(), &[20, 40], observed).unwrap();
    let fit = |storage| {
        let solving = Solving { storage, ..solving };
        SdeFit::new(model(LEARNED), solving, windows.clone(), SQUARES, 1).unwrap()
    };
    let (_, exact) = gradient(&fit(Storage::Full), &theta, 1.0);
    let error = |storage, scale| {
        let error = distance(&gradient(&fit(storage), &theta, scale).1, &exact);
        println!("{storage}, scale {scale}: {error:e}");
        error
    };
    let scale = LossScale::default().scale();
    assert!(error(Storage::Float16, 1.0) > 0.05);
    assert!(error(Storage::Float16, scale) < 1.0 / 2048.0);
    for scale in [1.0, scale] {
        assert!(error(Storage::BFloat16, scale) < 1.0 / 256.0);
        assert!(error(Storage::Full, scale) < 1e-12);
    }
}

/// A state above 65504 is an error that names path, component and step.
#[test]
fn states_that_are_too_large() {
    let observed = Array3::zeros((1, 1, 2));
    let starts = Array2::from_shape_fn((1, 2), |(_, j)| [1.0, 7e4][j]);
    let windows = Windows::new(starts, &[40], observed).unwrap();
    for (orders, checkpoints) in
        [(LEARNED, Checkpoints::All), (Orders::One, Checkpoints::Binomial { states: 5 })]
    {
        let solving = Solving { checkpoints, ..solving(Storage::Float16) };
        let fit = SdeFit::new(model(orders), solving, windows.clone(), SQUARES, 1).unwrap();
        let (theta, mut found) = (parameters(&fit), parameters(&fit));
        let error = fit.gradient(&theta, Batch::new(&[0], 0), &mut found).unwrap_err();
        assert!(
            matches!(
                error,
                TrainingError::Solve(SdeError::StateOverflow { path: 0, component: 1, .. })
            ),
            "{error}"
        );
        let text = error.to_string();
        assert!(text.contains("the largest number of float16: store in bfloat16"), "{text}");
        assert!(fit.loss(&theta, Batch::new(&[0], 0)).is_ok());
    }
}

/// Trains an equation of order 0.8 on a decay; the losses of all steps, and whether each was taken.
fn trained(storage: Storage, loss_scale: Option<LossScale>) -> (Trained<f64>, Vec<(f64, bool)>) {
    let starts = Array2::from_shape_fn((16, 2), |(i, j)| 1.0 + number(2 * i + j));
    let observed = Array3::from_shape_fn((16, 2, 2), |(i, k, j)| [0.5, 0.3][k] * starts[[i, j]]);
    let windows = Windows::new(starts, &[20, 40], observed).unwrap();
    let fit = SdeFit::new(model(LEARNED), solving(storage), windows, SQUARES, 1).unwrap();
    let schedule = Schedule::Constant(0.02);
    let orders = OrderTraining { estimate: false, rate: None };
    let settings = Training { epochs: 150, batch: 16, schedule, orders, ..Training::default() };
    let training = Training { loss_scale, ..settings };
    let mut steps = Vec::new();
    let trained = Trainer::new(&fit, training).run(|event| {
        if let Event::Step(step) = event {
            steps.push((step.loss, step.norm.is_some()));
        }
        ControlFlow::Continue(())
    });
    (trained.unwrap(), steps)
}

/// Trainings with 16-bit storage end with the same loss within 2 %. Cotangents of float16 overflow at
/// a loss scale of 2^20: steps are skipped, and the scale is halved until they fit.
#[test]
fn trainings_reach_the_same_loss() {
    let last = |steps: &[(f64, bool)]| steps[steps.len() - 1].0;
    let (_, full) = trained(Storage::Full, None);
    assert!(last(&full) < 0.02 * full[0].0, "{:?} {:?}", full[0], last(&full));
    let large: LossScale = serde_json::from_str(r#"{"exponent": 20, "good": 0}"#).unwrap();
    for (storage, scale) in
        [(Storage::BFloat16, None), (Storage::Float16, Some(LossScale::default()))]
    {
        let (_, steps) = trained(storage, scale);
        println!("{storage}: {:e} {:e}", last(&steps), last(&full));
        let change = last(&steps) / last(&full) - 1.0;
        assert!(change.abs() < 0.02, "{storage}: {change}");
    }
    let (found, steps) = trained(Storage::Float16, Some(large));
    let skipped = steps.iter().take_while(|(_, taken)| !taken).count();
    assert!((1..10).contains(&skipped), "{skipped}");
    assert!(steps[skipped..].iter().all(|(_, taken)| *taken));
    assert_eq!(found.steps, 150);
    // The parameters remain: the losses differ by the order of their samples only.
    assert!((steps[0].0 / steps[skipped].0 - 1.0).abs() < 1e-12);
    assert!(last(&steps) < 0.05 * full[0].0);
}
