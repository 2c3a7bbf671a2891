//! Bootstraps against covariances in closed form, and their states.

use crate::data::{assert_close, fit, inverse, line, model, moments, noisy_line, normal, sandwich};
use hpfracc_checkpoint::{Fingerprint, Format, seal, unseal};
use hpfracc_fit::bootstrap::{Bootstrap, Progress, Resampling, Scheme, Watch};
use hpfracc_fit::{Fit, Found, Loss, Set};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// A variance of 4000 replicates has a relative error of 2.2 %.
const MANY: u32 = 4000;
const TOLERANCE: f64 = 0.1;

fn run(found: &Found<'_>, scheme: Scheme, replicates: u32) -> Bootstrap {
    found.bootstrap(&Resampling { scheme, replicates, seed: 7 }).unwrap()
}

/// Residuals over the square roots of 1 - leverage.
fn inflated(found: &Found<'_>, x: &[f64], y: &[f64]) -> Vec<f64> {
    let (aa, ab, bb) = inverse(moments(x, |_| 1.0));
    let values = found.values();
    let residual = |(x, y): (&f64, &f64)| {
        let leverage = aa + 2.0 * ab * x + bb * x * x;
        (values[0] + values[1] * x - y) / (1.0 - leverage).sqrt()
    };
    x.iter().zip(y).map(residual).collect()
}

fn check(bootstrap: &Bootstrap, expected: (f64, f64, f64), tolerance: f64) {
    assert_eq!(bootstrap.failures().all(), 0);
    let of = |a, b| bootstrap.covariance(a, b).unwrap().unwrap();
    assert_close(of("a", "a"), expected.0, tolerance, "a a");
    assert_close(of("a", "b"), expected.1, tolerance, "a b");
    assert_close(of("b", "b"), expected.2, tolerance, "b b");
    let error = bootstrap.standard_error("b").unwrap().unwrap();
    assert_close(error, expected.2.sqrt(), tolerance, "standard error");
    let bias = bootstrap.bias("b").unwrap().unwrap();
    assert!(bias.abs() < 5.0 * error / 60.0, "{bias}, {error}");
}

#[test]
fn residuals_give_the_covariance_of_least_squares() {
    let (model, (x, y)) = (line(), noisy_line(12, 1, 0.3));
    let found = fit(&model, &x, &y);
    let residuals = inflated(&found, &x, &y);
    let mean = residuals.iter().sum::<f64>() / 12.0;
    let variance = residuals.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / 12.0;
    let (aa, ab, bb) = inverse(moments(&x, |_| 1.0));
    let expected = (variance * aa, variance * ab, variance * bb);
    check(&run(&found, Scheme::Residual, MANY), expected, TOLERANCE);
}

#[test]
fn signs_give_the_covariance_of_unequal_errors() {
    let (model, (x, mut y)) = (line(), noisy_line(15, 2, 0.0));
    y.iter_mut().enumerate().for_each(|(i, y)| *y += 0.1 * i as f64 * normal(5, i));
    let found = fit(&model, &x, &y);
    let residuals = inflated(&found, &x, &y);
    let inner = moments(&x, |i| residuals[i].powi(2));
    let expected = sandwich(inverse(moments(&x, |_| 1.0)), inner);
    check(&run(&found, Scheme::Wild, MANY), expected, TOLERANCE);
}

/// For many rows; the inputs are drawn, too.
#[test]
fn pairs_give_the_sandwich() {
    let (model, (x, mut y)) = (line(), noisy_line(300, 3, 0.0));
    y.iter_mut().enumerate().for_each(|(i, y)| *y += 0.01 * i as f64 * normal(6, i));
    let found = fit(&model, &x, &y);
    let values = found.values();
    let residual = |i: usize| values[0] + values[1] * x[i] - y[i];
    let inner = moments(&x, |i| residual(i).powi(2));
    let expected = sandwich(inverse(moments(&x, |_| 1.0)), inner);
    check(&run(&found, Scheme::Pairs, MANY), expected, TOLERANCE);
    // Equal errors would be another covariance.
    let plain = found.covariance("a", "a").unwrap().unwrap();
    assert!(plain > 1.5 * expected.0, "{plain}, {}", expected.0);
}

