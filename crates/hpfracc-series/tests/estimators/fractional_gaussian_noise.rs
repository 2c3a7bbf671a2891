//! Fractional Gaussian noise: tables, dense likelihoods, coverage.

use crate::gaussian::{Normals, Simulator, check_coverage, dense_log_likelihood, seeds};
use hpfracc_series::{
    FractionalGaussianNoise as Fgn, Likelihood, Mean, Outcome, Record, Series, SeriesError,
    integrate,
};
use hpfracc_testkit::Table;
use std::f64::consts::TAU;
use std::time::Instant;

#[test]
fn autocovariances_and_densities_agree_with_the_table() {
    let table = Table::parse(include_str!("../data/fractional_gaussian_noise.csv"));
    for row in table.rows() {
        let (hurst, x, value) = (row.number("hurst"), row.number("x"), row.number("value"));
        let (found, bound) = match row.text("quantity") {
            "autocovariance" => {
                (Fgn::autocovariance(hurst, x as usize + 1).unwrap()[x as usize], 2e-15)
            }
            _ => (Fgn::density(hurst, x).unwrap(), 4e-15),
        };
        assert!((found / value - 1.0).abs() < bound, "{hurst} {x}: {found} {value}");
    }
}

fn noise(hurst: f64, n: usize, seed: u64) -> Vec<f64> {
    Simulator::new(&Fgn::autocovariance(hurst, n).unwrap()).series(&mut Normals::new(seed))
}

#[test]
fn the_likelihood_is_that_of_the_dense_covariance() {
    let x: Vec<f64> = noise(0.8, 150, 1).iter().map(|x| 3.0 * x + 7.0).collect();
    let series = Series::new(&x, Record::Noise).unwrap();
    for mean in [Mean::Estimated, Mean::Known(7.1)] {
        let fit = Fgn.fit(&series, Likelihood::Exact, mean).unwrap();
        let value = |name: &str| fit.estimate(name).unwrap().value();
        let centre = if let Mean::Known(mean) = mean { mean } else { value("mean") };
        let at = |hurst: f64, sigma: f64, centre: f64| {
            let gamma = Fgn::autocovariance(hurst, x.len()).unwrap();
            let scaled: Vec<f64> = gamma.iter().map(|g| sigma * sigma * g).collect();
            let centred: Vec<f64> = x.iter().map(|x| x - centre).collect();
            dense_log_likelihood(&scaled, &centred)
        };
        let (hurst, sigma) = (value("hurst"), value("sigma"));
        let top = at(hurst, sigma, centre);
        if mean == Mean::Estimated {
            // The mean integrated out.
            let h = 1e-3;
            let curvature =
                (2.0 * top - at(hurst, sigma, centre + h) - at(hurst, sigma, centre - h)) / (h * h);
            let error = fit.estimate("mean").unwrap().standard_error().unwrap();
            assert!((curvature * error * error - 1.0).abs() < 1e-3);
            let restricted = top + 0.5 * (TAU * x.len() as f64 * error * error).ln();
            assert!((fit.log_likelihood().unwrap() - restricted).abs() < 1e-9, "{fit} {top}");
            continue;
        }
        assert!((fit.log_likelihood().unwrap() - top).abs() < 1e-9, "{fit} {top}");
        // A maximum, with the reported curvature.
        let h = 1e-3;
        let second =
            (at(hurst + h, sigma, centre) + at(hurst - h, sigma, centre) - 2.0 * top) / (h * h);
        let mixed = (at(hurst + h, sigma + h, centre)
            - at(hurst + h, sigma - h, centre)
            - at(hurst - h, sigma + h, centre)
            + at(hurst - h, sigma - h, centre))
            / (4.0 * h * h);
        let other =
            (at(hurst, sigma + h, centre) + at(hurst, sigma - h, centre) - 2.0 * top) / (h * h);
        let determinant = second * other - mixed * mixed;
        assert!(
            (fit.covariance("hurst", "hurst").unwrap() / (-other / determinant) - 1.0).abs() < 0.01
        );
        assert!(
            (fit.covariance("sigma", "sigma").unwrap() / (-second / determinant) - 1.0).abs()
                < 0.01
        );
        let correlation = mixed / (second * other).sqrt();
        assert!(
            (fit.correlation("hurst", "sigma").unwrap() - correlation).abs() < 0.01,
            "{correlation}"
        );
    }
}

