//! Evidence and cross-validation of linear models in closed form, and tests of residuals.

use crate::data::{assert_close, fit, inverse, line, model, moments, noisy_line, normal};
use hpfracc_fit::{Fit, Loss, Set};
use std::f64::consts::{PI, TAU};

/// Data of a linear model with normal priors are normal: y has the covariance sigma^2 + X S X^T.
#[test]
fn the_evidence_of_known_errors_is_that_of_normal_data() {
    let (model, (x, y)) = (line(), noisy_line(6, 1, 0.3));
    let sigma = [0.3, 0.2, 0.4, 0.3, 0.25, 0.35];
    let set = || Set::new("data", &model).input(&x).response(&y).sigma(&sigma);
    let fit = Fit::new(set()).unwrap().prior("a", 1.0, 2.0).unwrap();
    let found = fit.prior("b", 0.1, 0.5).unwrap().run().unwrap();
    // Cholesky decomposition of the covariance.
    let covariance = |i: usize, j: usize| {
        let own = if i == j { sigma[i] * sigma[i] } else { 0.0 };
        own + 4.0 + 0.25 * x[i] * x[j]
    };
    let (mut lower, mut log, mut z) = ([[0.0; 6]; 6], 0.0, [0.0; 6]);
    for i in 0..6 {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i][k] * lower[j][k]).sum();
            let rest: f64 = covariance(i, j) - known;
            lower[i][j] = if i == j { rest.sqrt() } else { rest / lower[j][j] };
        }
        let known: f64 = (0..i).map(|k| lower[i][k] * z[k]).sum();
        z[i] = (y[i] - 1.0 - 0.1 * x[i] - known) / lower[i][i];
        log -= 0.5 * (z[i] * z[i] + TAU.ln()) + lower[i][i].ln();
    }
    assert_close(found.log_evidence().unwrap(), log, 1e-11, "evidence");
    // A wide flat prior instead, and a normal one that is cut in half.
    let fit = Fit::new(set()).unwrap().bounds("a", -50.0, 50.0).unwrap();
    let fit = fit.prior("b", -2.0, 1.5).unwrap().bounds("b", -2.0, 1e3).unwrap();
    let found = fit.run().unwrap();
    let (aa, ab, bb) = moments(&x, |i| sigma[i].powi(-2));
    let (_, _, variance) = (aa, ab, 1.0 / 2.25 + bb);
    let determinant = aa * variance - ab * ab;
    let logs: f64 = sigma.iter().map(|s| s.ln()).sum();
    let expected = -0.5 * found.cost() - 3.0 * TAU.ln() - logs + TAU.ln()
        - 0.5 * determinant.ln()
        - 100f64.ln()
        - (1.5 * TAU.sqrt() * 0.5).ln();
    assert_close(found.log_evidence().unwrap(), expected, 1e-11, "cut");
}

/// The integral over the standard deviation, and over the parameters of a linear model.
#[test]
fn the_evidence_of_unknown_errors_is_the_integral() {
    let model = model("y = a + 0 x; a = 0 in [-40, 60]");
    let (x, y) = noisy_line(5, 3, 1.0);
    let found = fit(&model, &x, &y);
    // rss(a)^(-5/2) over a, by the midpoint rule in u = asinh.
    let (mean, rss) = (y.iter().sum::<f64>() / 5.0, found.cost());
    let (mut sum, h) = (0.0, 1e-3);
    for k in -20_000..20_000 {
        let u = h * (f64::from(k) + 0.5);
        let a = mean + u.sinh();
        let square: f64 = y.iter().map(|y| (y - a).powi(2)).sum();
        sum += h * u.cosh() * square.powf(-2.5);
    }
    // Gamma(5/2) / (2 pi^(5/2)) times the integral, over the width of the prior.
    let gamma = 0.75 * PI.sqrt();
    let expected = (gamma / (2.0 * PI.powf(2.5)) * sum / 100.0).ln();
    assert!(rss > 0.0);
    // The prior ends at 40 or so: a tail of the order of 1e-6.
    assert_close(found.log_evidence().unwrap(), expected, 1e-6, "evidence");
}

