//! Fits with closed forms, of several sets, with bounds, ties, priors and losses; bits; errors.

mod bad_input;
mod batch;
mod bits;
mod checkpoints;
mod conditioning;
mod sources;

use hpfracc_equation::Formula;
use hpfracc_fit::{Fit, FormulaModel, HeldBy, Loss, Outcome, Set};

fn model(text: &str) -> FormulaModel {
    FormulaModel::new(&[Formula::parse(text, &["x"]).unwrap()]).unwrap()
}

/// Numbers between -1/2 and 1/2.
fn noise(k: usize) -> f64 {
    ((k as f64 * 12.9898).sin() * 43_758.545_3).fract() / 2.0
}

fn close(a: f64, b: f64, tolerance: f64) {
    assert!((a - b).abs() <= tolerance * b.abs().max(1e-300), "{a} is not {b}");
}

const X: [f64; 6] = [0.0, 1.0, 2.0, 4.0, 5.0, 9.0];
const Y: [f64; 6] = [1.2, 2.9, 5.3, 8.8, 11.1, 19.2];

/// Intercept, slope, and (standard error)^2/variance of both, and the covariance, of a weighted line.
fn line(weights: &[f64; 6]) -> ([f64; 2], [f64; 3], f64) {
    let sum = |f: &dyn Fn(usize) -> f64| (0..6).map(|k| weights[k] * f(k)).sum::<f64>();
    let (s, sx, sy) = (sum(&|_| 1.0), sum(&|k| X[k]), sum(&|k| Y[k]));
    let (sxx, sxy) = (sum(&|k| X[k] * X[k]), sum(&|k| X[k] * Y[k]));
    let det = s * sxx - sx * sx;
    let (a, b) = ((sxx * sy - sx * sxy) / det, (s * sxy - sx * sy) / det);
    let rest = sum(&|k| (a + b * X[k] - Y[k]).powi(2));
    ([a, b], [sxx / det, s / det, -sx / det], rest)
}

#[test]
fn a_line_has_the_closed_form() {
    let model = model("a + b x; a = 0; b = 0");
    let found = Fit::new(Set::new("line", &model).input(&X).response(&Y)).unwrap().run().unwrap();
    let ([a, b], [va, vb, cab], rest) = line(&[1.0; 6]);
    let variance = rest / 4.0;
    let (found_a, found_b) = (found.estimate("a").unwrap(), found.estimate("b").unwrap());
    close(found_a.value, a, 1e-13);
    close(found_b.value, b, 1e-13);
    close(found.cost(), rest, 1e-12);
    close(found_a.standard_error.unwrap(), (va * variance).sqrt(), 1e-12);
    close(found_b.standard_error.unwrap(), (vb * variance).sqrt(), 1e-12);
    close(found.covariance("a", "b").unwrap().unwrap(), cab * variance, 1e-12);
    close(found.correlation("a", "b").unwrap().unwrap(), cab / (va * vb).sqrt(), 1e-12);
    // t of 4 degrees of freedom at 95 %.
    let (low, high) = found.interval("b", 0.95).unwrap().unwrap();
    close(high - low, 2.0 * 2.776_445_105_197_8 * (vb * variance).sqrt(), 1e-9);
    // The profile of a linear model is its interval.
    let profile = found.profile("b", 0.95).unwrap();
    close(profile.interval.0.unwrap(), low, 1e-6);
    close(profile.interval.1.unwrap(), high, 1e-6);
    assert!(profile.points.is_sorted_by(|a, b| a.0 <= b.0) && profile.lower_cost.is_none());
    let (value, error) = found.derived("a + 3 b").unwrap();
    close(value, a + 3.0 * b, 1e-13);
    close(error.unwrap(), ((va + 9.0 * vb + 6.0 * cab) * variance).sqrt(), 1e-12);
    let band = &found.band(0, &[&[3.0]], 0.95).unwrap()[0][0];
    close(band.value, a + 3.0 * b, 1e-13);
    close(band.standard_error, error.unwrap(), 1e-12);
    let half = 2.776_445_105_197_8 * (variance * (1.0 + va + 9.0 * vb + 6.0 * cab)).sqrt();
    close(band.prediction.1, band.value + half, 1e-9);
    let n = 6.0f64;
    let likelihood = -0.5 * n * ((std::f64::consts::TAU * rest / n).ln() + 1.0);
    close(found.criteria().unwrap().log_likelihood, likelihood, 1e-12);
    close(found.criteria().unwrap().aic, 6.0 - 2.0 * likelihood, 1e-12);
}

