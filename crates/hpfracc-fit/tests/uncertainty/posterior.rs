//! Draws from the posterior distribution of a fit.

use crate::data::{assert_close, fit, inverse, line, model, moments, noisy_line, normal};
use hpfracc_fit::sample::diagnostics::quantile;
use hpfracc_fit::sample::{LogDensity, Nuts, Posterior, Watch};
use hpfracc_fit::{Fit, FormulaModel, Found, Loss, Set};
use statrs::distribution::{ContinuousCDF, StudentsT};

fn sample(found: &Found<'_>, draws: u32) -> Posterior {
    let posterior = found.sample(&Nuts { draws, ..Nuts::default() }).unwrap();
    posterior.converged().unwrap_or_else(|error| panic!("{error}"));
    posterior
}

fn assert_near(what: &str, (value, error): (f64, f64), expected: f64) {
    assert!((value - expected).abs() < 5.0 * error, "{what}: {value} +- {error}, not {expected}");
}

#[test]
fn a_linear_model_of_known_errors_has_a_normal_posterior() {
    let (model, (x, y)) = (line(), noisy_line(15, 1, 0.3));
    let sigma: Vec<f64> = (0..15).map(|i| 0.2 + 0.02 * f64::from(i)).collect();
    let set = Set::new("data", &model).input(&x).response(&y).sigma(&sigma);
    let found = Fit::new(set).unwrap().prior("b", -0.3, 0.05).unwrap().run().unwrap();
    let posterior = sample(&found, 4000);
    assert_eq!(posterior.names(), ["a", "b"]);
    let (a, b, c) = moments(&x, |i| sigma[i].powi(-2));
    let covariance = inverse((a, b, c + 1.0 / (0.05 * 0.05)));
    let values = found.values();
    for (k, variance) in [(0, covariance.0), (1, covariance.2)] {
        let summary = posterior.summary(k);
        assert_near("mean", (summary.mean, summary.mean_error), values[k]);
        let deviation = (summary.standard_deviation, summary.standard_deviation_error);
        assert_near("standard deviation", deviation, variance.sqrt());
        let upper = values[k] + 1.959_963_985 * variance.sqrt();
        assert_near("quantile", posterior.quantile(k, 0.975), upper);
    }
    let (found, scale) = (posterior.covariance()[1], (covariance.0 * covariance.2).sqrt());
    assert!((found - covariance.1).abs() < 0.05 * scale, "{found}, {covariance:?}");
}

#[test]
fn unknown_errors_give_the_t_distribution() {
    let (model, (x, y)) = (line(), noisy_line(8, 2, 0.3));
    let found = fit(&model, &x, &y);
    let posterior = sample(&found, 5000);
    let student = StudentsT::new(0.0, 1.0, 6.0).unwrap();
    for (k, name) in [(0, "a"), (1, "b")] {
        let estimate = found.estimate(name).unwrap();
        for p in [0.025, 0.5, 0.9] {
            let expected =
                estimate.value + student.inverse_cdf(p) * estimate.standard_error.unwrap();
            assert_near(name, posterior.quantile(k, p), expected);
        }
    }
}

fn relaxation() -> FormulaModel {
    model("y = a exp(-(x/tau)^s) + c; a = 1; tau = 1 in (0, inf); s = 0.7 in (0.05, 1); c = 0")
}

/// Times from 0.02 to 20 at equal ratios.
fn record(points: usize, order: f64) -> (Vec<f64>, Vec<f64>) {
    let ratio = 1000f64.ln() / (points - 1) as f64;
    let x: Vec<f64> = (0..points).map(|i| 0.02 * (ratio * i as f64).exp()).collect();
    let value = |x: &f64| (-x.powf(order)).exp() + 0.2;
    let y = x.iter().enumerate().map(|(i, x)| value(x) + 0.005 * normal(4, i)).collect();
    (x, y)
}

