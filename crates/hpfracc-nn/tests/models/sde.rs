use super::{check, check_drawing, dropping, gradient_on, learn, number, parameters};
use hpfracc_nn::models::{
    Checkpoints, Diffusion, ModelError, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving,
    Windows,
};
use hpfracc_nn::{Activation, Batch, Loss, Network, Objective, Pairs, Pass, TrainingError};
use hpfracc_sde::{Drift, PathMemory};
use ndarray::{Array2, Array3, array};

fn network(rows: &[usize]) -> Network {
    Network::perceptron(rows, Activation::Tanh).unwrap()
}

/// Some values are missing.
fn windows(samples: usize, nodes: &[usize], dim: usize, observed: usize) -> Windows<f64> {
    let starts = Array2::from_shape_fn((samples, dim), |(i, j)| number(i * dim + j));
    let observed = Array3::from_shape_fn((samples, nodes.len(), observed), |(i, k, j)| {
        let place = (i * nodes.len() + k) * observed + j;
        if place % 5 == 2 { f64::NAN } else { 0.7 * number(place + 100) }
    });
    Windows::new(starts, nodes, observed).unwrap()
}

fn diffusions() -> Vec<(&'static str, Diffusion)> {
    vec![
        ("none", Diffusion::None),
        ("additive", Diffusion::Additive { start: 0.3 }),
        ("diagonal", Diffusion::Diagonal { network: network(&[2, 3, 2]), floor: Some(0.1) }),
        ("either sign", Diffusion::Diagonal { network: network(&[3, 3, 2]), floor: None }),
        ("general", Diffusion::General { network: network(&[2, 3, 6]), noises: 3 }),
    ]
}

const TRAIN: Pass = Pass::Train { draw: 0, first_sample: 0 };
const SQUARES: PathLoss = PathLoss::Each(Loss::MeanSquare);
const GAUSSIAN: PathLoss = PathLoss::Each(Loss::GaussianLikelihood { floor: 0.0 });
const LEARNED: Orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: false };
const LEARNED_EACH: Orders = Orders::Learned { lower: 0.55, upper: 1.0, start: 0.7, each: true };

fn fit(diffusion: Diffusion, orders: Orders, loss: PathLoss, solving: Solving) -> SdeFit<f64> {
    let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, orders).unwrap();
    let paths = if matches!(loss, PathLoss::Each(_)) { 2 } else { 3 };
    SdeFit::new(model, solving, windows(6, &[2, 5, 6], 2, 2), loss, paths).unwrap()
}

#[test]
fn every_kind_of_noise_without_memory() {
    for (name, diffusion) in diffusions() {
        let fit = fit(diffusion, Orders::One, SQUARES, Solving::new(0.9, 7));
        check(name, &fit, &[4, 0, 5]);
    }
}

#[test]
fn every_kind_of_noise_with_learned_orders() {
    for (name, diffusion) in diffusions() {
        for orders in [LEARNED, LEARNED_EACH] {
            let solving = Solving { memory: PathMemory::Direct, ..Solving::new(0.9, 7) };
            let fit = fit(diffusion.clone(), orders, SQUARES, solving);
            check(name, &fit, &[4, 0, 5]);
        }
    }
}

#[test]
fn every_path_loss() {
    let losses = [
        SQUARES,
        PathLoss::Each(Loss::Huber { delta: 0.4 }),
        GAUSSIAN,
        PathLoss::EnergyScore,
        PathLoss::Moments,
    ];
    for loss in losses {
        let diffusion = Diffusion::Additive { start: 0.3 };
        let solving = Solving { memory: PathMemory::Direct, ..Solving::new(0.9, 6) };
        let fit = fit(diffusion, LEARNED, loss, solving);
        check(&format!("{loss:?}"), &fit, &[1, 2, 3, 4]);
    }
}