#[test]
fn both_likelihoods_find_the_exponent() {
    for hurst in [0.15, 0.5, 0.85] {
        let x = noise(hurst, 2000, 3);
        let series = Series::new(&x, Record::Noise).unwrap();
        for likelihood in [Likelihood::Exact, Likelihood::Whittle] {
            let start = Instant::now();
            let fit = Fgn.fit(&series, likelihood, Mean::Estimated).unwrap();
            eprintln!("{:?}: {fit}", start.elapsed());
            assert_eq!(fit.outcome(), &Outcome::Converged);
            let found = fit.estimate("hurst").unwrap();
            let error = found.standard_error().unwrap();
            assert!((found.value() - hurst).abs() < 3.0 * error && error < 0.02, "{fit}");
            let d = fit.estimate("d").unwrap();
            assert_eq!((d.value(), d.standard_error()), (found.value() - 0.5, Some(error)));
        }
    }
}

#[test]
fn a_path_is_differenced_and_a_large_offset_is_harmless() {
    let x = noise(0.3, 500, 5);
    let path = integrate(&x, 1.0).unwrap();
    let mut shifted = vec![1e9];
    shifted.extend(path.iter().map(|x| 1e9 + x));
    let mean = Mean::Known(0.0);
    let exact = Likelihood::Exact;
    let of_noise = Fgn.fit(&Series::new(&x, Record::Noise).unwrap(), exact, mean).unwrap();
    let of_path = Fgn.fit(&Series::new(&shifted, Record::Path).unwrap(), exact, mean).unwrap();
    let hurst = |fit: &hpfracc_series::Fit| fit.estimate("hurst").unwrap().value();
    assert!((hurst(&of_noise) - hurst(&of_path)).abs() < 1e-5);
    let offset: Vec<f64> = x.iter().map(|x| x + 1e9).collect();
    let offset = Series::new(&offset, Record::Noise).unwrap();
    let far = Fgn.fit(&offset, exact, Mean::Estimated).unwrap();
    assert!((hurst(&of_noise) - hurst(&far)).abs() < 0.02, "{far}");
    assert!((far.estimate("mean").unwrap().value() - 1e9).abs() < 0.1);
}

#[test]
fn a_path_taken_for_a_noise_ends_at_the_bound() {
    let path = integrate(&noise(0.9, 300, 2), 1.0).unwrap();
    let series = Series::new(&path, Record::Noise).unwrap();
    let fit = Fgn.fit(&series, Likelihood::Exact, Mean::Estimated).unwrap();
    assert_eq!(fit.outcome(), &Outcome::Bound { parameter: "hurst".to_owned() });
    assert_eq!(fit.estimate("hurst").unwrap().standard_error(), None);
    assert!(fit.to_string().contains("hurst is at its bound"), "{fit}");
}

#[test]
fn bad_input_is_named() {
    let refused = |values: &[f64], record| Series::new(values, record).unwrap_err().to_string();
    let nan = refused(&[1.0, 2.0, f64::NAN], Record::Path);
    assert_eq!(nan, "value 2 of the series is NaN, expected a finite number");
    let constant = refused(&[1.0, 2.0, 3.0], Record::Path);
    assert_eq!(constant, "all values of the series are 1: there is no variance to describe");
    assert!(matches!(Series::new(&[1.0], Record::Noise), Err(SeriesError::TooShort { .. })));
    let short = Series::new(&[1.0, 2.0, 1.0], Record::Noise).unwrap();
    let refused = Fgn.fit(&short, Likelihood::Exact, Mean::Estimated).unwrap_err();
    assert_eq!(refused.to_string(), "the series has 3 values, expected at least 12");
    assert!(Fgn.fit(&short, Likelihood::Exact, Mean::Known(f64::NAN)).is_err());
    assert!(Fgn::autocovariance(1.0, 3).is_err() && Fgn::density(0.5, 4.0).is_err());
}

#[test]
fn intervals_cover_the_exponent() {
    for hurst in [0.3, 0.75] {
        let simulator = Simulator::new(&Fgn::autocovariance(hurst, 512).unwrap());
        let (all, mut inside) = (seeds(30), [0; 3]);
        for seed in 0..all {
            let x = simulator.series(&mut Normals::new(seed));
            let series = Series::new(&x, Record::Noise).unwrap();
            let fit = |likelihood, mean| Fgn.fit(&series, likelihood, mean).unwrap();
            let fits = [
                fit(Likelihood::Exact, Mean::Estimated),
                fit(Likelihood::Exact, Mean::Known(0.0)),
                fit(Likelihood::Whittle, Mean::Estimated),
            ];
            for (inside, fit) in inside.iter_mut().zip(&fits) {
                let (low, high) = fit.estimate("hurst").unwrap().interval().unwrap();
                *inside += u64::from((low..high).contains(&hurst));
            }
        }
        for (name, inside) in ["exact", "exact, known mean", "Whittle"].iter().zip(inside) {
            check_coverage(&format!("fGn, H = {hurst}, {name}"), inside, all);
        }
    }
}
