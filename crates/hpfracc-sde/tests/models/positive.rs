//! Models that stay positive.

use crate::distribution::{LIMIT, mean_agrees, moments, test_paths};
use hpfracc_sde::models::{CoxIngersollRoss, GeometricBrownian, Model, RoughHeston, Variate};
use hpfracc_sde::{Ensemble, Paths};
use ndarray::Array3;

fn paths<T: Variate>(model: impl Model, (paths, steps, t1): (usize, usize, f64)) -> Array3<T> {
    let ensemble = Ensemble::new(paths, steps).unwrap().saving_every(1).unwrap();
    model.simulate(&ensemble, (0.0, t1), 3, &Paths).unwrap()
}

/// The second moment after n steps is `s0^2 ((1 + mu h)^2 + sigma^2 h)^n`, the fourth moment gives
/// its error.
#[test]
fn geometric_brownian_motion() {
    let model = GeometricBrownian::default().mu(0.3).unwrap().sigma(0.4).unwrap().s0(2.0).unwrap();
    let (count, steps, t1) = (test_paths(40_000), 100, 1.0);
    let found = moments::<f64>(model, (count, steps, t1), 5);
    let h = t1 / steps as f64;
    // E (1 + mu h + sigma sqrt(h) z)^p
    let (a, b2) = (1.0 + 0.3 * h, 0.16 * h);
    let factors = [a, a * a + b2, 0.0, a.powi(4) + 6.0 * a * a * b2 + 3.0 * b2 * b2];
    for time in 1..=4 {
        let n = (time * steps / 4) as i32;
        let moment = |p: usize| 2f64.powi(p as i32) * factors[p - 1].powi(n);
        let variance = moment(2) - moment(1).powi(2);
        let mean = found.mean[[time, 0]];
        mean_agrees(&format!("step {n}"), mean, moment(1), variance, count);
        let second = found.covariance[[time, 0, 0]] + mean * mean;
        let error = ((moment(4) - moment(2).powi(2)) / count as f64).sqrt();
        let z = (second - moment(2)) / error;
        assert!(z.abs() < LIMIT, "step {n}: second moment {second} of {}, {z}", moment(2));
        let t = found.times[time];
        assert!((moment(1) / model.mean(t) - 1.0).abs() < 1e-3);
        assert!((variance / model.variance(t) - 1.0).abs() < 1e-2);
    }
}

/// Far from 0 nothing is truncated, and the scheme's own mean and variance obey two recursions.
#[test]
fn cox_ingersoll_ross_above_zero() {
    let model = CoxIngersollRoss::default().kappa(1.2).unwrap().theta(1.5).unwrap();
    let model = model.sigma(0.2).unwrap().x0(0.8).unwrap();
    assert!((model.feller() - 90.0).abs() < 1e-12);
    let (count, steps, t1) = (test_paths(40_000), 120, 2.0);
    let found = moments::<f64>(model, (count, steps, t1), 6);
    let h = t1 / steps as f64;
    let (mut mean, mut variance, mut n) = (0.8, 0.0, 0);
    for time in 1..=4 {
        while n < time * steps / 4 {
            variance = (1.0 - 1.2 * h) * (1.0 - 1.2 * h) * variance + 0.04 * h * mean;
            mean += 1.2 * (1.5 - mean) * h;
            n += 1;
        }
        mean_agrees(&format!("step {n}"), found.mean[[time, 0]], mean, variance, count);
        // Its excess kurtosis is below 3 sigma^2/kappa/x, some 0.1.
        let z = (found.covariance[[time, 0, 0]] / variance - 1.0) / (2.1 / count as f64).sqrt();
        assert!(z.abs() < LIMIT, "step {n}: variance, {z} standard errors");
        let t = found.times[time];
        assert!((mean / model.mean(t) - 1.0).abs() < 5e-3, "{mean} {}", model.mean(t));
        assert!((variance / model.variance(t) - 1.0).abs() < 2e-2);
    }
}

/// Where 0 is reached: never below, never NaN, in single precision too, and the bias of truncation
/// falls with the step.
#[test]
fn cox_ingersoll_ross_at_zero() {
    let model = CoxIngersollRoss::default().kappa(0.5).unwrap().theta(0.02).unwrap();
    let model = model.sigma(1.0).unwrap().x0(0.02).unwrap();
    assert!(model.feller() < 0.1);
    for path in
        [paths::<f64>(model, (500, 200, 2.0)).mapv(|x| x as f32), paths(model, (500, 200, 2.0))]
    {
        assert!(path.iter().all(|x| *x >= 0.0 && x.is_finite()));
        assert!(path.iter().filter(|x| **x == 0.0).count() > 10_000, "0 is reached");
    }
    let count = 20_000;
    let [long, short] = [20, 320].map(|steps| {
        let found = moments::<f64>(model, (count, steps, 2.0), 7);
        let error = (found.covariance[[4, 0, 0]] / count as f64).sqrt();
        println!("{steps}: {} +- {error}, exact {}", found.mean[[4, 0]], model.mean(2.0));
        (found.mean[[4, 0]] - model.mean(2.0), error)
    });
    assert!(long.0 > 5.0 * long.1 && short.0 < 0.4 * long.0, "{long:?} {short:?}");
}

#[test]
fn rough_heston_stays_positive() {
    let model = RoughHeston::default().nu(1.5).unwrap().hurst(0.05).unwrap().theta(0.01).unwrap();
    let path = paths::<f32>(model, (400, 200, 1.0));
    assert!(path.iter().all(|x| *x >= 0.0 && x.is_finite()));
    let variance = path.slice(ndarray::s![.., .., 1]);
    assert!(variance.iter().filter(|x| **x == 0.0).count() > 10_000, "0 is reached");
}
