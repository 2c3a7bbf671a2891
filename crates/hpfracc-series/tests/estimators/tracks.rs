//! Tracks: dense likelihoods, coverage, refusals.

use crate::gaussian::{Normals, Simulator, check_coverage, dense_log_likelihood, seeds};
use hpfracc_series::{Outcome, SeriesError, fit_tracks};
use std::time::Instant;

/// Covariance of increments of one dimension.
fn covariance(d: f64, alpha: f64, variance: f64, time_step: f64, n: usize) -> Vec<f64> {
    let power = |k: f64| k.abs().powf(alpha);
    let motion = |k: f64| power(k + 1.0) - 2.0 * power(k) + power(k - 1.0);
    let mut gamma: Vec<f64> =
        (0..n).map(|k| d * time_step.powf(alpha) * motion(k as f64)).collect();
    gamma[0] += 2.0 * variance;
    gamma[1] -= variance;
    gamma
}

fn positions(simulator: &Simulator, normals: &mut Normals) -> Vec<f64> {
    let mut at = 10.0;
    let mut positions = vec![at];
    positions.extend(simulator.series(normals).iter().map(|step| {
        at += step;
        at
    }));
    positions
}

#[test]
fn the_likelihood_is_that_of_the_dense_covariance() {
    let h = 0.05;
    let truth = Simulator::new(&covariance(0.8, 0.7, 0.04, h, 120));
    let short = Simulator::new(&covariance(0.8, 0.7, 0.04, h, 40));
    let mut normals = Normals::new(9);
    let mut track =
        |simulator| [positions(simulator, &mut normals), positions(simulator, &mut normals)];
    let tracks = [track(&truth), track(&short)];
    let fit = fit_tracks(&tracks, h).unwrap();
    let value = |name: &str| fit.estimate(name).unwrap().value();
    let at = |[d, alpha, variance]: [f64; 3]| -> f64 {
        let all = tracks.iter().flatten();
        all.map(|positions| {
            let steps: Vec<f64> = positions.windows(2).map(|p| p[1] - p[0]).collect();
            dense_log_likelihood(&covariance(d, alpha, variance, h, steps.len()), &steps)
        })
        .sum()
    };
    let names = ["D", "alpha", "sigma2"];
    let found = names.map(value);
    let top = at(found);
    assert!((fit.log_likelihood().unwrap() - top).abs() < 1e-8, "{fit} {top}");
    // The product of covariance and matrix of second derivatives is the unit matrix.
    let steps = names.map(|name| 0.005 * fit.estimate(name).unwrap().standard_error().unwrap());
    let second = |i: usize, j: usize| {
        let corner = |a: f64, b: f64| {
            let mut point = found;
            point[i] += a * steps[i];
            point[j] += b * steps[j];
            at(point)
        };
        let sum = corner(1.0, 1.0) + corner(-1.0, -1.0) - corner(1.0, -1.0) - corner(-1.0, 1.0);
        -sum / (4.0 * steps[i] * steps[j])
    };
    for i in 0..3 {
        for j in 0..3 {
            let product: f64 =
                (0..3).map(|k| fit.covariance(names[i], names[k]).unwrap() * second(k, j)).sum();
            let product = product * steps[j] / steps[i];
            assert!((product - f64::from(u8::from(i == j))).abs() < 0.03, "{i} {j} {product}");
        }
    }
    assert!(fit.correlation("alpha", "sigma2").unwrap() > 0.8, "{fit}");
    assert_eq!(value("hurst"), value("alpha") / 2.0);
    assert_eq!(fit.observations(), 320);
}

#[test]
fn an_unseen_localisation_noise_is_zero_within_its_error() {
    let simulator = Simulator::new(&covariance(1.0, 1.4, 0.0, 1.0, 300));
    let mut negative = 0;
    for seed in 0..10 {
        let fit = fit_tracks(&[[positions(&simulator, &mut Normals::new(seed))]], 1.0).unwrap();
        assert_eq!(fit.outcome(), &Outcome::Converged, "{fit}");
        let [variance, sigma] = ["sigma2", "sigma"].map(|name| fit.estimate(name).unwrap());
        assert!(variance.value().abs() < 4.0 * variance.standard_error().unwrap(), "{fit}");
        if variance.value() <= 0.0 {
            negative += 1;
            assert_eq!((sigma.value(), sigma.standard_error()), (0.0, None));
        }
        assert_eq!(sigma.interval().unwrap().0, variance.interval().unwrap().0.max(0.0).sqrt());
        let alpha = fit.estimate("alpha").unwrap();
        assert!((alpha.value() - 1.4).abs() < 4.0 * alpha.standard_error().unwrap(), "{fit}");
    }
    assert!((1..10).contains(&negative));
}

#[test]
fn bad_input_is_named() {
    let track = |n: usize| (0..n).map(|k| (k as f64).sin()).collect::<Vec<f64>>();
    let mut gap = [track(20), track(20)];
    gap[1][7] = f64::NAN;
    let refused = fit_tracks(&[[track(20), track(20)], gap], 1.0).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "position 7 of track 1, dimension 1, is NaN, expected a finite number: split the track at gaps"
    );
    let refused = fit_tracks(&[vec![track(20)], vec![track(20), track(20)]], 1.0).unwrap_err();
    assert_eq!(refused.to_string(), "track 1 has 2 dimensions, expected 1, as the first track");
    let refused = fit_tracks(&[[track(20), track(19)]], 1.0).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "track 0 has 19 positions in dimension 1, expected 20, as in dimension 0"
    );
    let refused = fit_tracks(&[vec![track(20); 4]], 1.0).unwrap_err();
    assert_eq!(refused.to_string(), "track 0 has 4 dimensions, expected 1 to 3");
    let none: [[Vec<f64>; 1]; 0] = [];
    assert!(matches!(fit_tracks(&none, 1.0), Err(SeriesError::TooShort { found: 0, .. })));
    assert!(matches!(fit_tracks(&[[vec![1.0; 30]]], 1.0), Err(SeriesError::Constant { .. })));
    let refused = fit_tracks(&[[track(20)]], 0.0).unwrap_err();
    assert_eq!(refused.to_string(), "`time_step` is 0, expected a positive finite number");
}

#[test]
fn intervals_cover_the_truth() {
    let (h, truth) = (0.1, [("D", 0.5), ("alpha", 0.7), ("sigma2", 0.0225), ("sigma", 0.15)]);
    let gamma = |n| covariance(0.5, 0.7, 0.0225, h, n);
    let (long, short) = (Simulator::new(&gamma(512)), Simulator::new(&gamma(100)));
    let (all, mut inside) = (seeds(20), [0; 4]);
    let start = Instant::now();
    for seed in 0..all {
        let mut normals = Normals::new(seed + 1000);
        let mut track =
            |simulator| [positions(simulator, &mut normals), positions(simulator, &mut normals)];
        let fit = fit_tracks(&[track(&long), track(&short)], h).unwrap();
        for (inside, (name, truth)) in inside.iter_mut().zip(truth) {
            let interval = fit.estimate(name).unwrap().interval();
            *inside += u64::from(interval.is_some_and(|(low, high)| low < truth && truth < high));
        }
    }
    eprintln!("{:?} a fit with simulation", start.elapsed() / all as u32);
    for (inside, (name, _)) in inside.iter().zip(truth) {
        check_coverage(&format!("tracks, {name}"), *inside, all);
    }
}
