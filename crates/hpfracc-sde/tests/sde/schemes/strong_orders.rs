//! Strong orders: the same Brownian paths on longer and longer steps, against the exact solution,
//! or against one on steps that are far shorter.

use crate::exact::{self, Case};
use crate::systems::problem_of;
use hpfracc_sde::noise::{Brownian, Coarse};
use hpfracc_sde::{
    Calculus, DriftImplicit, Ensemble, EulerMaruyama, Heun, Milstein, NoiseKind, Paths,
    ReversibleHeun, Sra1, Sric2, Sriw1, StochasticScheme, TamedEuler,
};
use hpfracc_testkit::{Figure, observed_order, record};
use ndarray::{Array2, Axis};
use std::fmt::Debug;

const PATHS: usize = 256;
const T: f64 = 1.0;
/// Of the shortest steps whose error is measured.
const STEPS: usize = 512;
/// Of solutions that stand for exact ones, and of the shortest steps that are compared with them.
const FINEST: (usize, usize) = (2048, 256);

/// The end of each path on `steps` steps, whose noise is that of `fine` steps.
fn ends<C: StochasticScheme<f64>>(
    case: Case,
    scheme: &C,
    (steps, fine): (usize, usize),
) -> Array2<f64> {
    let problem = problem_of(case, (0.0, T), case.start).unwrap();
    let problem =
        if case.calculus == Calculus::Stratonovich { problem.stratonovich() } else { problem };
    let noise = Brownian::new(11, case.noise_kind.noises(case.start.len())).unwrap();
    let noise = Coarse::new(noise, fine / steps).unwrap();
    let ensemble = Ensemble::new(PATHS, steps).unwrap();
    let paths = ensemble.solve(&problem, scheme, &noise, &Paths).unwrap();
    paths.index_axis_move(Axis(1), 0)
}

/// What solutions on longer and longer steps come from.
struct Limit {
    solution: Array2<f64>,
    /// Steps of the noise.
    fine: usize,
    /// The most steps that are compared with it.
    most: usize,
}

/// The exact solution; without a formula, that on the steps of the noise itself, which then are far
/// shorter.
fn limit<C: StochasticScheme<f64>>(case: Case, reference: &C) -> Limit {
    let Some(exact) = case.exact else {
        let (fine, most) = FINEST;
        return Limit { solution: ends(case, reference, (fine, fine)), fine, most };
    };
    // W(T): one step of dX = dW.
    let noises = case.noise_kind.noises(case.start.len());
    let unit = Case {
        noise_kind: NoiseKind::Diagonal,
        additive: true,
        start: &[0.0; 4][..noises],
        drift: |_, _, f| f.fill(0.0),
        diffusion: |_, _, g| g.fill(1.0),
        ..case
    };
    let w = ends(unit, &EulerMaruyama, (1, STEPS));
    let rows = w.rows().into_iter().flat_map(|w| exact(T, w.as_slice().unwrap())).collect();
    let solution = Array2::from_shape_vec((PATHS, case.start.len()), rows).unwrap();
    Limit { solution, fine: STEPS, most: STEPS }
}

/// The order fitted over five lengths of steps is `expected` within `within`.
fn check<C: StochasticScheme<f64> + Debug>(
    case: Case,
    scheme: &C,
    limit: &Limit,
    (expected, within): (f64, f64),
) {
    let errors = [16, 8, 4, 2, 1].map(|part| {
        let steps = limit.most / part;
        let difference = ends(case, scheme, (steps, limit.fine)) - &limit.solution;
        let square = difference.iter().map(|d| d * d).sum::<f64>() / PATHS as f64;
        (T / steps as f64, square.sqrt())
    });
    let (order, name) = (observed_order(&errors), format!("{scheme:?}"));
    let (first, last) = (errors[0].1, errors[4].1);
    record(
        "accuracy/strong_orders",
        &[("scheme", &*name), ("equation", case.name), ("theory", &expected.to_string())],
        &[
            ("order", Figure::number(order, 2)),
            ("error on the longest steps", Figure::error(first)),
            ("on the shortest", Figure::error(last)),
        ],
    );
    assert!((order - expected).abs() < within, "{name} on {}: {order}", case.name);
}

