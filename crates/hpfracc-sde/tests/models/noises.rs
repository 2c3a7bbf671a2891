//! Noises as models: sums of their increments, with the moments of the noise.

use hpfracc_sde::models::{FractionalBrownianMotion, Model, Named, StableLevyMotion};
use hpfracc_sde::noise::{FractionalBrownian, Tile};
use hpfracc_sde::{Ensemble, Moments, Paths, Quantiles};

/// Names on the command line; every one is in the catalogue.
const NOISES: [&str; 5] = [
    "brownian-motion",
    "fractional-brownian-motion",
    "riemann-liouville-brownian-motion",
    "coloured-noise",
    "compound-poisson",
];

/// Mean and variance of 20 000 paths are the exact ones within five standard errors.
#[test]
fn moments_are_exact() {
    const PATHS: usize = 20_000;
    let ensemble = Ensemble::new(PATHS, 32).unwrap().saving_every(8).unwrap();
    for name in NOISES {
        let mut model = Named::new(name).unwrap();
        if name == "compound-poisson" {
            model = model.with("jump_mean", 0.5).unwrap().unwrap();
        }
        let found = model.simulate::<f64, _>(&ensemble, (1.0, 3.0), 11, &Moments).unwrap();
        assert_eq!(found.mean[[0, 0]], 0.0);
        for n in 1..5 {
            let known = model.known(found.times[n] - 1.0).unwrap()[0];
            let (mean, variance) = (known.mean.unwrap(), known.variance.unwrap());
            let error = 5.0 * (variance / PATHS as f64).sqrt();
            assert!((found.mean[[n, 0]] - mean).abs() < error, "{name}: {}", found.mean[[n, 0]]);
            // Jumps have a larger fourth moment: 3 + 1/(lambda t) at most times the square.
            let error = 5.0 * (4.0 / PATHS as f64).sqrt();
            let ratio = found.covariance[[n, 0, 0]] / variance;
            assert!((ratio - 1.0).abs() < error, "{name}: {ratio}");
        }
    }
}

/// The paths are those of the noise with this seed.
#[test]
fn paths_are_sums_of_increments() {
    let ensemble = Ensemble::new(3, 16).unwrap().saving_every(16).unwrap();
    let model = FractionalBrownianMotion::default().hurst(0.2).unwrap().sigma(2.0).unwrap();
    let paths = model.simulate::<f64, _>(&ensemble, (0.0, 4.0), 5, &Paths).unwrap();
    let noise = FractionalBrownian::<f64>::new(5, &[0.2]).unwrap();
    let mut increments = vec![0.0; 48];
    noise
        .fill_paths(Tile { first_path: 0, lanes: 3, steps: 16, h: 0.25 }, &mut increments)
        .unwrap();
    for (path, increments) in increments.chunks(16).enumerate() {
        let sum: f64 = increments.iter().sum();
        assert!((paths[[path, 1, 0]] - 2.0 * sum).abs() < 1e-12);
    }
    assert!((model.covariance(1.0, 1.0).unwrap() - model.variance(1.0)).abs() < 1e-15);
}

/// Quartiles of a Cauchy process at time t are -t and t; at alpha = 2 it is Brownian motion.
#[test]
fn stable_motion_has_the_quartiles_of_its_distribution() {
    let ensemble = Ensemble::new(20_000, 8).unwrap().saving_every(8).unwrap();
    let quartiles = Quantiles::new(&[0.25, 0.75]).unwrap();
    let model = StableLevyMotion::default().alpha(1.0).unwrap();
    let found = model.simulate::<f64, _>(&ensemble, (0.0, 2.0), 3, &quartiles).unwrap();
    for (k, exact) in [-2.0, 2.0].into_iter().enumerate() {
        // The standard error is pi t sqrt(3/16 / paths): 0.019.
        assert!((found.values[[1, 0, k]] - exact).abs() < 0.1, "{}", found.values[[1, 0, k]]);
    }
    assert_eq!((model.mean(), model.variance(1.0)), (None, f64::INFINITY));
    assert_eq!(model.known(1.0).unwrap()[0].variance, None);
    let normal = model.alpha(2.0).unwrap();
    assert_eq!((normal.mean(), normal.variance(1.5)), (Some(0.0), 3.0));
    assert!(model.alpha(0.4).is_err() && model.alpha(2.1).is_err());
}