/// At most 4 gradients for an effective draw, and the same distribution whatever is fitted.
#[test]
fn a_relaxation_is_sampled_at_little_cost() {
    let (model, (x, y)) = (relaxation(), record(40, 0.6));
    let fit = || Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    let plain = fit().run().unwrap();
    let posterior = sample(&plain, 1000);
    let ess = (0..4).map(|k| posterior.summary(k).bulk_ess).fold(f64::INFINITY, f64::min);
    let cost = posterior.gradients() as f64 / ess.min(4000.0);
    println!(
        "{cost} gradients an effective draw, {} of the warm-up",
        posterior.warm_up_gradients()
    );
    assert!(cost < 4.0, "{cost}");
    for (k, name) in posterior.names().iter().enumerate() {
        let estimate = plain.estimate(name).unwrap();
        let (summary, error) = (posterior.summary(k), estimate.standard_error.unwrap());
        assert!((summary.mean - estimate.value).abs() < 0.3 * error, "{name}: {summary:?}");
        assert!((summary.standard_deviation / error - 1.0).abs() < 0.15, "{name}: {summary:?}");
    }
    // The prior of a logarithm is another one, which 40 points outweigh.
    let logarithmic = fit().logarithmic("tau").unwrap().run().unwrap();
    let other = sample(&logarithmic, 1000);
    let k = other.parameter("tau").unwrap();
    let (a, b) = (posterior.summary(k), other.summary(k));
    assert!((a.mean - b.mean).abs() < 0.15 * a.standard_deviation, "{a:?}, {b:?}");
    // Half of the draws of 2 tau are below twice the median of tau.
    let doubled = plain.derived_draws(&posterior, "2 tau + 0 a").unwrap();
    let chains: Vec<&[f64]> = doubled.iter().map(Vec::as_slice).collect();
    let k = posterior.parameter("tau").unwrap();
    assert_close(quantile(&chains, 0.5), 2.0 * posterior.quantile(k, 0.5).0, 1e-12, "median");
    let refused = logarithmic.derived_draws(&posterior, "tau +").unwrap_err();
    assert!(refused.to_string().starts_with("the tie of"), "{refused}");
    let fixed = fit().fix("c", 0.2).unwrap().run().unwrap();
    let refused = fixed.derived_draws(&posterior, "tau").unwrap_err().to_string();
    assert_eq!(refused, "the posterior is of a fit with other parameters");
}

/// An estimate on its bound: draws stay inside, and pile up there.
#[test]
fn a_bound_holds_the_draws() {
    let (model, (x, y)) = (relaxation(), record(40, 1.02));
    let found = fit(&model, &x, &y);
    assert!(found.estimate("s").unwrap().held.is_some());
    let settings = Nuts { draws: 2000, acceptance: 0.95, ..Nuts::default() };
    let posterior = found.sample(&settings).unwrap();
    posterior.converged().unwrap_or_else(|error| panic!("{error}"));
    let s = posterior.parameter("s").unwrap();
    assert!(posterior.series(s).iter().all(|chain| chain.iter().all(|s| *s < 1.0)));
    let free = Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    let free = free.bounds("s", 0.05, 3.0).unwrap().run().unwrap();
    let estimate = free.estimate("s").unwrap();
    // The normal distribution of the free fit, cut at 1.
    let (mean, sd) = (estimate.value, estimate.standard_error.unwrap());
    let (below, steps) = (mean - 1.0, 20_000);
    let density = |d: f64| (-0.5 * ((d + below) / sd).powi(2)).exp();
    let (mut sum, mut moment) = (0.0, 0.0);
    for i in 0..steps {
        let d = 8.0 * sd * (f64::from(i) + 0.5) / f64::from(steps);
        (sum, moment) = (sum + density(d), moment + d * density(d));
    }
    let summary = posterior.summary(s);
    let distance = moment / sum;
    assert!((1.0 - summary.mean - distance).abs() < 0.15 * distance, "{summary:?}, {distance}");
}

/// Sets with own, shared, fixed and tied parameters.
#[test]
fn several_sets() {
    let (model, (x, y)) = (relaxation(), record(30, 0.6));
    let (u, v) = record(40, 0.6);
    let sigma = (vec![0.005; 30], vec![0.005; 40]);
    let sets = vec![
        Set::new("one", &model).input(&x).response(&y).sigma(&sigma.0),
        Set::new("two", &model).input(&u).response(&v).sigma(&sigma.1),
    ];
    let fit = Fit::of(sets).unwrap().own("a").unwrap().fix("c", 0.2).unwrap();
    let found = fit.tie("tau", "0.6/s").unwrap().run().unwrap();
    let posterior = sample(&found, 1000);
    for (k, name) in posterior.names().iter().enumerate() {
        let estimate = found.estimate(name).unwrap();
        let (summary, error) = (posterior.summary(k), estimate.standard_error.unwrap());
        assert!((summary.mean - estimate.value).abs() < 0.3 * error, "{name}: {summary:?}");
        assert!((summary.standard_deviation / error - 1.0).abs() < 0.15, "{name}: {summary:?}");
    }
    assert_eq!(posterior.names(), ["a@one", "s", "a@two"]);
}