/// The right model has the larger evidence.
#[test]
fn evidence_prefers_the_right_model() {
    let (x, y) = noisy_line(30, 4, 0.3);
    let evidence = |text: &str| fit(&model(text), &x, &y).log_evidence().unwrap();
    let constant = evidence("y = a + 0 x; a = 0 in [-10, 10]");
    let line = evidence("y = a + b x; a = 0 in [-10, 10]; b = 0 in [-10, 10]");
    let bent =
        evidence("y = a + b x + c x^2; a = 0 in [-10, 10]; b = 0 in [-10, 10]; c = 0 in [-10, 10]");
    assert!(line > constant + 10.0 && line > bent + 1.0, "{constant}, {line}, {bent}");
}

#[test]
fn evidence_that_is_not_defined() {
    let (x, y) = noisy_line(9, 1, 0.3);
    let refused = |text: &str, loss: Loss| {
        let model = model(text);
        let set = Set::new("data", &model).input(&x).response(&y);
        let found = Fit::new(set).unwrap().loss(loss).run().unwrap();
        found.log_evidence().unwrap_err().to_string()
    };
    for (text, loss, reason) in [
        (
            "y = a + b x; a = 0 in [0, 9]; b = 0",
            Loss::Squares,
            "`b` has neither a prior nor two finite bounds",
        ),
        ("y = a + b x; a = 0 in [0, 1]; b = 0 in [-9, 9]", Loss::Squares, "a bound holds `a`"),
        (
            "y = a + b x; a = 0 in [0, 9]; b = 0 in [-9, 9]",
            Loss::Huber,
            "it needs the loss of squares",
        ),
        (
            "y = a + 0 b x; a = 0 in [0, 9]; b = 0 in [-9, 9]",
            Loss::Squares,
            "the data do not determine all parameters",
        ),
    ] {
        assert_eq!(refused(text, loss), format!("the evidence is not defined: {reason}"));
    }
}

/// Leaving out a row of a linear model gives its residual over 1 - leverage.
#[test]
fn cross_validation_of_single_rows_is_the_press_statistic() {
    let (model, (x, y)) = (line(), noisy_line(12, 7, 0.3));
    let found = fit(&model, &x, &y);
    let (aa, ab, bb) = inverse(moments(&x, |_| 1.0));
    let values = found.values();
    let left_out = |i: usize| {
        let leverage = aa + 2.0 * ab * x[i] + bb * x[i] * x[i];
        (values[0] + values[1] * x[i] - y[i]) / (1.0 - leverage)
    };
    let validation = found.cross_validation(12).unwrap();
    for (i, block) in validation.blocks.iter().enumerate() {
        assert_close(*block, left_out(i).abs(), 1e-9, "row");
    }
    let mean = (0..12).map(|i| left_out(i).powi(2)).sum::<f64>() / 12.0;
    assert_close(validation.error, mean.sqrt(), 1e-9, "all");
    let blocks = found.cross_validation(4).unwrap();
    assert!(blocks.blocks.len() == 4 && blocks.error > validation.error * 0.8);
    for blocks in [1, 13] {
        let error = found.cross_validation(blocks).unwrap_err().to_string();
        let expected = format!(
            "the number of blocks of a cross-validation is {blocks}, expected a number from 2 to that of \
             the rows of the shortest set"
        );
        assert_eq!(error, expected);
    }
}

