//! Stable Lévy motion.

use crate::paths::{covariances, empirical, rows, same_bits};
use hpfracc_sde::SdeError;
use hpfracc_sde::noise::{CellIntegral, Noise, NoiseProcess, StableDistribution, StableLevy, Tile};
use std::f64::consts::{FRAC_2_PI, FRAC_PI_2};

/// The exponent of the characteristic function over a unit of time, as the documentation states it.
fn exponent(distribution: StableDistribution, u: f64) -> (f64, f64) {
    let StableDistribution { index, skewness, scale } = distribution;
    let size = (scale * u).abs().powf(index);
    let skew = if index == 1.0 {
        skewness * u.signum() * FRAC_2_PI * u.abs().ln()
    } else {
        -skewness * u.signum() * (FRAC_PI_2 * index).tan()
    };
    (-size, -size * skew)
}

/// Indices from far below 1 to 2, and at and beside 1, where the form of the distribution changes; each step
/// and the sum of two.
#[test]
fn characteristic_functions() {
    let indices = [0.4, 0.75, 0.99, 1.0 - 1e-7, 1.0, 1.0 + 1e-5, 1.2, 1.7, 2.0];
    let (lanes, h) = (30_000, 0.3);
    for (skewness, scale) in [(0.0, 1.0), (0.6, 2.5), (-1.0, 0.7), (1.0, 1.0)] {
        let distributions = indices.map(|index| StableDistribution { index, skewness, scale });
        let noise = StableLevy::new(21, &distributions).unwrap();
        let steps = rows::<f64>(&noise, Tile { first_path: 0, lanes, steps: 2, h });
        for (component, distribution) in distributions.iter().enumerate() {
            let step = |n: usize| steps[n][component].clone();
            let sum: Vec<f64> = step(0).iter().zip(step(1)).map(|(a, b)| a + b).collect();
            for (x, t) in [(step(0), h), (step(1), h), (sum, 2.0 * h)] {
                let unit = 1.0 / (distribution.scale * t.powf(1.0 / distribution.index));
                for u in [0.2, 1.0, 2.0].map(|u| u * unit) {
                    let exact = |u: f64| {
                        let (re, im) = exponent(*distribution, u);
                        let size = (t * re).exp();
                        (size * (t * im).cos(), size * (t * im).sin())
                    };
                    empirical(&x, u, exact, &format!("{distribution:?}, {t}, u = {u}"));
                }
            }
        }
    }
}

/// What is left of increments when the drift that goes to infinity is taken away is continuous at
/// index 1, path by path.
#[test]
fn nothing_is_lost_near_index_one() {
    let tile = Tile { first_path: 0, lanes: 500, steps: 1, h: 1.0 };
    let at = |index: f64, skewness: f64| {
        let distribution = StableDistribution { index, skewness, scale: 1.0 };
        rows::<f64>(&StableLevy::new(3, &[distribution]).unwrap(), tile)[0][0].clone()
    };
    for skewness in [0.0, 0.8, -1.0] {
        let limit = at(1.0, skewness);
        for e in [1e-4, -1e-4, 1e-7, -1e-7] {
            let index = 1.0 - e;
            let drift = skewness / (FRAC_PI_2 * (1.0 - index)).tan();
            for (x, limit) in at(index, skewness).iter().zip(&limit) {
                let left = x - drift;
                // The derivative in the index grows as ln(x) x; the drift has 16 digits.
                let allowed = 10.0 * e.abs() * (1.0 + limit.abs()) * (1.0 + limit.abs().ln().abs());
                let rounding = 4e-16 * drift.abs();
                assert!((left - limit).abs() < allowed + rounding, "{index}: {left} {limit}");
            }
        }
    }
}

#[test]
fn index_two_is_brownian_motion() {
    let distribution = StableDistribution { index: 2.0, skewness: 1.0, scale: 0.5 };
    let noise = StableLevy::new(3, &[distribution, StableDistribution::symmetric(1.5)]).unwrap();
    let distributions = [0, 1].map(|component| Noise::<f32>::process(&noise, component));
    assert_eq!(
        distributions,
        [NoiseProcess::CorrelatedBrownian { variance: 0.5 }, NoiseProcess::Stable { index: 1.5 }]
    );
    let steps = rows::<f64>(&noise, Tile { first_path: 0, lanes: 50_000, steps: 3, h: 0.2 });
    let x: Vec<_> = steps.into_iter().map(|mut step| step.swap_remove(0)).collect();
    covariances(&x, |i, j| if i == j { 2.0 * 0.25 * 0.2 } else { 0.0 });
}

#[test]
fn the_same_bits_in_any_tile() {
    let distributions = [
        StableDistribution { index: 1.3, skewness: 0.4, scale: 1.0 },
        StableDistribution::symmetric(0.9),
    ];
    let noise = StableLevy::new(5, &distributions).unwrap();
    same_bits::<f32>(&noise, 9, 0.1);
    same_bits::<f64>(&noise, 9, 0.1);
    let tile = Tile { first_path: 4, lanes: 100, steps: 3, h: 0.1 };
    let (single, double) = (rows::<f32>(&noise, tile), rows::<f64>(&noise, tile));
    for (a, b) in single.iter().flatten().flatten().zip(double.iter().flatten().flatten()) {
        assert_eq!(*a, *b as f32);
    }
}

#[test]
fn parameters_out_of_range() {
    let refused = |index, skewness, scale, text: &str| {
        let distributions =
            [StableDistribution::symmetric(1.5), StableDistribution { index, skewness, scale }];
        let error = StableLevy::new(1, &distributions).unwrap_err().to_string();
        assert!(error.contains(text), "{error}");
    };
    for bad in [0.0, 2.1, -1.0, f64::NAN] {
        refused(bad, 0.0, 1.0, &format!("the index of a stable distribution is {bad}"));
    }
    for bad in [1.1, f64::NAN] {
        refused(1.5, bad, 1.0, &format!("the skewness of a stable distribution is {bad}"));
    }
    for bad in [0.0, -1.0, f64::INFINITY] {
        refused(1.5, 0.0, bad, &format!("the scale of a stable distribution is {bad}"));
    }
    assert!(StableLevy::new(1, &[]).is_err());
    let noise = StableLevy::new(1, &[StableDistribution::symmetric(1.5)]).unwrap();
    let tile = Tile { first_path: 0, lanes: 1, steps: 2, h: 0.5 };
    let integral = CellIntegral { noise: 0, exponent: 1.0, lag: 0 };
    let refused = Noise::<f64>::increments(&noise, tile, &[integral]);
    assert!(matches!(refused, Err(SdeError::NoIntegrals { .. })));
}