/// Errors of an autoregression with the coefficient 0.7 have a mean whose variance is (1 + 0.7)/(1 - 0.7) times as large.
#[test]
fn blocks_see_correlated_errors() {
    let constant = model("y = a + 0 x; a = 0");
    let n = 6000;
    let x: Vec<f64> = (0..n).map(|i| i as f64).collect();
    let mut y = vec![0.0; n];
    (1..n).for_each(|i| y[i] = 0.7 * y[i - 1] + normal(11, i));
    let found = fit(&constant, &x, &y);
    let plain = found.estimate("a").unwrap().standard_error.unwrap();
    let error = |scheme| run(&found, scheme, 500).standard_error("a").unwrap().unwrap();
    let ratio = error(Scheme::Blocks { length: 60 }) / plain;
    let expected = (1.7f64 / 0.3).sqrt();
    assert!((ratio / expected - 1.0).abs() < 0.15, "{ratio}, expected {expected}");
    let pairs = error(Scheme::Pairs) / plain;
    assert!((pairs - 1.0).abs() < 0.1, "{pairs}");
}

/// Blocks of all rows draw each row once.
#[test]
fn the_longest_blocks_are_the_data() {
    let (model, (x, y)) = (line(), noisy_line(20, 4, 0.3));
    let found = fit(&model, &x, &y);
    let bootstrap = run(&found, Scheme::Blocks { length: 20 }, 3);
    for (name, value) in found.names().into_iter().zip(found.values()) {
        for other in bootstrap.values(name).unwrap() {
            assert_close(other, value, 1e-12, name);
        }
    }
}

/// Known and relative errors scale residuals; skipped rows stay out; sets keep their rows.
#[test]
fn weights_sets_and_skipped_rows() {
    let (model, (x, mut y)) = (line(), noisy_line(40, 9, 0.0));
    let sigma: Vec<f64> = (0..40).map(|i| 0.05 * (1.0 + f64::from(i % 4))).collect();
    (0..40).for_each(|i| y[i] += sigma[i] * normal(21, i));
    let weight: Vec<f64> = sigma.iter().map(|s| 3.0 / (s * s)).collect();
    y[7] = f64::NAN;
    let set = || Set::new("data", &model).input(&x).response(&y).skip_not_finite();
    let known = Fit::new(set().sigma(&sigma)).unwrap().run().unwrap();
    let relative = Fit::new(set().weight(&weight)).unwrap().run().unwrap();
    for scheme in [Scheme::Residual, Scheme::Wild, Scheme::Pairs, Scheme::Blocks { length: 5 }] {
        let errors: Vec<f64> = [&known, &relative]
            .iter()
            .map(|found| run(found, scheme, 400).standard_error("b").unwrap().unwrap())
            .collect();
        assert_close(errors[0], errors[1], 1e-9, "the scale of weights");
        let expected = known.estimate("b").unwrap().standard_error.unwrap();
        assert!((errors[0] / expected - 1.0).abs() < 0.35, "{scheme:?}: {errors:?}, {expected}");
    }
    let (first, second) = (&set().sigma(&sigma), Set::new("more", &model));
    let (u, v) = noisy_line(25, 10, 0.2);
    let s = vec![0.2; 25];
    let both = vec![first.clone(), second.input(&u).response(&v).sigma(&s)];
    let found = Fit::of(both).unwrap().own("a").unwrap().run().unwrap();
    let bootstrap = run(&found, Scheme::Residual, 1000);
    for name in ["a@data", "a@more", "b"] {
        let found = found.estimate(name).unwrap().standard_error.unwrap();
        let error = bootstrap.standard_error(name).unwrap().unwrap();
        assert!((error / found - 1.0).abs() < 0.3, "{name}: {error}, {found}");
    }
}