/// The gradient of every kind of density is its derivative.
#[test]
fn gradients_are_derivatives() {
    let (model, (x, y)) = (relaxation(), record(20, 0.6));
    let sigma = vec![0.01; 20];
    let set = || Set::new("data", &model).input(&x).response(&y);
    let unknown = || Fit::new(set()).unwrap();
    let known = || Fit::new(set().sigma(&sigma)).unwrap();
    for found in [
        unknown().run().unwrap(),
        unknown().logarithmic("tau").unwrap().run().unwrap(),
        known().logarithmic("tau").unwrap().prior("tau", 1.2, 0.1).unwrap().run().unwrap(),
        known().prior("s", 0.5, 0.01).unwrap().run().unwrap(),
        unknown().loss(Loss::Cauchy).run().unwrap(),
        known().loss(Loss::SoftL1).run().unwrap(),
        unknown().tie("c", "0.2 a^2").unwrap().run().unwrap(),
    ] {
        let density = found.density();
        let names = density.names();
        let at: Vec<f64> =
            names.iter().map(|name| 1.03 * found.estimate(name).unwrap().value).collect();
        let mut gradient = vec![0.0; at.len()];
        let value = density.value_and_gradient(&at, &mut gradient).unwrap();
        for k in 0..at.len() {
            let step = 1e-5 * at[k];
            let side = |sign: f64| {
                let mut moved = at.clone();
                moved[k] += sign * step;
                density.value_and_gradient(&moved, &mut vec![0.0; at.len()]).unwrap()
            };
            let slope = (side(1.0) - side(-1.0)) / (2.0 * step);
            let off = (slope - gradient[k]).abs();
            assert!(
                off < 1e-5 * (value.abs() / at[k]).max(gradient[k].abs()),
                "{slope}, {gradient:?}"
            );
        }
    }
}

/// A logarithm with a flat prior is a density of 1/theta.
#[test]
fn a_logarithm_has_the_density_of_its_inverse() {
    let (model, (x, y)) = (relaxation(), record(20, 0.6));
    let fit = || Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    let (plain, other) = (fit().run().unwrap(), fit().logarithmic("tau").unwrap().run().unwrap());
    let value = |found: &Found<'_>, at: &[f64]| {
        found.density().value_and_gradient(at, &mut [0.0; 4]).unwrap()
    };
    assert_eq!(plain.density().names(), ["a", "tau", "s", "c"]);
    for tau in [0.5, 1.0, 3.0] {
        let at = [1.0, tau, 0.6, 0.2];
        let difference = value(&plain, &at) - value(&other, &at);
        assert!((difference - tau.ln()).abs() < 1e-9, "{difference}");
    }
}

#[test]
fn a_sampling_of_a_fit_can_be_resumed_and_undetermined_fits_are_refused() {
    let (model, (x, y)) = (line(), noisy_line(9, 1, 0.3));
    let found = fit(&model, &x, &y);
    let settings = Nuts { chains: 2, draws: 50, warm_up: 40, ..Nuts::default() };
    let expected = found.sample(&settings).unwrap();
    let density = found.density();
    let mut sampling = settings.start(&density, found.coordinates().unwrap()).unwrap();
    while !sampling.advance(&density, 13, Watch::default()).unwrap() {
        let state = serde_json::to_string(&sampling).unwrap();
        sampling = serde_json::from_str(&state).unwrap();
    }
    assert_eq!(sampling.posterior().unwrap(), expected);
    let twice = crate::data::model("y = a + b x + 0 c; a = 0; b = 0; c = 1");
    let error = fit(&twice, &x, &y).sample(&settings).unwrap_err().to_string();
    assert!(error.contains("of the factor"), "{error}");
}
