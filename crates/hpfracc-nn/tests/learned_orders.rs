//! Learned orders of neural fractional equations: estimates, their errors, and trainings.

use hpfracc_nn::models::{
    Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Solving, Windows,
};
use hpfracc_nn::trainer::{Event, OrderTraining, RunFolder, Trained, Trainer, Training};
use hpfracc_nn::{Activation, Network, Objective, OrderEstimate};
use hpfracc_sde::noise::{Normals, Purpose, Stream};
use hpfracc_sde::{Drift, PathMemory};
use hpfracc_special::MittagLeffler;
use ndarray::{Array2, Array3};
use std::ops::ControlFlow;

const ALPHA: f64 = 0.7;
const TIMES: usize = 32;
const EVERY: usize = 4;
const END: f64 = 4.0;
const STARTS: [f64; 8] = [0.4, 0.6, 0.8, 1.0, 1.2, 1.4, 1.6, 1.8];

/// Relaxations of order 0.7, `y = y_0 E_0.7(-t^0.7)`, with normal errors.
fn relaxations(starts: &[f64], error: f64, seed: u64) -> Windows<f64> {
    let relaxation = MittagLeffler::new(ALPHA, 1.0).unwrap();
    let (normals, stream) = (Normals::new(seed), Stream::new(Purpose::Brownian, 0).unwrap());
    let observed = Array3::from_shape_fn((starts.len(), TIMES, 1), |(i, n, _)| {
        let t = END * (n + 1) as f64 / TIMES as f64;
        let exact = starts[i] * relaxation.eval(-t.powf(ALPHA));
        exact + error * normals.at::<f64>(stream, i as u64, n as u32)
    });
    let nodes: Vec<usize> = (1..=TIMES).map(|n| n * EVERY).collect();
    let starts = Array2::from_shape_fn((starts.len(), 1), |(i, _)| starts[i]);
    Windows::new(starts, &nodes, observed).unwrap()
}

const LEARNED: Orders = Orders::Learned { lower: 0.2, upper: 1.0, start: 0.9, each: false };
const CORRECTED: Drift = Drift::PredictorCorrector;

fn model(widths: &[usize], orders: Orders) -> NeuralFractionalSde {
    let network = Network::perceptron(widths, Activation::Tanh).unwrap();
    NeuralFractionalSde::new(network, Diffusion::None, orders).unwrap()
}

fn fit(windows: Windows<f64>, drift: Drift) -> SdeFit<f64> {
    let solving = Solving { memory: PathMemory::Direct, drift, ..Solving::new(END, TIMES * EVERY) };
    SdeFit::new(model(&[1, 8, 1], LEARNED), solving, windows, PathLoss::default(), 1).unwrap()
}

/// The trained order, and the training.
fn train(fit: &SdeFit<f64>, training: Training) -> (f64, Trained<f64>) {
    let trained = Trainer::new(fit, training).run(|_| ControlFlow::Continue(())).unwrap();
    (fit.model().order_values(trained.parameters()).unwrap()[0], trained)
}

fn estimate(fit: &SdeFit<f64>) -> Vec<OrderEstimate> {
    let mut theta = vec![0.0; fit.parameters()];
    fit.initialise(1, &mut theta);
    let samples: Vec<usize> = (0..fit.samples()).collect();
    fit.estimate_orders(&samples, &mut theta).unwrap()
}

/// The default training finds the order of data without errors from any initial network; without
/// the estimate, the order stays where it began.
#[test]
fn the_default_training_finds_the_order() {
    for drift in [Drift::Rectangle, CORRECTED] {
        let fit = fit(relaxations(&STARTS, 0.0, 0), drift);
        let orders: Vec<f64> =
            (0..5).map(|seed| train(&fit, Training { seed, ..Training::default() }).0).collect();
        println!("{drift:?}: {orders:.4?}");
        assert!(orders.iter().all(|order| (order - ALPHA).abs() < 0.02), "{drift:?} {orders:?}");
    }
    let orders = OrderTraining { estimate: false, rate: None };
    let fit = fit(relaxations(&STARTS, 0.0, 0), CORRECTED);
    let (order, trained) = train(&fit, Training { orders, ..Training::default() });
    assert!((order - ALPHA).abs() > 0.1 && trained.orders.is_empty(), "{order}");
}

/// Errors of the estimates of twenty data sets are as large as their standard errors tell.
#[test]
fn standard_errors_are_those_of_repeated_data() {
    let (mut sum, runs) = (0.0, 20);
    for seed in 0..runs {
        let fit = fit(relaxations(&STARTS, 0.01, seed), CORRECTED);
        let [OrderEstimate { order, standard_error, .. }] = estimate(&fit)[..] else { panic!() };
        let error = (order - ALPHA) / standard_error;
        println!("{order:.4} +- {standard_error:.4} {error:.2}");
        assert!(error.abs() < 3.0, "{seed} {order} {standard_error}");
        assert!((0.002..0.005).contains(&standard_error), "{seed} {standard_error}");
        sum += error * error;
    }
    // The mean of 20 squares of normal numbers is within 0.37 and 2.0 in 99.8 % of cases.
    let mean = sum / runs as f64;
    assert!((0.37..2.0).contains(&mean), "{mean}");
}

