//! Means and variances by standard errors.

use hpfracc_sde::models::{Model, Variate};
use hpfracc_sde::{Ensemble, MeanAndCovariance, Moments};

/// Two-sided probability 1e-6 for a normal variable.
pub(crate) const LIMIT: f64 = 4.9;

/// Number of paths of an estimate: `HPFRACC_TEST_PATHS`, or `default`.
pub(crate) fn test_paths(default: usize) -> usize {
    match std::env::var("HPFRACC_TEST_PATHS") {
        Ok(paths) => paths.parse().expect("HPFRACC_TEST_PATHS is a number of paths"),
        Err(_) => default,
    }
}

/// Moments of a model at the start and at four times more.
pub(crate) fn moments<T: Variate>(
    model: impl Model,
    (paths, steps, t1): (usize, usize, f64),
    seed: u64,
) -> MeanAndCovariance {
    let ensemble = Ensemble::new(paths, steps).unwrap().saving_every(steps / 4).unwrap();
    model.simulate::<T, _>(&ensemble, (0.0, t1), seed, &Moments).unwrap()
}

/// The mean over `paths` paths of a variable of this variance.
pub(crate) fn mean_agrees(what: &str, found: f64, exact: f64, variance: f64, paths: usize) {
    let z = (found - exact) / (variance / paths as f64).sqrt();
    println!("{what}: mean {found:.6} of {exact:.6}, {z:.2} standard errors");
    assert!(z.abs() < LIMIT, "{what}: mean {found} of {exact}, {z} standard errors");
}

/// The same of the variance of a Gaussian variable.
pub(crate) fn variance_agrees(what: &str, found: f64, exact: f64, paths: usize) {
    let z = (found - exact) / (exact * (2.0 / paths as f64).sqrt());
    println!("{what}: variance {found:.6} of {exact:.6}, {z:.2} standard errors");
    assert!(z.abs() < LIMIT, "{what}: variance {found} of {exact}, {z} standard errors");
}