/// Distances between distributions, which allow no missing values.
#[test]
fn distances_between_distributions() {
    let distances =
        [PathLoss::EnergyDistance(Pairs::Distinct), PathLoss::MarginalEnergy(Pairs::All)];
    for loss in distances {
        let model = || {
            let additive = Diffusion::Additive { start: 0.3 };
            NeuralFractionalSde::new(network(&[2, 4, 2]), additive, Orders::One).unwrap()
        };
        let holes = windows(6, &[2, 5], 2, 2);
        let refused = SdeFit::new(model(), Solving::new(0.9, 6), holes.clone(), loss, 3);
        let Err(ModelError::OutOfRange(range)) = refused else { panic!("{refused:?}") };
        assert_eq!(range.what, "an observed value");
        let observed = holes.observed().mapv(|y| if y.is_nan() { 0.1 } else { y });
        let whole = Windows::new(holes.starts().clone(), holes.nodes(), observed).unwrap();
        let fit = SdeFit::new(model(), Solving::new(0.9, 6), whole, loss, 3).unwrap();
        check(&format!("{loss:?}"), &fit, &[1, 2, 3, 4]);
        check(&format!("{loss:?} of one sample"), &fit, &[5]);
    }
}

#[test]
fn a_corrected_drift() {
    for diffusion in [diffusions()[0].1.clone(), diffusions()[2].1.clone()] {
        let memory = PathMemory::Direct;
        let solving = Solving { memory, drift: Drift::PredictorCorrector, ..Solving::new(0.9, 7) };
        check("corrected", &fit(diffusion, LEARNED_EACH, SQUARES, solving), &[4, 0, 5]);
    }
}

/// The loss of each memory algorithm to its accuracy; exact ones have the same gradient.
#[test]
fn every_memory() {
    let of = |memory| {
        let solving = Solving { memory, ..Solving::new(0.9, 150) };
        let fit = fit(diffusions()[2].1.clone(), LEARNED, SQUARES, solving);
        let mut found = vec![0.0; fit.parameters()];
        fit.gradient(&parameters(&fit), Batch::new(&[0, 1, 2], 2), &mut found).unwrap();
        found
    };
    let direct = of(PathMemory::Direct);
    let largest = direct.iter().fold(0.0f64, |a, b| a.max(b.abs()));
    for (memory, bound) in
        [(PathMemory::Blocked, 1e-12), (PathMemory::Exponentials { tolerance: 1e-9 }, 1e-6)]
    {
        for (found, direct) in of(memory).iter().zip(&direct) {
            assert!((found - direct).abs() < bound * largest, "{memory:?}: {found} {direct}");
        }
    }
}

#[test]
fn checkpoints_change_nothing() {
    for diffusion in [diffusions()[0].1.clone(), diffusions()[2].1.clone()] {
        let of = |checkpoints| {
            let solving = Solving { checkpoints, ..Solving::new(0.9, 37) };
            let fit = fit(diffusion.clone(), Orders::One, SQUARES, solving);
            let mut found = vec![0.0; fit.parameters()];
            fit.gradient(&parameters(&fit), Batch::new(&[0, 1, 2], 2), &mut found).unwrap();
            found
        };
        let all = of(Checkpoints::All);
        let largest = all.iter().fold(0.0f64, |a, b| a.max(b.abs()));
        let fewer = [1, 2, 5].map(|states| Checkpoints::Binomial { states });
        for checkpoints in fewer.into_iter().chain([Checkpoints::Sqrt]) {
            for (found, all) in of(checkpoints).iter().zip(&all) {
                let apart = (found - all).abs();
                assert!(apart < 1e-12 * largest, "{checkpoints:?}: {found} {all}");
            }
        }
    }
}

/// More paths than lanes of a tile, with losses of each path and of the ensemble.
#[test]
fn gradients_with_dropout() {
    let samples: Vec<usize> = (0..30).collect();
    for loss in [SQUARES, PathLoss::EnergyScore, PathLoss::Moments] {
        for orders in [Orders::One, LEARNED] {
            let diffusion = Diffusion::Diagonal { network: dropping(3, 2, 5), floor: Some(0.1) };
            let model = NeuralFractionalSde::new(dropping(2, 2, 6), diffusion, orders).unwrap();
            let windows = windows(30, &[2, 5, 6], 2, 2);
            let solving = Solving { memory: PathMemory::Direct, ..Solving::new(0.9, 6) };
            let fit = SdeFit::new(model, solving, windows, loss, 3).unwrap();
            check_drawing(&format!("{loss:?}"), &fit, &samples);
        }
    }
}