/// One relaxation with errors: a drift for almost every order.
#[test]
fn an_order_that_is_not_identifiable_has_a_warning() {
    for seed in 0..3 {
        let fit = fit(relaxations(&STARTS[3..4], 0.01, seed), CORRECTED);
        let (order, trained) = train(&fit, Training { epochs: 1, ..Training::default() });
        let [estimate] = trained.orders[..] else { panic!("{trained:?}") };
        println!("{estimate:?}");
        assert!(!estimate.identifiable(), "{estimate:?}");
        assert!((estimate.order - ALPHA).abs() < 3.0 * estimate.standard_error, "{estimate:?}");
        // The training begins at the given order.
        assert!((order - 0.9).abs() < 0.01, "{order}");
    }
    let fit = fit(relaxations(&STARTS, 0.0, 0), CORRECTED);
    assert!(estimate(&fit)[0].identifiable());
}

/// The rectangle rule is of order 1: with half the steps, half the error remains.
#[test]
fn the_share_of_the_scheme_is_told() {
    let of = |drift| estimate(&fit(relaxations(&STARTS, 0.0, 0), drift))[0];
    let (rectangle, corrected) = (of(Drift::Rectangle), of(CORRECTED));
    let error = rectangle.order - ALPHA;
    assert!(
        error > 0.003 && (rectangle.half_step_change.unwrap() / error + 0.5).abs() < 0.1,
        "{rectangle:?}"
    );
    assert!(corrected.half_step_change.unwrap().abs() < 2e-4, "{corrected:?}");
}

/// An oscillator whose components have different orders, with missing values; an order for each.
#[test]
fn an_order_for_each_component() {
    let rate = |_: usize| Network::perceptron(&[2, 2], Activation::Identity).unwrap();
    let truth = NeuralFractionalSde::new(rate(0), Diffusion::None, Orders::Fixed(vec![0.9, 0.6]));
    let solving = Solving { memory: PathMemory::Direct, ..Solving::new(5.0, 100) };
    let starts = Array2::from_shape_fn((12, 2), |(i, j)| ((i + 1) * (j + 2)) as f64 % 5.0 - 2.0);
    let nodes: Vec<usize> = (1..=50).map(|k| 2 * k).collect();
    // D^0.9 x = y, D^0.6 y = -x - y/2
    let theta = [0.0, 1.0, -1.0, -0.5, 0.0, 0.0];
    let truth = truth.unwrap();
    let mut observed = truth.simulate(&theta, starts.view(), (&solving, &nodes), 1, 0).unwrap();
    observed.iter_mut().step_by(7).for_each(|y| *y = f64::NAN);
    let windows = Windows::new(starts, &nodes, observed).unwrap();
    let orders = Orders::Learned { lower: 0.2, upper: 1.0, start: 0.8, each: true };
    let fit =
        SdeFit::new(model(&[2, 8, 2], orders), solving, windows, PathLoss::default(), 1).unwrap();
    let found = estimate(&fit);
    println!("{found:?}");
    assert_eq!(found.len(), 2);
    for (estimate, truth) in found.iter().zip([0.9, 0.6]) {
        assert!((estimate.order - truth).abs() < 0.01 && estimate.identifiable(), "{found:?}");
    }
}

/// Paths of an equation with noise, `D^0.75 X = -X + 0.5 dW/dt`: the errors of ten data sets are as
/// large as their standard errors tell.
#[test]
fn the_order_of_an_equation_with_noise() {
    let network = || Network::perceptron(&[1, 1], Activation::Identity).unwrap();
    let equation = |orders| {
        NeuralFractionalSde::new(network(), Diffusion::Additive { start: 0.5 }, orders).unwrap()
    };
    let truth = equation(Orders::Fixed(vec![0.75]));
    let solving = Solving { memory: PathMemory::Direct, ..Solving::new(5.0, 50) };
    let starts = Array2::from_shape_fn((40, 1), |(i, _)| (i % 5) as f64 - 2.0);
    let nodes: Vec<usize> = (1..=50).collect();
    // softplus(-0.433) = 0.5
    let theta = [-1.0, 0.0, -0.432_752_f64];
    let mut sum = 0.0;
    for seed in 0..10 {
        let observed = truth.simulate(&theta, starts.view(), (&solving, &nodes), 1, seed).unwrap();
        let windows = Windows::new(starts.clone(), &nodes, observed).unwrap();
        let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.9, each: false };
        let fit =
            SdeFit::new(equation(orders), solving, windows, PathLoss::EnergyScore, 2).unwrap();
        let [OrderEstimate { order, standard_error, .. }] = estimate(&fit)[..] else { panic!() };
        let error = (order - 0.75) / standard_error;
        println!("{order:.4} +- {standard_error:.4} {error:.2}");
        assert!(error.abs() < 3.5 && standard_error < 0.03, "{seed} {order} {standard_error}");
        sum += error * error;
    }
    assert!((0.1..3.0).contains(&(sum / 10.0)), "{sum}");
}