/// Independent residuals pass in 98 to 99 % of records; those of a wrong model and of an autoregression do not.
#[test]
fn correlated_residuals_are_reported() {
    let line = line();
    let correlated = (0..500).filter(|seed| {
        let (x, y) = noisy_line(60, *seed, 0.3);
        fit(&line, &x, &y).residual_tests().unwrap().unwrap().are_correlated()
    });
    let share = correlated.count() as f64 / 500.0;
    println!("{share} of records with independent errors");
    assert!(share < 0.025, "{share}");
    let (x, mut y) = noisy_line(200, 1, 0.0);
    let mut error = 0.0;
    for (i, y) in y.iter_mut().enumerate() {
        error = 0.7 * error + 0.2 * normal(31, i);
        *y += error;
    }
    let found = fit(&line, &x, &y);
    let tests = found.residual_tests().unwrap().unwrap();
    assert!(tests.are_correlated() && (tests.autocorrelation - 0.7).abs() < 0.15, "{tests:?}");
    assert!((tests.inflation() - 2.38).abs() < 0.7, "{tests:?}");
    assert!(tests.runs < 100 && (tests.expected_runs - 101.0).abs() < 5.0, "{tests:?}");
    let report = found.to_string();
    assert!(report.contains("warning: residuals of consecutive rows are correlated"), "{report}");
    let (x, y) = noisy_line(60, 1, 0.3);
    let report = fit(&line, &x, &y).to_string();
    assert!(report.contains("runs of") && !report.contains("warning"), "{report}");
    let y: Vec<f64> = x.iter().map(|x| 1.0 + x).collect();
    assert_eq!(fit(&line, &x, &y).residual_tests().unwrap(), None);
    assert_eq!(fit(&line, &x[..9], &noisy_line(9, 1, 0.3).1).residual_tests().unwrap(), None);
}

/// A row that is skipped does not count, nor does its weight.
#[test]
fn criteria_do_not_see_skipped_rows() {
    let (model, (x, mut y)) = (line(), noisy_line(9, 7, 0.3));
    let sigma: Vec<f64> = (1..10).map(|i| 0.1 * f64::from(i)).collect();
    let set = Set::new("data", &model).input(&x[..8]).response(&y[..8]).sigma(&sigma[..8]);
    let expected = Fit::new(set).unwrap().run().unwrap().criteria();
    y[8] = f64::NAN;
    let set = Set::new("data", &model).input(&x).response(&y).sigma(&sigma).skip_not_finite();
    assert_eq!(Fit::new(set).unwrap().run().unwrap().criteria(), expected);
    let set = Set::new("data", &model).input(&x[..8]).response(&y[..8]);
    let found = Fit::new(set).unwrap().loss(Loss::Huber).run().unwrap();
    assert_eq!(found.criteria(), None);
}

/// What depends on a parameter that a bound holds has no symmetric error, and what is fixed has none.
#[test]
fn errors_are_not_made_up() {
    let model = model("y = a + b x + 0 d; a = 0 in [0, 1]; b = 0; d = 1");
    let (x, y) = noisy_line(12, 7, 0.3);
    let fit = Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    let found = fit.tie("d", "2 a + b").unwrap().run().unwrap();
    assert!(found.estimate("a").unwrap().held.is_some(), "{found}");
    for name in ["a", "d"] {
        assert_eq!(found.estimate(name).unwrap().standard_error, None, "{name}");
        assert_eq!(found.covariance(name, "b").unwrap(), None, "{name}");
        assert_eq!(found.correlation(name, "b").unwrap(), None, "{name}");
        assert_eq!(found.interval(name, 0.95).unwrap(), None, "{name}");
        assert_eq!(found.derived(name).unwrap().1, None, "{name}");
    }
    let error = found.estimate("b").unwrap().standard_error.unwrap();
    assert_close(found.derived("3 b").unwrap().1.unwrap(), 3.0 * error, 1e-12, "3 b");
    assert_eq!(found.derived("1 + 0 b").unwrap().1, None);
    let bootstrap = found.bootstrap(&hpfracc_fit::bootstrap::Resampling::default()).unwrap();
    assert_eq!(bootstrap.studentised_interval("d", 0.95).unwrap(), None);
    assert!(bootstrap.studentised_interval("b", 0.95).unwrap().is_some());
}