/// Against an exact solution.
fn exactly<C: StochasticScheme<f64> + Debug>(case: Case, scheme: &C, expected: f64) {
    check(case, scheme, &limit(case, &EulerMaruyama), (expected, 0.1));
}

#[test]
fn of_order_one_half() {
    let half = DriftImplicit::new(0.5).unwrap();
    for case in [exact::TANH, exact::TWO_SPIRALS] {
        exactly(case, &EulerMaruyama, 0.5);
        exactly(case, &TamedEuler, 0.5);
        exactly(case, &DriftImplicit::default(), 0.5);
        exactly(case, &half, 0.5);
    }
}

#[test]
fn of_order_one_half_without_levy_areas() {
    let area = limit(exact::AREA, &EulerMaruyama);
    check(exact::AREA, &EulerMaruyama, &area, (0.5, 0.1));
    check(exact::AREA_STRATONOVICH, &Heun, &area, (0.5, 0.1));
    check(exact::AREA_STRATONOVICH, &ReversibleHeun, &area, (0.5, 0.1));
}

#[test]
fn of_order_one() {
    for case in [exact::GEOMETRIC, exact::TANH, exact::SPIRAL, exact::WAVE] {
        exactly(case, &Milstein, 1.0);
        exactly(case, &Sric2, 1.0);
    }
    exactly(exact::TWO_SPIRALS, &Sric2, 1.0);
}

#[test]
fn of_order_one_after_stratonovich() {
    for case in [
        exact::GEOMETRIC_STRATONOVICH,
        exact::TANH_STRATONOVICH,
        exact::SPIRAL_STRATONOVICH,
        exact::WAVE_STRATONOVICH,
        exact::TWO_SPIRALS_STRATONOVICH,
    ] {
        exactly(case, &Heun, 1.0);
    }
    exactly(exact::GEOMETRIC_STRATONOVICH, &ReversibleHeun, 1.0);
    exactly(exact::TWO_SPIRALS_STRATONOVICH, &ReversibleHeun, 1.0);
}

#[test]
fn of_order_three_halves() {
    for case in [exact::GEOMETRIC, exact::TANH, exact::SPIRAL, exact::WAVE] {
        exactly(case, &Sriw1, 1.5);
    }
}

/// Where noise is additive all are of order 1 at least, and all solve the same equation.
#[test]
fn of_additive_noise() {
    let half = DriftImplicit::new(0.5).unwrap();
    let solution = limit(exact::PENDULUM, &Sra1);
    check(exact::PENDULUM, &Sra1, &solution, (1.5, 0.15));
    check(exact::PENDULUM, &EulerMaruyama, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &Milstein, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &Sric2, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &Heun, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &ReversibleHeun, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &TamedEuler, &solution, (1.0, 0.1));
    check(exact::PENDULUM, &DriftImplicit::default(), &solution, (1.0, 0.1));
    check(exact::PENDULUM, &half, &solution, (1.0, 0.1));
}

#[test]
fn without_noise() {
    let half = DriftImplicit::new(0.5).unwrap();
    exactly(exact::SILENT, &EulerMaruyama, 1.0);
    exactly(exact::SILENT, &Milstein, 1.0);
    exactly(exact::SILENT, &TamedEuler, 1.0);
    exactly(exact::SILENT, &DriftImplicit::default(), 1.0);
    exactly(exact::SILENT, &half, 2.0);
    exactly(exact::SILENT, &Sric2, 2.0);
    exactly(exact::SILENT, &Sriw1, 2.0);
    exactly(exact::SILENT_ADDITIVE, &Sra1, 2.0);
    exactly(exact::SILENT_STRATONOVICH, &Heun, 2.0);
    exactly(exact::SILENT_STRATONOVICH, &ReversibleHeun, 2.0);
}