#[test]
fn intervals_follow_logarithms_ties_and_losses() {
    let relaxation = model("y = a exp(-(x/tau)); a = 1; tau = 1 in (0, inf); half = 0");
    let x: Vec<f64> = (0..30).map(|i| 0.2 * f64::from(i)).collect();
    let y: Vec<f64> =
        x.iter().enumerate().map(|(i, x)| (-x / 1.5).exp() + 0.02 * normal(2, i)).collect();
    let all = || Fit::new(Set::new("data", &relaxation).input(&x).response(&y)).unwrap();
    let fit = || all().fix("half", 0.0).unwrap();
    let settings = Resampling { replicates: 499, ..Resampling::default() };
    let plain = fit().run().unwrap();
    let logarithmic = fit().logarithmic("tau").unwrap().run().unwrap();
    let cauchy = fit().loss(Loss::Cauchy).run().unwrap();
    for found in [&plain, &logarithmic, &cauchy] {
        let bootstrap = found.bootstrap(&settings).unwrap();
        assert_eq!(bootstrap.failures().all(), 0);
        let wald = found.interval("tau", 0.95).unwrap().unwrap();
        for interval in [
            bootstrap.percentile_interval("tau", 0.95).unwrap().unwrap(),
            bootstrap.studentised_interval("tau", 0.95).unwrap().unwrap(),
        ] {
            let width = wald.1 - wald.0;
            let off = (interval.0 - wald.0).abs().max((interval.1 - wald.1).abs());
            assert!(off < 0.35 * width, "{interval:?}, {wald:?}");
        }
    }
    let tied = all().tie("half", "0.5 tau").unwrap().run().unwrap();
    let bootstrap = tied.bootstrap(&settings).unwrap();
    let of = |name| bootstrap.studentised_interval(name, 0.9).unwrap().unwrap();
    assert_close(2.0 * of("half").0, of("tau").0, 1e-12, "tied");
    // 39 replicates are the fewest for 95 %.
    let few = plain.bootstrap(&Resampling { replicates: 38, ..settings.clone() }).unwrap();
    assert_eq!(few.percentile_interval("tau", 0.95).unwrap(), None);
    assert_eq!(few.studentised_interval("tau", 0.95).unwrap(), None);
    // A parameter that a bound holds has percentiles only.
    let held = fit().bounds("tau", 0.0, 1.4).unwrap().run().unwrap();
    let bootstrap = held.bootstrap(&settings).unwrap();
    assert_eq!(bootstrap.studentised_interval("tau", 0.95).unwrap(), None);
    assert_eq!(bootstrap.percentile_interval("tau", 0.95).unwrap().unwrap().1, 1.4);
}

const FORMAT: Format = Format { kind: *b"hpfboot ", version: 1 };

fn saved(bootstrap: &Bootstrap) -> Bootstrap {
    let fingerprint = Fingerprint::new([("the fit", "a test")]).unwrap();
    let bytes = seal(FORMAT, &fingerprint, bootstrap).unwrap();
    unseal(FORMAT, &fingerprint, Path::new("bootstrap"), &bytes).unwrap()
}

#[test]
fn threads_and_interruptions_do_not_change_bits() {
    let (model, (x, y)) = (line(), noisy_line(9, 4, 0.3));
    let found = fit(&model, &x, &y);
    for scheme in [Scheme::Residual, Scheme::Wild, Scheme::Pairs, Scheme::Blocks { length: 3 }] {
        let settings = Resampling { scheme, replicates: 100, seed: 3 };
        let expected = found.bootstrap(&settings).unwrap();
        for threads in [1, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            assert_eq!(pool.install(|| found.bootstrap(&settings)).unwrap(), expected);
        }
        let mut bootstrap = Bootstrap::new(&found, &settings).unwrap();
        let mut calls = 1;
        while !bootstrap.advance(&found, 7, Watch::default()).unwrap() {
            bootstrap = saved(&bootstrap);
            calls += 1;
        }
        assert_eq!((calls, &bootstrap), (15, &expected));
        let mut fewer = Bootstrap::new(&found, &Resampling { replicates: 40, ..settings }).unwrap();
        fewer.run(&found, Watch::default()).unwrap();
        assert_eq!(
            fewer.values("b").unwrap(),
            expected.values("b").unwrap()[..fewer.values("b").unwrap().len()]
        );
    }
}

