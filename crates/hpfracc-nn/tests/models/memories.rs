//! Memories of fits, for executors outside of the library: weights and their derivatives.

use hpfracc_nn::models::{
    ComponentMemory, Diffusion, NeuralFractionalSde, Orders, PathLoss, SdeFit, Windows,
    settings::SolverSettings,
};
use hpfracc_nn::{Activation, Dense, Network, Objective};
use ndarray::{Array2, Array3};

const STEPS: usize = 12;
const H: f64 = 0.1;

/// A scalar linear equation.
fn fit(memory: &str, drift: &str, orders: Orders) -> SdeFit<f64> {
    let network = Network::Dense(Dense::new(1, 1, Activation::Identity));
    let model = NeuralFractionalSde::new(network, Diffusion::None, orders).unwrap();
    let settings = format!(r#"{{"memory": {memory}, "drift": "{drift}"}}"#);
    let settings: SolverSettings = serde_json::from_str(&settings).unwrap();
    let windows = Windows::new(Array2::ones((1, 1)), &[STEPS], Array3::zeros((1, 1, 1))).unwrap();
    let solving = settings.over(STEPS, H);
    SdeFit::new(model, solving, windows, PathLoss::default(), 1).unwrap()
}

/// The equation `D^alpha x = a x + b` by the formula of the documentation.
fn solved(memory: &ComponentMemory<f64>, (a, b): (f64, f64)) -> f64 {
    let (mut x, mut past) = (1.0, Vec::new());
    let mut states = vec![0.0; memory.exponentials.len()];
    for _ in 0..STEPS {
        let u = a * x + b;
        let mut sum = 0.0;
        for ((loss, factor), z) in memory.exponentials.iter().zip(&mut states) {
            sum += factor * *z;
            *z += u - loss * *z;
        }
        sum += memory.weights.iter().zip(past.iter().rev()).map(|(w, u)| w * u).sum::<f64>();
        x = 1.0 + (memory.nearest * u + sum);
        past.push(u);
    }
    x
}

#[test]
fn they_reproduce_a_solve() {
    let theta = [-0.8, 0.3];
    for memory in ["\"direct\"", "\"blocked\"", r#"{"exponentials": {"tolerance": 1e-8}}"#] {
        let fit = fit(memory, "rectangle", Orders::Fixed(vec![0.7]));
        let memories = fit.memories(&theta).unwrap().unwrap();
        let starts = Array2::ones((1, 1));
        let solve = (fit.solving(), &[STEPS][..]);
        let expected = fit.model().simulate(&theta, starts.view(), solve, 1, 0).unwrap()[[0, 0, 0]];
        let found = solved(memories[0].as_ref().unwrap(), (theta[0], theta[1]));
        assert!((found - expected).abs() < 1e-13, "{memory}: {found} {expected}");
    }
    assert_eq!(
        fit("\"direct\"", "rectangle", Orders::One).memories(&theta).unwrap(),
        Some(vec![None])
    );
    let corrected = fit("\"direct\"", "predictor-corrector", Orders::Fixed(vec![0.7]));
    assert_eq!(corrected.memories(&theta).unwrap(), None);
    assert!(corrected.memories(&theta[..1]).is_err());
}

#[test]
fn their_derivatives_are_differences() {
    let orders = Orders::Learned { lower: 0.5, upper: 1.0, start: 0.8, each: true };
    let fit = fit("\"direct\"", "rectangle", orders);
    let at = |raw: f64| {
        let theta = [-0.8, 0.3, raw];
        let alpha = fit.model().order_values(&theta).unwrap()[0];
        (alpha, fit.memories(&theta).unwrap().unwrap()[0].clone().unwrap())
    };
    let ((below, left), (above, right)) = (at(0.199), at(0.201));
    let theta = [-0.8, 0.3, 0.2];
    let found = &fit.memories_by_order(&theta).unwrap()[0];
    let check = |found: f64, left: f64, right: f64| {
        let expected = (right - left) / (above - below);
        assert!((found - expected).abs() < 1e-6, "{found} {expected}");
    };
    check(found.nearest, left.nearest, right.nearest);
    assert_eq!(found.weights.len(), STEPS - 1);
    for ((found, left), right) in found.weights.iter().zip(&left.weights).zip(&right.weights) {
        check(*found, *left, *right);
    }
    // The chain rule to the parameter.
    let mut thetabar = [7.0; 3];
    fit.pull_back_orders(&theta, &[2.0], &mut thetabar).unwrap();
    let slope = (above - below) / 0.002;
    assert!((thetabar[2] - 2.0 * slope).abs() < 1e-6, "{thetabar:?} {slope}");
    assert_eq!(thetabar[..2], [7.0; 2]);
    assert!(fit.pull_back_orders(&theta, &[2.0; 2], &mut thetabar).is_err());
    assert_eq!(fit.parameters(), 3);
}
