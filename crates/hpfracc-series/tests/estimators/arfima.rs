//! ARFIMA: tables, dense likelihoods, coverage, refusals.

use crate::gaussian::{Normals, Simulator, check_coverage, dense_log_likelihood, seeds};
use hpfracc_series::{Arfima, Likelihood, Mean, Outcome, Record, Series, SeriesError};
use hpfracc_testkit::Table;
use std::time::Instant;

#[test]
fn autocovariances_agree_with_the_table() {
    let mut worst = (0.0, String::new());
    for row in Table::parse(include_str!("../data/arfima.csv")).rows() {
        let list = |column: &str| -> Vec<f64> {
            row.text(column).split_whitespace().map(|c| c.parse().unwrap()).collect()
        };
        let (d, ar, ma) = (row.number("d"), list("ar"), list("ma"));
        let (lag, value) = (row.number("lag") as usize, row.number("value"));
        let found = Arfima::autocovariance(d, &ar, &ma, lag + 1).unwrap();
        let error = (found[lag] - value).abs() / found[0];
        if error > worst.0 {
            worst = (error, format!("{d} {ar:?} {ma:?} {lag}"));
        }
        if ar.is_empty() && ma.is_empty() {
            assert!((found[lag] / value - 1.0).abs() < 1e-14, "{d} {lag}: {} {value}", found[lag]);
        }
    }
    eprintln!("{worst:?}");
    assert!(worst.0 < 1e-13, "{worst:?}");
}

fn simulated(d: f64, ar: &[f64], ma: &[f64], n: usize, seed: u64) -> Vec<f64> {
    let gamma = Arfima::autocovariance(d, ar, ma, n).unwrap();
    Simulator::new(&gamma).series(&mut Normals::new(seed))
}

#[test]
fn the_likelihood_is_that_of_the_dense_covariance() {
    let x = simulated(0.2, &[-0.6], &[-0.3], 200, 2);
    let series = Series::new(&x, Record::Noise).unwrap();
    let fit = Arfima { ar: 1, ma: 1 };
    let fit = fit.fit(&series, Likelihood::Exact, Mean::Known(0.0)).unwrap();
    let value = |name: &str| fit.estimate(name).unwrap().value();
    let at = |d: f64, ar: f64, ma: f64, sigma: f64| {
        let gamma = Arfima::autocovariance(d, &[ar], &[ma], x.len()).unwrap();
        let scaled: Vec<f64> = gamma.iter().map(|g| sigma * sigma * g).collect();
        dense_log_likelihood(&scaled, &x)
    };
    let (d, ar, ma, sigma) = (value("d"), value("ar1"), value("ma1"), value("sigma"));
    let top = at(d, ar, ma, sigma);
    assert!((fit.log_likelihood().unwrap() - top).abs() < 1e-9, "{fit} {top}");
    for h in [-1e-3, 1e-3] {
        for other in [
            at(d + h, ar, ma, sigma),
            at(d, ar + h, ma, sigma),
            at(d, ar, ma + h, sigma),
            at(d, ar, ma, sigma + h),
        ] {
            assert!(other < top, "{fit}");
        }
    }
}

#[test]
fn all_parameters_are_found() {
    let cases: [(f64, &[f64], &[f64]); 5] = [
        (0.3, &[], &[]),
        (-0.3, &[], &[]),
        (0.25, &[0.5], &[]),
        (0.2, &[], &[0.6]),
        (0.3, &[1.1, -0.5], &[0.4]),
    ];
    for (d, ar, ma) in cases {
        let x: Vec<f64> = simulated(d, ar, ma, 2000, 11).iter().map(|x| 2.0 * x - 5.0).collect();
        let series = Series::new(&x, Record::Noise).unwrap();
        let model = Arfima { ar: ar.len(), ma: ma.len() };
        // The peak of two autoregressive terms leaks into all ordinates of the periodogram.
        let leaks = ar.len() == 2;
        for likelihood in
            [Likelihood::Whittle, Likelihood::Exact].into_iter().skip(usize::from(leaks))
        {
            let start = Instant::now();
            let fit = model.fit(&series, likelihood, Mean::Estimated).unwrap();
            eprintln!("{:?}: {fit}", start.elapsed());
            assert_eq!(fit.outcome(), &Outcome::Converged);
            let truth = [d].into_iter().chain(ar.iter().copied()).chain(ma.iter().copied());
            for (found, truth) in fit.estimates().iter().zip(truth.chain([2.0, -5.0])) {
                let error = found.standard_error().unwrap();
                assert!((found.value() - truth).abs() < 3.5 * error, "{fit}");
            }
            assert_eq!(
                fit.estimate("hurst").unwrap().value(),
                fit.estimate("d").unwrap().value() + 0.5
            );
        }
    }
}