#[test]
fn a_cancelled_bootstrap_goes_on() {
    let (model, (x, y)) = (line(), noisy_line(9, 4, 0.3));
    let found = fit(&model, &x, &y);
    let settings = Resampling { replicates: 600, ..Resampling::default() };
    let (cancel, seen) = (AtomicBool::new(false), AtomicU32::new(0));
    let progress = |progress: Progress| {
        assert!(progress.of == 600 && (1..=600).contains(&progress.replicates));
        if seen.fetch_add(1, Ordering::Relaxed) == 300 {
            cancel.store(true, Ordering::Relaxed);
        }
    };
    let watch = Watch { cancel: Some(&cancel), progress: Some(&progress), ..Watch::default() };
    let mut bootstrap = Bootstrap::new(&found, &settings).unwrap();
    assert!(!bootstrap.run(&found, watch).unwrap() && !bootstrap.is_complete());
    assert!((1..600).contains(&bootstrap.replicates()), "{}", bootstrap.replicates());
    assert!(!bootstrap.run(&found, watch).unwrap());
    let mut bootstrap = saved(&bootstrap);
    assert!(bootstrap.run(&found, Watch::default()).unwrap() && bootstrap.is_complete());
    assert_eq!(bootstrap, found.bootstrap(&settings).unwrap());
}

#[test]
fn failures_are_counted() {
    let (model, (x, y)) = (line(), noisy_line(4, 4, 0.3));
    let found = fit(&model, &x, &y);
    let bootstrap = run(&found, Scheme::Pairs, 1000);
    let failures = bootstrap.failures();
    // Of 4^4 drawings 4 + 84 have at most two distinct rows.
    let expected = 1000.0 * 88.0 / 256.0;
    assert!((f64::from(failures.undetermined) - expected).abs() < 75.0, "{failures:?}");
    assert_eq!(failures.all(), failures.undetermined);
    assert_eq!(bootstrap.values("a").unwrap().len(), 1000 - failures.all() as usize);
}

#[test]
fn bad_settings_and_states_are_refused() {
    let (model, (x, y)) = (line(), noisy_line(9, 4, 0.3));
    let found = fit(&model, &x, &y);
    let error = |scheme, replicates| {
        let settings = Resampling { scheme, replicates, seed: 0 };
        found.bootstrap(&settings).unwrap_err().to_string()
    };
    let none = "the number of replicates is 0, expected at least 1";
    assert_eq!(error(Scheme::Pairs, 0), none);
    for length in [0, 10] {
        let expected = format!(
            "the number of rows of a block is {length}, expected a number from 1 to that of the rows of the shortest set"
        );
        assert_eq!(error(Scheme::Blocks { length }, 9), expected);
    }
    let mut bootstrap = run(&found, Scheme::Pairs, 50);
    assert!(bootstrap.values("z").unwrap_err().to_string().contains("`z`"));
    assert!(bootstrap.percentile_interval("a", 1.0).is_err());
    assert!(bootstrap.studentised_interval("a", f64::NAN).is_err());
    let (u, v) = noisy_line(9, 5, 0.3);
    let mut refused =
        |found: &Found<'_>| bootstrap.run(found, Watch::default()).unwrap_err().to_string();
    let expected = "the saved bootstrap is of a fit with other estimates";
    assert_eq!(refused(&fit(&model, &u, &v)), expected);
    let (u, v) = noisy_line(8, 4, 0.3);
    assert_eq!(refused(&fit(&model, &u, &v)), "the saved bootstrap is of a fit with other data");
    let other = crate::data::model("y = a + c x; a = 0; c = 0");
    let expected = "the saved bootstrap is of a fit with other parameters";
    assert_eq!(refused(&fit(&other, &x, &y)), expected);
    let good = serde_json::to_value(&bootstrap).unwrap();
    let edits: [fn(&mut serde_json::Value); 2] = [
        |state| state["settings"]["replicates"] = 3.into(),
        |state| drop(state["refits"][0]["Ok"]["values"].as_array_mut().unwrap().pop()),
    ];
    for edit in edits {
        let mut state = good.clone();
        edit(&mut state);
        let mut edited: Bootstrap = serde_json::from_value(state).unwrap();
        let error = edited.run(&found, Watch::default()).unwrap_err().to_string();
        assert_eq!(error, "the saved bootstrap is of a fit with other replicates");
    }
}
