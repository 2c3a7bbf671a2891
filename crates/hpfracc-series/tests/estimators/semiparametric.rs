//! Local Whittle, log-periodogram and wavelet estimators: bias, coverage, refusals. Descriptions.

use crate::gaussian::{Normals, Simulator, seeds};
use hpfracc_series::{
    Fit, FractionalGaussianNoise as Fgn, GewekePorterHudak, LocalWhittle, Outcome, Record, Series,
    SeriesError, Wavelet, detrended_fluctuations, integrate, rescaled_range,
};

fn fits(series: &Series) -> [Fit; 3] {
    [
        LocalWhittle::default().fit(series).unwrap(),
        GewekePorterHudak::default().fit(series).unwrap(),
        Wavelet::default().fit(series).unwrap(),
    ]
}

#[test]
fn errors_are_those_of_simulated_noises() {
    let n = 2048;
    for hurst in [0.2, 0.5, 0.8] {
        let simulator = Simulator::new(&Fgn::autocovariance(hurst, n).unwrap());
        let all = seeds(40);
        let (mut inside, mut sums, mut squares) = ([0; 3], [0.0; 3], [0.0; 3]);
        let mut errors = [0.0; 3];
        let mut names = Vec::new();
        for seed in 0..all {
            let x = simulator.series(&mut Normals::new(seed));
            let fits = fits(&Series::new(&x, Record::Noise).unwrap());
            for (i, fit) in fits.iter().enumerate() {
                let found = fit.estimate("hurst").unwrap();
                let interval = found.interval();
                inside[i] +=
                    u64::from(interval.is_some_and(|(low, high)| low < hurst && hurst < high));
                sums[i] += found.value() - hurst;
                squares[i] += (found.value() - hurst).powi(2);
                errors[i] = found.standard_error().unwrap_or(errors[i]);
            }
            names = fits.iter().map(|fit| fit.method().to_owned()).collect();
        }
        for i in 0..3 {
            let (bias, root) = (sums[i] / all as f64, (squares[i] / all as f64).sqrt());
            let share = inside[i] as f64 / all as f64;
            eprintln!(
                "H = {hurst}, {}: bias {bias:.4}, error {root:.4}, reported {:.4}, coverage {share:.3}",
                names[i], errors[i]
            );
            // The density of the noise is a power at low frequencies only: a bias that is smaller
            // than the error.
            assert!(bias.abs() < 0.6 * errors[i] && (root / errors[i] - 1.0).abs() < 0.35);
            assert!(share > 0.85);
        }
    }
}

#[test]
fn reported_errors_are_those_of_the_literature() {
    let x = Simulator::new(&Fgn::autocovariance(0.7, 3000).unwrap()).series(&mut Normals::new(1));
    let series = Series::new(&x, Record::Noise).unwrap();
    let error = |fit: Fit| fit.estimate("d").unwrap().standard_error().unwrap();
    let (m, bandwidth) = (500.0, Some(500));
    let whittle = error(LocalWhittle { bandwidth }.fit(&series).unwrap());
    assert!((whittle / (0.5 / f64::sqrt(m)) - 1.0).abs() < 0.03, "{whittle}");
    let regression = error(GewekePorterHudak { bandwidth }.fit(&series).unwrap());
    let asymptotic = std::f64::consts::PI / (24.0 * m).sqrt();
    assert!((regression / asymptotic - 1.0).abs() < 0.04, "{regression}");
}

#[test]
fn a_path_taken_for_a_noise_has_no_error() {
    let noise =
        Simulator::new(&Fgn::autocovariance(0.7, 1000).unwrap()).series(&mut Normals::new(1));
    let path = integrate(&noise, 1.0).unwrap();
    let wrong = Series::new(&path, Record::Noise).unwrap();
    let fit = LocalWhittle::default().fit(&wrong).unwrap();
    assert_eq!(fit.outcome(), &Outcome::Bound { parameter: "d".to_owned() }, "{fit}");
    assert_eq!(fit.estimate("hurst").unwrap().interval(), None);
    let right = Series::new(&path, Record::Path).unwrap();
    for fit in fits(&right) {
        assert!((fit.estimate("hurst").unwrap().value() - 0.7).abs() < 0.2, "{fit}");
    }
    // Two vanishing moments are enough for d = 1.2.
    let fit = Wavelet::default().fit(&wrong).unwrap();
    assert!((fit.estimate("d").unwrap().value() - 1.2).abs() < 0.2, "{fit}");
}

#[test]
fn descriptions_come_with_their_bias() {
    let x = Simulator::new(&Fgn::autocovariance(0.5, 500).unwrap()).series(&mut Normals::new(3));
    let series = Series::new(&x, Record::Noise).unwrap();
    for description in [rescaled_range(&series).unwrap(), detrended_fluctuations(&series).unwrap()]
    {
        eprintln!("{description}");
        let white = description.expected()[2];
        assert!((description.exponent() - white.mean).abs() < 4.0 * white.standard_deviation);
        assert!(description.expected().windows(2).all(|pair| pair[0].mean < pair[1].mean));
        assert!(description.to_string().contains("noise with H"));
    }
    let white = rescaled_range(&series).unwrap().expected()[2];
    assert!(white.mean > 0.56, "{white:?}");
    assert_eq!(rescaled_range(&series), rescaled_range(&series));
}

#[test]
fn bad_input_is_named() {
    let values: Vec<f64> = (0..60).map(|k| f64::from(k * k % 17)).collect();
    let series = Series::new(&values, Record::Noise).unwrap();
    let refused = LocalWhittle { bandwidth: Some(31) }.fit(&series).unwrap_err();
    let message = "`bandwidth` is 31, expected from 4 to half the number of values";
    assert_eq!(refused.to_string(), message);
    let refused = Wavelet { moments: 5, first_octave: 1 }.fit(&series).unwrap_err();
    assert_eq!(refused.to_string(), "`moments` is 5, expected 1 to 4");
    let refused = Wavelet::default().fit(&series).unwrap_err();
    assert_eq!(refused.to_string(), "the wavelet estimator has 0 octaves, expected at least 2");
    let short = Series::new(&values[..19], Record::Noise).unwrap();
    assert!(matches!(GewekePorterHudak::default().fit(&short), Err(SeriesError::TooShort { .. })));
    assert!(rescaled_range(&short).is_err() && detrended_fluctuations(&short).is_err());
}