/// Masks and all bits stay the same with a number of steps at which the cache holds the states of
/// fewer paths than a tile has.
#[test]
fn checkpoints_keep_the_bits_with_dropout() {
    let of = |checkpoints| {
        let noise = Diffusion::Additive { start: 0.1 };
        let model = NeuralFractionalSde::new(dropping(2, 2, 6), noise, Orders::One).unwrap();
        let windows = windows(35, &[6000], 2, 2);
        let solving = Solving { checkpoints, ..Solving::new(0.9, 6000) };
        let fit = SdeFit::new(model, solving, windows, PathLoss::EnergyScore, 2).unwrap();
        gradient_on(2, &fit, &(0..35).collect::<Vec<_>>())
    };
    let all = of(Checkpoints::All);
    assert_eq!(of(Checkpoints::Sqrt), all);
    assert_eq!(of(Checkpoints::Binomial { states: 9 }), all);
}

#[test]
fn same_bits_on_any_number_of_threads() {
    for (loss, orders) in [
        (GAUSSIAN, Orders::One),
        (GAUSSIAN, LEARNED),
        (PathLoss::EnergyScore, Orders::One),
        (PathLoss::Moments, Orders::One),
    ] {
        let model = NeuralFractionalSde::new(
            network(&[2, 4, 2]),
            Diffusion::Additive { start: 0.3 },
            orders,
        );
        let windows = windows(130, &[2, 5], 2, 1);
        let fit = SdeFit::new(model.unwrap(), Solving::new(0.9, 5), windows, loss, 2).unwrap();
        let samples: Vec<usize> = (0..130).rev().collect();
        let one = gradient_on(1, &fit, &samples);
        assert_eq!(one, gradient_on(2, &fit, &samples));
        assert_eq!(one, gradient_on(3, &fit, &samples));
    }
}

/// At alpha = 1 the fractional scheme is the Euler-Maruyama scheme: the learned order rounds to 1.
#[test]
fn order_one_is_euler_and_maruyama() {
    let of = |orders: Orders| {
        let diffusion = diffusions()[2].1.clone();
        let fit = fit(diffusion, orders.clone(), SQUARES, Solving::new(0.9, 20));
        let mut theta = parameters(&fit);
        if let Orders::Learned { .. } = orders {
            *theta.last_mut().unwrap() = 60.0;
        }
        let mut found = vec![0.0; fit.parameters()];
        let loss = fit.gradient(&theta, Batch::new(&[0, 1, 2], 2), &mut found).unwrap();
        found.truncate(fit.model().parameters() - usize::from(orders == LEARNED));
        (loss, found)
    };
    let (plain, classical) = of(Orders::One);
    assert_eq!(of(Orders::Fixed(vec![1.0, 1.0])), (plain, classical.clone()));
    let (loss, found) = of(LEARNED);
    assert_eq!(loss, plain);
    for (found, classical) in found.iter().zip(&classical) {
        assert!((found - classical).abs() < 1e-13, "{found} {classical}");
    }
}

/// Initial values and irregular observations of `x' = -x` and `y' = x - y / 2`.
#[test]
fn an_ordinary_equation_is_learned() {
    let nodes = [5, 10, 20];
    let starts = Array2::from_shape_fn((16, 2), |(i, j)| number(2 * i + j));
    let observed = Array3::from_shape_fn((16, 3, 2), |(i, k, j)| {
        let (x, y, t) = (starts[[i, 0]], starts[[i, 1]], 0.1 * nodes[k] as f64);
        let decay = (-t).exp();
        [x * decay, y * (-0.5 * t).exp() + 2.0 * x * ((-0.5 * t).exp() - decay)][j]
    });
    let windows = Windows::new(starts, &nodes, observed).unwrap();
    let model =
        NeuralFractionalSde::new(network(&[2, 8, 2]), Diffusion::None, Orders::One).unwrap();
    let fit = SdeFit::new(model, Solving::new(2.0, 20), windows, SQUARES, 1).unwrap();
    let (before, after, _) = learn(&fit, 60, 0.03);
    assert!(after < 0.05 * before, "{before} {after}");
}

