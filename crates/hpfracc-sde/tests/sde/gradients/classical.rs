//! Schemes without memory.

use super::case::{Case, PATHS, close, loss};
use super::systems::{Written, double_well, mixed, oscillator};
use hpfracc_sde::noise::{Brownian, FractionalBrownian};
use hpfracc_sde::{
    DifferentiableStochasticSystem, Ensemble, EnsembleGradient, EulerMaruyama,
    FractionalEulerMaruyama, Heun, NoiseKind, ReversibleHeun, StochasticProblem, StochasticSystem,
    Vjp,
};
use hpfracc_sde::{Rows, RowsMut};
use std::sync::atomic::{AtomicUsize, Ordering};

#[test]
fn euler_and_maruyama_with_each_coupling() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        Case::new(system, &[1.0]).check(name, &EulerMaruyama);
    }
}

#[test]
fn heun_with_each_coupling() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        let mut case = Case::new(system, &[1.0]);
        case.stratonovich = true;
        case.check(name, &Heun);
        let plain = case.gradient::<f64, _>(&Heun, |gradient| gradient);
        let again = case.gradient(&Heun, |gradient| gradient.with_checkpoints(3));
        assert_eq!(again, plain);
    }
}

#[test]
fn reversible_heun_with_each_coupling() {
    let systems = [("diagonal", double_well()), ("scalar", oscillator()), ("general", mixed())];
    for (name, system) in systems {
        let mut case = Case::new(system, &[1.0]);
        case.stratonovich = true;
        case.check(name, &ReversibleHeun);
    }
}

/// 400 steps back find the start, to rounding that grows but little.
#[test]
fn reversible_heun_finds_the_start_again() {
    let mut case = Case::new(oscillator(), &[1.0]);
    (case.stratonovich, case.steps) = (true, 400);
    let double = case.gradient::<f64, _>(&ReversibleHeun, |gradient| gradient).reconstruction;
    let single = case.gradient::<f32, _>(&ReversibleHeun, |gradient| gradient).reconstruction;
    println!("{double:e} {single:e}");
    assert!(0.0 < double && double < 1e-13);
    assert!(0.0 < single && single < 1e-4);
}

/// The same bits, and fewer states kept.
#[test]
fn states_computed_again() {
    let case = Case::new(mixed(), &[1.0]);
    let plain = case.gradient::<f64, _>(&EulerMaruyama, |gradient| gradient);
    for steps in [1, 5, 6, 23, 24, 100] {
        let again = case.gradient(&EulerMaruyama, |gradient| gradient.in_segments_of(steps));
        assert_eq!(again, plain, "segments of {steps}");
    }
    for states in [1, 2, 3, 5, 23, 24, 100] {
        let again = case.gradient(&EulerMaruyama, |gradient| gradient.with_checkpoints(states));
        assert_eq!(again, plain, "{states} checkpoints");
    }
}

/// Counts the evaluations of its drift.
struct Counting<'a>(Written, &'a AtomicUsize);

impl StochasticSystem<f64> for Counting<'_> {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        StochasticSystem::<f64>::noise_kind(&self.0)
    }
    fn drift(&self, t: f64, x: Rows<'_, f64>, f: RowsMut<'_, f64>) {
        self.1.fetch_add(1, Ordering::Relaxed);
        self.0.drift(t, x, f);
    }
    fn diffusion(&self, t: f64, x: Rows<'_, f64>, g: RowsMut<'_, f64>) {
        self.0.diffusion(t, x, g);
    }
}

impl DifferentiableStochasticSystem<f64> for Counting<'_> {
    fn parameters(&self) -> usize {
        0
    }
    fn drift_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
    fn diffusion_vjp(&self, _: f64, _: Rows<'_, f64>, _: Rows<'_, f64>, _: Vjp<'_, f64>) {}
}

/// The least number of steps that Griewank and Walther prove, r N - (c+r)!/((c+1)! (r-1)!), less
/// the N - 1 of the forward pass.
#[test]
fn steps_taken_again() {
    let binomial = |n: usize, k: usize| (1..=k).fold(1, |all, i| all * (n - k + i) / i);
    for (steps, places) in [(1, 1), (2, 5), (30, 1), (30, 2), (100, 5), (100, 100), (365, 9)] {
        let r = (0..).find(|r| binomial(places + r, places) >= steps).unwrap();
        let lowest = if r == 0 { 0 } else { binomial(places + r, places + 1) };
        let again = r * steps - lowest - (steps - 1);
        let count = AtomicUsize::new(0);
        let system = Counting(oscillator(), &count);
        let problem = StochasticProblem::new(system, (0.0, 1.0), &[0.7, -0.4]).unwrap();
        let noise = Brownian::new(3, 1).unwrap();
        let gradient = EnsembleGradient::new(Ensemble::new(1, steps).unwrap());
        let gradient = gradient.with_checkpoints(places);
        gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>).unwrap();
        let taken = count.into_inner();
        println!("{steps} steps, {places} places: {taken}");
        assert_eq!(taken, steps + again, "{steps} steps, {places} places");
    }
}

/// The derivative of the loss itself: 0.8 (x - 0.3) + cos x and -0.2 (x - 0.3) + cos x.
#[test]
fn only_the_start_is_saved() {
    let case = Case::new(mixed(), &[1.0]);
    let ensemble = || Ensemble::new(PATHS, 30).unwrap().saving_nodes(&[0]).unwrap();
    let gradient = EnsembleGradient::new(ensemble());
    let (problem, noise) = (case.problem::<f64>(), case.noise());
    let reversible = problem.clone().stratonovich();
    for found in [
        gradient.solve(&problem, &EulerMaruyama, &noise, &loss::<f64>).unwrap(),
        gradient
            .solve(&problem, &FractionalEulerMaruyama::default(), &noise, &loss::<f64>)
            .unwrap(),
        gradient.solve(&reversible, &ReversibleHeun, &noise, &loss::<f64>).unwrap(),
    ] {
        close("start 0", found.start.values[0], 0.8 * 0.4 + 0.7f64.cos(), 1e-14);
        close("start 1", found.start.values[1], 0.2 * 0.7 + 0.4f64.cos(), 1e-14);
        assert!(found.parameters.values.iter().all(|value| *value == 0.0));
    }
}

/// Increments that a tile holds, and steps beyond the last saved node that nothing depends on.
#[test]
fn under_fractional_noise() {
    let case = Case::new(oscillator(), &[1.0]);
    let noise = FractionalBrownian::<f64>::new(3, &[0.8]).unwrap();
    let ensemble = || Ensemble::new(PATHS, 30).unwrap().saving_nodes(&[0, 3, 21]).unwrap();
    let at = |case: &Case| {
        let gradient = EnsembleGradient::new(ensemble());
        gradient.solve(&case.problem(), &EulerMaruyama, &noise, &loss::<f64>).unwrap()
    };
    let found = at(&case);
    for k in 0..4 {
        let moved = |by: f64| {
            let mut case = case.clone();
            case.system.theta[k] += by;
            at(&case).loss.values[0]
        };
        let (d, pairs) = (3e-3, [(1.0, 45.0), (2.0, -9.0), (3.0, 1.0)]);
        let sum: f64 = pairs.iter().map(|(by, c)| c * (moved(by * d) - moved(-by * d))).sum();
        close(&format!("parameter {k}"), found.parameters.values[k], sum / (60.0 * d), 1e-9);
    }
}
