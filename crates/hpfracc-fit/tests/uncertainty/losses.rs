//! Standard errors and scales of losses other than the squares.

use crate::data::{assert_close, inverse, line, moments, noisy_line, normal, sandwich};
use hpfracc_fit::sample::LogDensity;
use hpfracc_fit::{Fit, Found, Loss, Set};

/// A line with an outlier in every tenth row.
fn data(n: usize, seed: u64) -> (Vec<f64>, Vec<f64>) {
    let (x, mut y) = noisy_line(n, seed, 0.2);
    y.iter_mut().skip(4).step_by(10).for_each(|y| *y += 3.0);
    (x, y)
}

/// psi and its slope.
fn psi(loss: Loss, r: f64, scale: f64) -> (f64, f64) {
    let z = (r / scale).powi(2);
    match loss {
        Loss::Squares => (r, 1.0),
        Loss::Huber if z <= 1.0 => (r, 1.0),
        Loss::Huber => (scale * r.signum(), 0.0),
        Loss::SoftL1 => (r / (1.0 + z).sqrt(), (1.0 + z).powf(-1.5)),
        Loss::Cauchy => (r / (1.0 + z), (1.0 - z) / (1.0 + z).powi(2)),
        Loss::Arctan => {
            let t = 1.0 + z * z;
            (r / t, (1.0 - 3.0 * z * z) / (t * t))
        }
        Loss::Tukey => {
            let u = z / (4.685 * 4.685);
            if u < 1.0 { (r * (1.0 - u).powi(2), (1.0 - u) * (1.0 - 5.0 * u)) } else { (0.0, 0.0) }
        }
        _ => unreachable!(),
    }
}

fn residuals(found: &Found<'_>, x: &[f64], y: &[f64]) -> Vec<f64> {
    let values = found.values();
    x.iter().zip(y).map(|(x, y)| values[0] + values[1] * x - y).collect()
}

#[test]
fn the_covariance_is_the_sandwich_of_the_sums() {
    let (model, (x, y)) = (line(), data(1500, 3));
    for loss in [Loss::Huber, Loss::SoftL1, Loss::Cauchy, Loss::Arctan, Loss::Tukey] {
        let set = Set::new("data", &model).input(&x).response(&y);
        let fit = Fit::new(set).unwrap().loss(loss).loss_scale(0.3).unwrap();
        let found = fit.run().unwrap();
        assert_eq!(found.loss(), (loss, Some(0.3)));
        let r = residuals(&found, &x, &y);
        let gradient: f64 = r.iter().map(|r| psi(loss, *r, 0.3).0).sum();
        assert!(gradient.abs() < 1e-9, "{loss:?}: {gradient}");
        let a = inverse(moments(&x, |i| psi(loss, r[i], 0.3).1));
        let b = moments(&x, |i| psi(loss, r[i], 0.3).0.powi(2));
        let expected = sandwich(a, b);
        let factor = 1500.0 / 1498.0;
        let of = |a, b| found.covariance(a, b).unwrap().unwrap();
        assert_close(of("a", "a"), factor * expected.0, 1e-9, "a a");
        assert_close(of("a", "b"), factor * expected.1, 1e-9, "a b");
        assert_close(of("b", "b"), factor * expected.2, 1e-9, "b b");
        let error = found.estimate("b").unwrap().standard_error.unwrap();
        assert_close(error, (factor * expected.2).sqrt(), 1e-9, "standard error");
    }
}

/// Over many records the estimates scatter as the standard errors say.
#[test]
fn standard_errors_are_the_scatter_of_estimates() {
    let model = line();
    for loss in [Loss::Huber, Loss::Cauchy, Loss::Tukey] {
        let (mut slopes, mut variance) = (vec![], 0.0);
        for seed in 0..400 {
            let (x, y) = data(60, seed);
            let set = Set::new("data", &model).input(&x).response(&y);
            let found = Fit::new(set).unwrap().loss(loss).run().unwrap();
            let estimate = found.estimate("b").unwrap();
            slopes.push(estimate.value);
            variance += estimate.standard_error.unwrap().powi(2) / 400.0;
        }
        let mean = slopes.iter().sum::<f64>() / 400.0;
        let scatter = slopes.iter().map(|b| (b - mean).powi(2)).sum::<f64>() / 399.0;
        let ratio = (variance / scatter).sqrt();
        // A standard deviation of 400 numbers has an error of 3.5 %.
        assert!((ratio - 1.0).abs() < 0.12, "{loss:?}: {ratio}");
    }
}

