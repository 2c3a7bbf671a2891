//! Densities that bend: one that can be sampled, and one that cannot.

use crate::densities::{assert_near, real, sample};
use hpfracc_fit::sample::{DensityFn, Nuts, Reason};

/// A banana: x with the density exp(x/2 - x^4/4), and y given x normal around x^2 with the variance
/// (1 + x^2)/4. Returns the logarithm and its derivatives.
fn banana(x: f64, y: f64) -> (f64, [f64; 2]) {
    let (away, variance) = (y - x * x, (1.0 + x * x) / 4.0);
    let value = x / 2.0 - x.powi(4) / 4.0 - away * away / (2.0 * variance);
    let by_y = -away / variance;
    // The variance is part of the density, without its normalisation.
    let by_x =
        0.5 - x.powi(3) - 2.0 * x * by_y + away * away / (2.0 * variance * variance) * x / 2.0;
    (value, [by_x, by_y])
}

/// Mean of a function of x and y by the trapezoidal rule, whose error falls exponentially.
fn by_quadrature(f: impl Fn(f64, f64) -> f64) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for i in -400..=400 {
        for j in -400..=1200 {
            let (x, y) = (f64::from(i) / 80.0, f64::from(j) / 40.0);
            let weight = banana(x, y).0.exp();
            sum += weight * f(x, y);
            weights += weight;
        }
    }
    sum / weights
}

#[test]
fn a_banana_has_the_moments_of_a_quadrature() {
    let density = DensityFn::new(2, |x: &[f64], gradient: &mut [f64]| {
        let (value, slopes) = banana(x[0], x[1]);
        gradient.copy_from_slice(&slopes);
        value
    });
    let settings =
        Nuts { draws: 4000, warm_up: 1000, acceptance: 0.95, seed: 3, ..Nuts::default() };
    let posterior = sample(&settings, &density, real(2));
    posterior.converged().unwrap();
    let means = [by_quadrature(|x, _| x), by_quadrature(|_, y| y)];
    for parameter in [0, 1] {
        let found = posterior.summary(parameter);
        assert_near("mean", (found.mean, found.mean_error), means[parameter]);
        let square = by_quadrature(|x, y| ([x, y][parameter] - means[parameter]).powi(2));
        let (sd, error) = (found.standard_deviation, found.standard_deviation_error);
        assert_near("deviation", (sd, error), square.sqrt());
    }
    let product = by_quadrature(|x, y| (x - means[0]) * (y - means[1]));
    assert!((posterior.covariance()[1] - product).abs() < 0.1, "{product}");
}

/// Neal's funnel, whose neck no step resolves: the divergences lie there.
#[test]
fn a_funnel_is_refused_with_its_divergences() {
    const X: usize = 9;
    let funnel = DensityFn::new(1 + X, |x: &[f64], gradient: &mut [f64]| {
        let (v, x) = (x[0], &x[1..]);
        let squares: f64 = x.iter().map(|x| x * x).sum();
        gradient[0] = -v / 9.0 - X as f64 / 2.0 + (-v).exp() * squares / 2.0;
        (0..X).for_each(|i| gradient[1 + i] = -(-v).exp() * x[i]);
        -v * v / 18.0 - X as f64 * v / 2.0 - (-v).exp() * squares / 2.0
    });
    let settings = Nuts { warm_up: 1000, ..Nuts::default() };
    let posterior = sample(&settings, &funnel, real(1 + X));
    let divergences = posterior.divergences();
    assert!(divergences.len() > 10, "{}", divergences.len());
    let depths: Vec<f64> = divergences.iter().map(|divergence| divergence.position[0]).collect();
    let mean = depths.iter().sum::<f64>() / depths.len() as f64;
    assert!(mean < -0.5, "{mean}");
    let error = posterior.converged().unwrap_err();
    let count = divergences.len();
    assert!(error.reasons.iter().any(
        |reason| matches!(reason, Reason::Divergences { count: found, .. } if *found == count)
    ));
    let text = error.to_string();
    assert!(text.starts_with("the chains have not converged: "), "{text}");
    assert!(text.contains(&format!("{count} of 4000 draws diverged, the first at (")), "{text}");
}