/// Order and rate of a relaxation from observations.
#[test]
fn an_order_is_learned() {
    let model = |orders| {
        let drift = Network::perceptron(&[1, 1], Activation::Identity).unwrap();
        NeuralFractionalSde::new(drift, Diffusion::None, orders).unwrap()
    };
    let (truth, solving) = (model(Orders::Fixed(vec![0.65])), Solving::new(8.0, 32));
    let starts = Array2::from_shape_fn((8, 1), |(i, _)| 1.0 + 0.5 * number(i));
    let nodes: Vec<usize> = (1..=32).collect();
    // The drift -x.
    let observed = truth.simulate(&[-1.0, 0.0], starts.view(), (&solving, &nodes), 1, 9).unwrap();
    let windows = Windows::new(starts, &nodes, observed).unwrap();
    let learned = Orders::Learned { lower: 0.3, upper: 1.0, start: 0.9, each: false };
    let fit = SdeFit::new(model(learned), solving, windows, SQUARES, 1).unwrap();
    let (before, after, theta) = learn(&fit, 200, 0.1);
    let alpha = fit.model().order_values(&theta).unwrap()[0];
    assert!(after < 1e-3 * before && (alpha - 0.65).abs() < 0.02, "{before} {after} {alpha}");
}

/// Constant paths, and observations at distances 1, 2 and 3; all other values are missing.
#[test]
fn missing_values_have_no_weight() {
    let linear = Network::perceptron(&[1, 1], Activation::Identity).unwrap();
    let model = NeuralFractionalSde::new(linear, Diffusion::None, Orders::One).unwrap();
    let observed = array![[[1.0], [f64::NAN]], [[2.0], [3.0]]];
    let windows = Windows::new(Array2::zeros((2, 1)), &[1, 2], observed).unwrap();
    let of = |loss, theta: &[f64], samples: &[usize]| {
        let fit = SdeFit::new(model.clone(), Solving::new(1.0, 2), windows.clone(), loss, 1);
        fit.unwrap().loss(theta, Batch::new(samples, 0)).unwrap()
    };
    assert_eq!(of(SQUARES, &[0.0; 2], &[0]), 1.0);
    assert_eq!(of(SQUARES, &[0.0; 2], &[1]), (4.0 + 9.0) / 2.0);
    assert_eq!(of(SQUARES, &[0.0; 2], &[0, 1]), (1.0 + 6.5) / 2.0);
    // A deviation of 2.
    let normal = 0.5 / 4.0 + (2.0 * std::f64::consts::TAU.sqrt()).ln();
    let found = of(GAUSSIAN, &[0.0, 0.0, 2f64.ln()], &[0]);
    assert!((found - normal).abs() < 1e-15, "{found} {normal}");
}