#[test]
fn the_error_of_d_is_that_of_the_information() {
    let n = 2000;
    let series = Series::new(&simulated(0.2, &[], &[], n, 4), Record::Noise).unwrap();
    for likelihood in [Likelihood::Whittle, Likelihood::Exact] {
        let fit = Arfima::default().fit(&series, likelihood, Mean::Known(0.0)).unwrap();
        let error = fit.estimate("d").unwrap().standard_error().unwrap();
        let asymptotic = (6.0 / (std::f64::consts::PI.powi(2) * n as f64)).sqrt();
        assert!((error / asymptotic - 1.0).abs() < 0.05, "{fit} {asymptotic}");
    }
}

#[test]
fn coefficients_that_the_data_do_not_determine_have_large_errors() {
    // AR and MA cancel in white noise.
    let mut normals = Normals::new(8);
    let x: Vec<f64> = (0..300).map(|_| normals.next()).collect();
    let series = Series::new(&x, Record::Noise).unwrap();
    let fit = Arfima { ar: 1, ma: 1 }.fit(&series, Likelihood::Exact, Mean::Estimated).unwrap();
    let error = fit.estimate("ar1").unwrap().standard_error();
    assert!(error.is_none_or(|error| error > 0.15), "{fit}");
}

#[test]
fn bad_input_is_named() {
    let refused = |d, ar: &[f64]| Arfima::autocovariance(d, ar, &[], 5).unwrap_err().to_string();
    assert_eq!(refused(0.5, &[]), "`d` is 0.5, expected a number in (-1/2, 1/2)");
    assert!(refused(0.2, &[1.0]).starts_with("`ar` is 1, expected"));
    assert!(refused(0.2, &[f64::NAN]).starts_with("`ar` is NaN, expected finite"));
    assert!(refused(0.2, &[0.999_99]).starts_with("`ar` is 0.99999"));
    let series = Series::new(&[1.0, 2.0, 1.5, 0.0, 3.0], Record::Noise).unwrap();
    let short = Arfima { ar: 1, ma: 0 }.fit(&series, Likelihood::Whittle, Mean::Estimated);
    assert!(matches!(short, Err(SeriesError::TooShort { found: 5, expected: 16, .. })));
    let many = Arfima { ar: 11, ma: 0 }.fit(&series, Likelihood::Whittle, Mean::Estimated);
    assert!(matches!(many, Err(SeriesError::Parameter { name: "ar", .. })));
}

#[test]
fn intervals_cover_d() {
    for d in [-0.2, 0.3] {
        let simulator = Simulator::new(&Arfima::autocovariance(d, &[], &[], 512).unwrap());
        let (all, mut inside) = (seeds(30), [0; 2]);
        for seed in 0..all {
            let x = simulator.series(&mut Normals::new(seed));
            let series = Series::new(&x, Record::Noise).unwrap();
            for (inside, likelihood) in
                inside.iter_mut().zip([Likelihood::Exact, Likelihood::Whittle])
            {
                let fit = Arfima::default().fit(&series, likelihood, Mean::Estimated).unwrap();
                let (low, high) = fit.estimate("d").unwrap().interval().unwrap();
                *inside += u64::from((low..high).contains(&d));
            }
        }
        for (name, inside) in ["exact", "Whittle"].iter().zip(inside) {
            check_coverage(&format!("ARFIMA(0, d, 0), d = {d}, {name}"), inside, all);
        }
    }
}
