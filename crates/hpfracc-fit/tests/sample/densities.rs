//! Densities of several tests, and a sampling from start to end.

use hpfracc_fit::sample::{
    Coordinates, DensityFn, LogDensity, Nuts, Posterior, Support, Watch, Whitening,
};

/// Normal variables of the standard deviations 1, 10, 100, ... and the same correlation each.
pub(crate) fn equicorrelated(dim: usize, correlation: f64) -> impl LogDensity {
    DensityFn::new(dim, move |x: &[f64], gradient: &mut [f64]| {
        let z: Vec<f64> = (0..dim).map(|i| x[i] / 10f64.powi(i as i32)).collect();
        let share = correlation / (1.0 + (dim as f64 - 1.0) * correlation);
        let sum: f64 = z.iter().sum();
        let mut value = 0.0;
        for i in 0..dim {
            let force = (z[i] - share * sum) / (1.0 - correlation);
            gradient[i] = -force / 10f64.powi(i as i32);
            value -= 0.5 * z[i] * force;
        }
        value
    })
}

pub(crate) fn real(dim: usize) -> Coordinates {
    Coordinates::new(&vec![0.0; dim], &vec![Support::Real; dim], Whitening::Identity).unwrap()
}

pub(crate) fn sample(
    settings: &Nuts,
    density: &impl LogDensity,
    coordinates: Coordinates,
) -> Posterior {
    let mut sampling = settings.start(density, coordinates).unwrap();
    assert!(sampling.run(density, Watch::default()).unwrap());
    sampling.posterior().unwrap()
}

/// Whether a statistic is within five of its Monte Carlo errors of its value.
pub(crate) fn assert_near(what: &str, (found, error): (f64, f64), expected: f64) {
    let off = (found - expected).abs() / error;
    assert!(off < 5.0, "{what}: {found} +- {error}, expected {expected}");
}