#[test]
fn the_scale_is_the_median_of_its_own_residuals() {
    let (model, (x, y)) = (line(), data(201, 5));
    let fit = || Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    for loss in [Loss::Huber, Loss::SoftL1, Loss::Cauchy, Loss::Arctan, Loss::Tukey] {
        let found = fit().loss(loss).run().unwrap();
        let (_, scale) = found.loss();
        let mut sizes: Vec<f64> = residuals(&found, &x, &y).iter().map(|r| r.abs()).collect();
        sizes.sort_by(f64::total_cmp);
        assert_close(scale.unwrap(), 1.4826 * sizes[100], 1e-5, "scale");
        // The errors have a standard deviation of 0.2, and a tenth of the rows is off.
        assert!((scale.unwrap() - 0.22).abs() < 0.04, "{scale:?}");
        assert!((found.variance().sqrt() / scale.unwrap() - 1.0).abs() < 1e-5);
        let report = found.to_string();
        assert!(report.contains("scale") && report.contains("median"), "{report}");
        // Not all losses lead from any start to this minimum.
        let near = fit().start("a", 2.0).unwrap().start("b", -0.5).unwrap();
        let given = near.loss(loss).loss_scale(scale.unwrap()).unwrap().run().unwrap();
        assert_close(given.values()[1], found.values()[1], 1e-9, "the same minimum");
    }
    assert_eq!(fit().run().unwrap().loss(), (Loss::Squares, None));
}

/// The increase of the cost by one standard error is the unit of the profile: both intervals agree for a linear model.
#[test]
fn the_profile_agrees_with_the_standard_error() {
    let x: Vec<f64> = (0..400).map(|i| 0.01 * f64::from(i)).collect();
    let model = line();
    let y: Vec<f64> = x.iter().enumerate().map(|(i, x)| 1.0 + x + 0.3 * normal(8, i)).collect();
    let set = Set::new("data", &model).input(&x).response(&y);
    let found = Fit::new(set).unwrap().loss(Loss::Huber).run().unwrap();
    let wald = found.interval("b", 0.95).unwrap().unwrap();
    let (lower, upper) = found.profile("b", 0.95).unwrap().interval;
    let width = wald.1 - wald.0;
    assert!((lower.unwrap() - wald.0).abs() < 0.05 * width, "{wald:?}, {lower:?}");
    assert!((upper.unwrap() - wald.1).abs() < 0.05 * width, "{wald:?}, {upper:?}");
}

/// A third of the rows is far off, all to one side: the biweight gives them no weight. A start on these rows, at a minimum of the
/// biweight, does not matter: the minimum of `SoftL1` comes first.
#[test]
fn outliers_have_no_weight_in_the_biweight() {
    let (model, n) = (line(), 120);
    let x: Vec<f64> = (0..n).map(|i| 0.05 * i as f64).collect();
    let clean = |i: usize| 1.0 + 0.5 * x[i] + 0.1 * normal(4, i);
    let y: Vec<f64> =
        (0..n).map(|i| if i % 3 == 0 { clean(i) + 3.0 + 0.1 * x[i] } else { clean(i) }).collect();
    let kept: Vec<usize> = (0..n).filter(|i| i % 3 != 0).collect();
    let of = |column: &[f64]| -> Vec<f64> { kept.iter().map(|i| column[*i]).collect() };
    let (u, v) = (of(&x), of(&y));
    let fit = |x, y| Fit::new(Set::new("data", &model).input(x).response(y)).unwrap();
    let biweight = |fit: Fit<'_>| {
        let fit = fit.start("a", 4.0).unwrap().start("b", 0.6).unwrap();
        let found = fit.loss(Loss::Tukey).loss_scale(0.1).unwrap().run().unwrap();
        assert!(found.outcome().is_success(), "{found}");
        found.values()
    };
    let (all, rest) = (biweight(fit(&x[..], &y[..])), biweight(fit(&u[..], &v[..])));
    for (all, rest) in all.iter().zip(&rest) {
        assert!((all - rest).abs() < 1e-8, "{all} {rest}");
    }
    let squares = fit(&x[..], &y[..]).run().unwrap().values();
    assert!((squares[0] - rest[0]).abs() > 0.5, "{squares:?}");
}

#[test]
fn bad_scales_are_refused() {
    let model = line();
    let x = [0.0, 1.0, 2.0, 3.0, 4.0];
    let y = [0.0, 1.0, 2.0, 3.0, 9.0];
    let fit = || Fit::new(Set::new("data", &model).input(&x).response(&y)).unwrap();
    for scale in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = fit().loss_scale(scale).unwrap_err().to_string();
        assert!(error.starts_with("the scale of the loss is "), "{error}");
    }
    let zero = [0.0; 5];
    let set = Set::new("data", &model).input(&x).response(&zero);
    let error = Fit::new(set).unwrap().loss(Loss::Huber).run().unwrap_err().to_string();
    let expected = "the scale of the loss from the median of the residuals is 0, expected a positive \
                    number: more than half of the residuals are 0, so give a scale";
    assert_eq!(error, expected);
}

/// Rows of several tasks of threads.
#[test]
fn threads_do_not_change_bits() {
    let (model, (x, y)) = (line(), data(300_000, 3));
    let set = || Set::new("data", &model).input(&x).response(&y);
    let run = || {
        let found = Fit::new(set()).unwrap().loss(Loss::Cauchy).run().unwrap();
        let mut gradient = [0.0; 2];
        let value = found.density().value_and_gradient(&[1.9, -0.5], &mut gradient).unwrap();
        (found.estimates(), found.variance(), found.residual_tests().unwrap(), value, gradient)
    };
    let expected = run();
    for threads in [1, 3] {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        assert_eq!(pool.install(run), expected, "{threads}");
    }
}
