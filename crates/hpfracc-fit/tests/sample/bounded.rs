//! Parameters with bounds: quantiles of known distributions.

use crate::densities::{assert_near, sample};
use hpfracc_fit::sample::{Coordinates, DensityFn, Nuts, Support, Whitening};
use std::f64::consts::PI;

/// The logarithm of a density with its derivative.
type Log = fn(f64) -> (f64, f64);
type Case = (&'static str, Support, f64, Log, fn(f64) -> f64);

#[test]
fn quantiles_are_those_of_the_distribution() {
    // Name, support, start, logarithm and derivative, quantile.
    let cases: [Case; 6] = [
        ("exponential", Support::Above(2.0), 3.0, |x| (2.0 - x, -1.0), |p| 2.0 - (-p).ln_1p()),
        ("mirrored", Support::Below(-1.0), -2.0, |x| (x, 1.0), |p| p.ln() - 1.0),
        ("uniform", Support::Between(2.0, 5.0), 3.0, |_| (0.0, 0.0), |p| 2.0 + 3.0 * p),
        (
            "arcsine",
            Support::Between(0.0, 1.0),
            0.5,
            |x| (-0.5 * (x * (1.0 - x)).ln(), -0.5 * (1.0 - 2.0 * x) / (x * (1.0 - x))),
            |p| (PI * p / 2.0).sin().powi(2),
        ),
        ("power", Support::Between(0.0, 1.0), 0.5, |x| (4.0 * x.ln(), 4.0 / x), |p| p.powf(0.2)),
        (
            "logistic",
            Support::Real,
            0.0,
            |x| (-x - 2.0 * (-x).exp().ln_1p(), -(x / 2.0).tanh()),
            |p| (p / (1.0 - p)).ln(),
        ),
    ];
    // Tails of exp(x) in the variable x need small steps.
    let settings = Nuts { draws: 3000, warm_up: 500, seed: 5, acceptance: 0.95, ..Nuts::default() };
    for (name, support, start, log, quantile) in cases {
        let density = DensityFn::new(1, move |x: &[f64], gradient: &mut [f64]| {
            let (value, slope) = log(x[0]);
            gradient[0] = slope;
            value
        });
        let coordinates = Coordinates::new(&[start], &[support], Whitening::Identity).unwrap();
        let posterior = sample(&settings, &density, coordinates);
        posterior.converged().unwrap_or_else(|error| panic!("{name}: {error}"));
        for p in [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98] {
            let name = format!("{name}, {p}");
            assert_near(&name, posterior.quantile(0, p), quantile(p));
        }
    }
}

/// Covariances of a distribution with a bound, in coordinates whitened by a factor of its
/// covariance: x is above 0 with the density x^3 exp(-x), and y given x is normal around x.
#[test]
fn whitened_bounds() {
    let density = DensityFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let away = x[1] - x[0];
        (gradient[0], gradient[1]) = (3.0 / x[0] - 1.0 + away, -away);
        3.0 * x[0].ln() - x[0] - away * away / 2.0
    });
    let supports = [Support::Above(0.0), Support::Real];
    let whitening = Whitening::Covariance(&[2.0, 0.0, 2.0, 1.0]);
    let coordinates = Coordinates::new(&[4.0, 4.0], &supports, whitening).unwrap();
    let settings = Nuts { draws: 2000, warm_up: 500, seed: 1, acceptance: 0.98, ..Nuts::default() };
    let posterior = sample(&settings, &density, coordinates);
    posterior.converged().unwrap();
    for (parameter, deviation) in [(0, 2.0), (1, 5f64.sqrt())] {
        let found = posterior.summary(parameter);
        assert_near("mean", (found.mean, found.mean_error), 4.0);
        let (sd, error) = (found.standard_deviation, found.standard_deviation_error);
        assert_near("deviation", (sd, error), deviation);
    }
    assert!((posterior.covariance()[1] - 4.0).abs() < 0.4);
}