#[test]
fn known_errors_are_not_scaled_and_weights_are() {
    let sigma = [0.1, 0.2, 0.1, 0.3, 0.2, 0.4];
    let weights = sigma.map(|s: f64| 1.0 / (s * s));
    let ([a, b], [va, vb, _], rest) = line(&weights);
    let model = model("a + b x; a = 0; b = 0");
    let set = || Set::new("line", &model).input(&X).response(&Y);
    let known = Fit::new(set().sigma(&sigma)).unwrap().run().unwrap();
    let relative = Fit::new(set().weight(&weights)).unwrap().run().unwrap();
    for (found, variance) in [(&known, 1.0), (&relative, rest / 4.0)] {
        close(found.estimate("a").unwrap().value, a, 1e-12);
        close(found.estimate("b").unwrap().value, b, 1e-12);
        close(found.estimate("a").unwrap().standard_error.unwrap(), (va * variance).sqrt(), 1e-12);
        close(found.estimate("b").unwrap().standard_error.unwrap(), (vb * variance).sqrt(), 1e-12);
    }
    // A normal prior is a datum.
    let prior =
        Fit::new(set().sigma(&sigma)).unwrap().prior("b", 1.0, 0.01).unwrap().run().unwrap();
    let b_given_prior = prior.estimate("b").unwrap();
    assert!(b_given_prior.value < b && b_given_prior.value > 1.0);
    close(b_given_prior.standard_error.unwrap(), (1.0 / (1.0 / vb + 1e4)).sqrt(), 1e-9);
}

#[test]
fn a_bound_holds_a_parameter_without_a_standard_error() {
    let model = model("a + b x; a = 0; b = 2.5 in [2.1, 3]");
    let set = || Set::new("line", &model).input(&X).response(&Y);
    let found = Fit::new(set()).unwrap().run().unwrap();
    let b = found.estimate("b").unwrap();
    assert_eq!((b.value, b.standard_error), (2.1, None));
    assert!(matches!(b.held, Some(HeldBy::Lower { multiplier }) if multiplier > 0.0), "{b:?}");
    // The other one has its minimum there.
    let mean = |v: &[f64; 6]| v.iter().sum::<f64>() / 6.0;
    close(found.estimate("a").unwrap().value, mean(&Y) - 2.1 * mean(&X), 1e-12);
    assert!(found.outcome().is_success() && found.to_string().contains("lower bound"));
    // A start on the wrong bound leaves it.
    let left = Fit::new(set()).unwrap().bounds("b", 1.0, 3.0).unwrap().start("b", 3.0).unwrap();
    close(left.run().unwrap().estimate("b").unwrap().value, line(&[1.0; 6]).0[1], 1e-12);
}

#[test]
fn fixed_tied_and_logarithmic_parameters() {
    let x: Vec<f64> = (0..40).map(|k| k as f64 / 10.0).collect();
    let y: Vec<f64> =
        x.iter().enumerate().map(|(k, x)| 2.0 * (-x / 1.5).exp() + 0.3 + 0.02 * noise(k)).collect();
    let model = model("a exp(-x/tau) + c; a = 1; tau = 1 in (0, inf); c = 0");
    let set = || Set::new("decay", &model).input(&x).response(&y);
    let plain = Fit::new(set()).unwrap().run().unwrap();
    let logarithmic = Fit::new(set()).unwrap().logarithmic("tau").unwrap().run().unwrap();
    for name in ["a", "tau", "c"] {
        let (a, b) = (plain.estimate(name).unwrap(), logarithmic.estimate(name).unwrap());
        close(b.value, a.value, 1e-9);
        close(b.standard_error.unwrap(), a.standard_error.unwrap(), 1e-7);
    }
    let tied = Fit::new(set()).unwrap().tie("c", "2.3 - a").unwrap().run().unwrap();
    let (a, c) = (tied.estimate("a").unwrap(), tied.estimate("c").unwrap());
    close(a.value + c.value, 2.3, 1e-14);
    close(c.standard_error.unwrap(), a.standard_error.unwrap(), 1e-12);
    let fixed = Fit::new(set()).unwrap().fix("c", 0.3).unwrap().run().unwrap();
    assert_eq!(fixed.estimate("c").unwrap().value, 0.3);
    assert!(plain.f_test(&fixed).unwrap() > 0.01);
    assert!(fixed.profile("c", 0.9).is_err() && plain.f_test(&plain).is_err());
}