/// Windows that overlap are no more data than those that do not.
#[test]
fn windows_that_overlap() {
    let relaxation = MittagLeffler::new(ALPHA, 1.0).unwrap();
    let normals = Normals::new(3);
    let stream = Stream::new(Purpose::Brownian, 0).unwrap();
    let series = Array2::from_shape_fn((400, 1), |(n, _)| {
        relaxation.eval(-(0.1 * n as f64).powf(ALPHA))
            + 0.01 * normals.at::<f64>(stream, 0, n as u32)
    });
    let of = |stride| {
        let windows = Windows::cut(series.view(), (20, stride), 2).unwrap();
        let solving = Solving::new(2.0, 40);
        let model = model(&[1, 8, 1], LEARNED);
        estimate(&SdeFit::new(model, solving, windows, PathLoss::default(), 1).unwrap())[0]
    };
    assert_eq!(of(1), of(20));
}

/// A training that is cut short and resumed has the same estimate and the same bits.
#[test]
fn a_resumed_training() {
    let folder = tempfile::tempdir().unwrap();
    let fit = fit(relaxations(&STARTS, 0.01, 0), CORRECTED);
    let settings = Training { epochs: 4, ..Training::default() };
    let whole = train(&fit, settings.clone()).1;
    let folder = Some(RunFolder::new(folder.path()));
    let trainer = Trainer { folder, resume: true, ..Trainer::new(&fit, settings) };
    let stopped = trainer.run(|event| match event {
        Event::Epoch(epoch) if epoch.epoch == 1 => ControlFlow::Break(()),
        _ => ControlFlow::Continue(()),
    });
    assert_eq!(stopped.unwrap().epochs, 2);
    assert_eq!(trainer.run(|_| ControlFlow::Continue(())).unwrap(), whole);
}

/// Fixed orders, a component that is not observed, missing values of an equation with noise, and
/// too few observations have none.
#[test]
fn no_estimate() {
    let solving = Solving::new(END, TIMES * EVERY);
    let of = |model: NeuralFractionalSde, windows| {
        let fit = SdeFit::new(model, solving, windows, PathLoss::default(), 1).unwrap();
        estimate(&fit)
    };
    let data = || relaxations(&STARTS, 0.0, 0);
    assert_eq!(of(model(&[1, 8, 1], Orders::Fixed(vec![0.7])), data()), []);
    let network = Network::perceptron(&[1, 8, 1], Activation::Tanh).unwrap();
    let additive = Diffusion::Additive { start: 0.1 };
    let orders = Orders::Learned { lower: 0.6, upper: 1.0, start: 0.9, each: false };
    let noisy = NeuralFractionalSde::new(network, additive, orders).unwrap();
    let mut holes = data().observed().clone();
    holes[[3, 4, 0]] = f64::NAN;
    let holes = Windows::new(data().starts().clone(), data().nodes(), holes).unwrap();
    assert_eq!(of(noisy, holes), []);
    let two = Windows::new(Array2::ones((8, 2)), data().nodes(), data().observed().clone());
    assert_eq!(of(model(&[2, 8, 2], LEARNED), two.unwrap()), []);
    let few = Windows::new(Array2::ones((1, 1)), &[3, 9], Array3::ones((1, 2, 1)));
    assert_eq!(of(model(&[1, 8, 1], LEARNED), few.unwrap()), []);
    let none = Windows::new(Array2::ones((9, 1)), &[0], Array3::from_elem((9, 1, 1), 2.0)).unwrap();
    assert_eq!(of(model(&[1, 8, 1], LEARNED), none), []);
}

/// The factor of the rate: none of the order's steps, and the same of the network's.
#[test]
fn the_rate_of_orders() {
    let fit = fit(relaxations(&STARTS, 0.0, 0), CORRECTED);
    let of = |rate| {
        let orders = OrderTraining { estimate: false, rate };
        train(&fit, Training { epochs: 1, orders, ..Training::default() }).1.theta
    };
    let (own, half, none) = (of(None), of(Some(0.5)), of(Some(0.0)));
    let last = own.len() - 1;
    assert!(own[..last] == half[..last] && own[..last] == none[..last]);
    let mut start = own.clone();
    fit.initialise(0, &mut start);
    assert_eq!(none[last], start[last]);
    let ratio = (half[last] - start[last]) / (own[last] - start[last]);
    assert!((ratio - 0.5).abs() < 1e-9, "{ratio}");
}
