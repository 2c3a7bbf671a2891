//! Pairs of paths that mirror each other: the same distribution, less variance, honest errors.

use crate::systems::{AnySystem, Linear, problem_of};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{Antithetic, Brownian};
use hpfracc_sde::{Ensemble, EulerMaruyama, Moments, PairMoments, Paths, StochasticProblem};

const PATHS: usize = 20_000;
const GEOMETRIC: Linear = Linear { dim: 1, lambda: 0.3, sigma: 0.0, rho: 0.5 };

fn problem() -> StochasticProblem<f64, AnySystem<f64>> {
    problem_of(GEOMETRIC, (0.0, 1.0), &[1.0]).unwrap()
}

fn noise(seed: u64) -> Antithetic<Brownian> {
    Antithetic::new::<f64>(Brownian::new(seed, 1).unwrap()).unwrap()
}

/// The mean of Euler and Maruyama's scheme is `(1 + lambda h)^n`: over many seeds its errors have
/// the standard deviation that pairs tell, which is far below that of independent paths.
#[test]
fn errors_are_those_of_pairs() {
    let (seeds, steps) = (40, 8);
    let exact = (1.0 + 0.3 / steps as f64).powi(steps);
    let mut squares = 0.0;
    for seed in 0..seeds {
        let ensemble = Ensemble::new(PATHS / 4, steps as usize).unwrap();
        let both = (PairMoments, Moments);
        let (pairs, single) =
            ensemble.solve(&problem(), &EulerMaruyama, &noise(seed), &both).unwrap();
        assert_eq!(pairs.paths, PATHS / 8);
        assert!((pairs.mean[[0, 0]] - single.mean[[0, 0]]).abs() < 1e-12);
        let error = pairs.standard_error()[[0, 0]];
        assert!(error < 0.5 * single.standard_error()[[0, 0]]);
        squares += ((pairs.mean[[0, 0]] - exact) / error).powi(2);
    }
    // Chi-squared with 40 degrees of freedom: mean 40, standard deviation 9.
    println!("{squares}");
    assert!((10.0..95.0).contains(&squares), "{squares}");
}

/// Variances of single paths are what they are without mirrors.
#[test]
fn each_path_has_the_distribution() {
    let steps = 8;
    let ensemble = Ensemble::new(PATHS, steps).unwrap();
    let found = ensemble.solve(&problem(), &EulerMaruyama, &noise(1), &Moments).unwrap();
    let (a, h): (f64, f64) = (1.0 + 0.3 / 8.0, 1.0 / 8.0);
    let second = (a * a + 0.25 * h).powi(8);
    let variance = second - a.powi(16);
    let found = found.covariance[[0, 0, 0]];
    // A fourth moment near 7 variances squared, and pairs that are less than independent.
    let error = variance * (12.0 / PATHS as f64).sqrt();
    assert!((found - variance).abs() < 4.9 * error, "{found} {variance}");
}

#[test]
fn in_any_split_of_the_paths() {
    let paths = |first: u64, count: usize| {
        let ensemble = Ensemble::new(count, 20).unwrap().starting_at(first);
        ensemble.solve(&problem(), &EulerMaruyama, &noise(3), &Paths).unwrap()
    };
    let all = paths(6, 500);
    for cut in [1, 16, 77, 300] {
        let parts = [paths(6, cut), paths(6 + cut as u64, 500 - cut)];
        let parts = parts.each_ref().map(|part| part.view());
        assert_eq!(ndarray::concatenate(ndarray::Axis(0), &parts).unwrap(), all);
    }
}

#[test]
fn halves_of_pairs_are_refused() {
    let solve = |ensemble: Ensemble<'_>| {
        ensemble.solve(&problem(), &EulerMaruyama, &noise(3), &PairMoments).map(|_| ())
    };
    let even = Ensemble::new(10, 4).unwrap();
    assert!(solve(even.clone().starting_at(4)).is_ok());
    let odd = solve(even.starting_at(3));
    assert!(matches!(odd, Err(SdeError::OutOfRange { value: 3.0, .. })));
    let odd = solve(Ensemble::new(11, 4).unwrap());
    assert!(matches!(odd, Err(SdeError::OutOfRange { value: 11.0, .. })));
}