#[test]
fn sets_share_parameters_by_name() {
    let x: Vec<f64> = (0..30).map(|k| k as f64 / 10.0).collect();
    let values = |a: f64, shift: usize| -> Vec<f64> {
        x.iter().enumerate().map(|(k, x)| a * (-x / 0.7).exp() + 0.01 * noise(k + shift)).collect()
    };
    let (first, second) = (values(1.0, 0), values(3.0, 100));
    let model = model("a exp(-x/tau); a = 1.5; tau = 1 in (0, inf)");
    let sets = vec![
        Set::new("first", &model).input(&x).response(&first),
        Set::new("second", &model).input(&x).response(&second),
    ];
    let found = Fit::of(sets).unwrap().own("a").unwrap().run().unwrap();
    assert_eq!(found.names(), ["a@first", "tau", "a@second"]);
    for (name, value) in [("a@first", 1.0), ("a@second", 3.0), ("tau", 0.7)] {
        let estimate = found.estimate(name).unwrap();
        assert!(
            (estimate.value - value).abs() < 4.0 * estimate.standard_error.unwrap(),
            "{estimate:?}"
        );
    }
}

#[test]
fn losses_resist_outliers() {
    let x: Vec<f64> = (0..60).map(|k| k as f64 / 10.0).collect();
    let mut y: Vec<f64> =
        x.iter().enumerate().map(|(k, x)| 1.0 + 2.0 * x + 0.02 * noise(k)).collect();
    (0..60).step_by(7).for_each(|k| y[k] += 30.0);
    let model = model("a + b x; a = 0; b = 0");
    let fit = || Fit::new(Set::new("line", &model).input(&x).response(&y)).unwrap();
    let squares = fit().run().unwrap().estimate("a").unwrap().value;
    assert!((squares - 1.0).abs() > 1.0, "{squares}");
    let losses = [(Loss::Huber, 0.05), (Loss::SoftL1, 0.05), (Loss::Cauchy, 0.02)];
    for (loss, tolerance) in losses {
        let found = fit().loss(loss).loss_scale(0.05).unwrap().run().unwrap();
        let (a, b) = (found.estimate("a").unwrap().value, found.estimate("b").unwrap().value);
        assert!((a - 1.0).abs() < tolerance && (b - 2.0).abs() < tolerance, "{loss:?}: {a} {b}");
        assert!(found.outcome().is_success(), "{loss:?}: {}", found.outcome());
    }
}

#[test]
fn directions_without_data_are_named() {
    // a and b occur as a product alone.
    let model = model("a b exp(-x/tau); a = 1; b = 1; tau = 2");
    let found =
        Fit::new(Set::new("product", &model).input(&X).response(&Y)).unwrap().run().unwrap();
    let weak = found.weak_directions();
    let names: Vec<&str> = weak[0]
        .parameters
        .iter()
        .map(|(name, _)| name.as_str())
        .filter(|name| *name != "tau")
        .collect();
    assert_eq!(names, ["a", "b"], "{weak:?}");
}

#[test]
fn two_responses_and_two_inputs() {
    let formulas =
        ["g cos(x) + u", "g sin(x) u"].map(|text| Formula::parse(text, &["x", "u"]).unwrap());
    let model = FormulaModel::new(&formulas).unwrap();
    assert_eq!(model.columns(), ["x", "u"]);
    let u: Vec<f64> = X.iter().map(|x| 0.5 + x * x).collect();
    let (c, s): (Vec<f64>, Vec<f64>) =
        X.iter().zip(&u).map(|(x, u)| (1.7 * x.cos() + u, 1.7 * x.sin() * u)).unzip();
    let set = Set::new("both", &model).input(&X).input(&u).response(&c).response(&s);
    let found = Fit::new(set).unwrap().start("g", 1.0).unwrap().run().unwrap();
    close(found.estimate("g").unwrap().value, 1.7, 1e-13);
    assert_eq!((found.data(), found.outcome()), (12, Outcome::ZeroResidual));
}