#[test]
fn invalid_parameters_and_batches_are_named() {
    let fit = fit(diffusions()[2].1.clone(), LEARNED, GAUSSIAN, Solving::new(0.9, 7));
    let mut theta = parameters(&fit);
    assert_eq!(fit.culprit(&theta, Batch::new(&[0], 0), TRAIN), None);
    theta[10] = f64::NAN;
    assert_eq!(
        fit.culprit(&theta, Batch::new(&[0], 0), TRAIN).as_deref(),
        Some("the parameter drift.0.bias")
    );
    assert!(matches!(fit.loss(&theta, Batch::new(&[0], 0)), Err(TrainingError::Solve(_))));
    // Finite parameters of a network that is not: weights of the drift, then of the diffusion.
    let blocks = fit.blocks();
    for (network, layer) in [("drift", "drift.1.Dense"), ("diffusion", "diffusion.1.Dense")] {
        let (mut theta, mut first) = (parameters(&fit), 0);
        for block in &blocks {
            let own = &mut theta[first..first + block.len()];
            if block.name == format!("{network}.1.weight") {
                own.fill(1.7e308);
            } else if block.name == format!("{network}.0.bias") {
                own.fill(9.0);
            }
            first += block.len();
        }
        let found = fit.culprit(&theta, Batch::new(&[0, 3], 0), TRAIN);
        assert_eq!(found.as_deref(), Some(layer));
    }
    for samples in [&[][..], &[6]] {
        let found = fit.loss(&parameters(&fit), Batch::new(samples, 0));
        assert!(matches!(found, Err(TrainingError::Size(_))));
    }
}

#[test]
fn serde_round_trip() {
    for (_, diffusion) in diffusions() {
        let model = NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, LEARNED).unwrap();
        let text = serde_json::to_string(&model).unwrap();
        let again: NeuralFractionalSde = serde_json::from_str(&text).unwrap();
        assert_eq!(again, model);
    }
    let text = r#"{"drift": {"dense": {"inputs": 2, "outputs": 3}}}"#;
    let error = serde_json::from_str::<NeuralFractionalSde>(text).unwrap_err();
    assert!(error.to_string().contains("the inputs of the drift are 2 rows"), "{error}");
}

#[test]
fn invalid_models_are_errors() {
    let of = |diffusion, orders| {
        NeuralFractionalSde::new(network(&[2, 4, 2]), diffusion, orders).unwrap_err()
    };
    let general = Diffusion::General { network: network(&[2, 5]), noises: 3 };
    assert!(matches!(of(general, Orders::One), ModelError::Rows { found: 5, .. }));
    let rough = Orders::Fixed(vec![0.5]);
    let noise = Diffusion::Additive { start: 1.0 };
    let named = |error: ModelError, what: &str| {
        assert!(matches!(&error, ModelError::OutOfRange(range) if range.what == what), "{error}");
    };
    named(of(noise, rough), "an order");
    let start = Orders::Learned { lower: 0.5, upper: 0.9, start: 0.9, each: true };
    named(of(Diffusion::None, start), "the order at the start");
    let model =
        || NeuralFractionalSde::new(network(&[2, 4, 2]), Diffusion::None, Orders::One).unwrap();
    let of = |nodes: &[usize], loss, observed: Array3<f64>| {
        let windows = Windows::new(Array2::zeros((2, 2)), nodes, observed).unwrap();
        SdeFit::new(model(), Solving::new(1.0, 6), windows, loss, 1).unwrap_err()
    };
    let behind = of(&[2, 7], SQUARES, Array3::zeros((2, 2, 1)));
    assert_eq!(behind.to_string(), "an observed node is 7, expected at most the number of steps");
    // The second sample has no node at which both are there.
    let parts = array![[[0.0, 1.0], [f64::NAN, 1.0]], [[1.0, f64::NAN], [f64::NAN, 0.0]]];
    let parts = of(&[2, 6], PathLoss::Each(Loss::CrossEntropy), parts);
    assert!(matches!(parts, ModelError::Nothing { sample: 1, .. }), "{parts}");
    let record = Array2::from_elem((4, 1), 1.0);
    let long = Windows::cut(record.view(), (usize::MAX, 1), 1).unwrap_err();
    assert!(matches!(long, ModelError::TooShort { rows: 4, window: usize::MAX }));
    let steps = Windows::cut(record.view(), (3, 1), usize::MAX / 2).unwrap_err();
    named(steps, "the number of steps of a window");
    let short = Windows::cut(record.view(), (4, 1), 1).unwrap_err();
    assert!(matches!(short, ModelError::TooShort { rows: 4, window: 5 }));
    assert_eq!(Windows::cut(record.view(), (3, 1), 2).unwrap().nodes(), [2, 4, 6]);
}
