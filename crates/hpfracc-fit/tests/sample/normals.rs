//! Normal distributions: moments within their Monte Carlo errors.

use crate::densities::{assert_near, equicorrelated, real, sample};
use hpfracc_fit::sample::{Coordinates, DensityFn, Nuts, Posterior, Support, Whitening};

/// Lower triangular factor of the covariance of [`equicorrelated`].
fn factor(dim: usize, correlation: f64) -> Vec<f64> {
    let mut lower = vec![0.0; dim * dim];
    for i in 0..dim {
        for j in 0..=i {
            let known: f64 = (0..j).map(|k| lower[i * dim + k] * lower[j * dim + k]).sum();
            let entry = if i == j { 1.0 } else { correlation } - known;
            lower[i * dim + j] = if i == j { entry.sqrt() } else { entry / lower[j * dim + j] };
        }
    }
    (0..dim * dim).map(|at| lower[at] * 10f64.powi((at / dim) as i32)).collect()
}

fn check(name: &str, posterior: &Posterior, correlation: f64) {
    posterior.converged().unwrap_or_else(|error| panic!("{name}: {error}"));
    let dim = posterior.dim();
    let covariance = posterior.covariance();
    for i in 0..dim {
        let scale = 10f64.powi(i as i32);
        let summary = posterior.summary(i);
        assert_near(name, (summary.mean, summary.mean_error), 0.0);
        let deviation = (summary.standard_deviation, summary.standard_deviation_error);
        assert_near(name, deviation, scale);
        assert_near(name, posterior.quantile(i, 0.975), 1.959_963_985 * scale);
        assert!((covariance[i * dim + i].sqrt() - deviation.0).abs() < 1e-9 * scale);
        for j in 0..i {
            let found = covariance[i * dim + j]
                / (covariance[i * dim + i] * covariance[j * dim + j]).sqrt();
            // The error of a correlation is (1 - r^2) / sqrt(ESS).
            let error = (1.0 - correlation * correlation) / summary.bulk_ess.min(4000.0).sqrt();
            assert_near(name, (found, error), correlation);
        }
    }
}

#[test]
fn correlated_normals_have_their_moments() {
    for (dim, correlation) in [(1, 0.0), (2, 0.9), (5, 0.5), (2, 0.99)] {
        let name = format!("{dim} variables of correlation {correlation}");
        let density = equicorrelated(dim, correlation);
        let settings = Nuts { warm_up: 1000, draws: 2000, ..Nuts::default() };
        check(&name, &sample(&settings, &density, real(dim)), correlation);
        let lower = factor(dim, correlation);
        let (start, supports) = (vec![0.0; dim], vec![Support::Real; dim]);
        let whitening = Whitening::Covariance(&lower);
        let coordinates = Coordinates::new(&start, &supports, whitening).unwrap();
        let whitened = sample(&Nuts::default(), &density, coordinates);
        check(&name, &whitened, correlation);
        let least = (0..dim).map(|i| whitened.summary(i).bulk_ess).fold(f64::INFINITY, f64::min);
        let each = whitened.gradients() as f64 / least.min(4000.0);
        assert!(each < 6.0, "{name}: {each} gradients for an effective draw");
    }
}

/// The energies of a normal distribution are explored well, and the acceptance is the target.
#[test]
fn the_step_is_adapted() {
    for acceptance in [0.6, 0.8, 0.95] {
        let settings = Nuts { acceptance, warm_up: 1000, ..Nuts::default() };
        let posterior = sample(&settings, &equicorrelated(3, 0.3), real(3));
        for found in posterior.acceptance() {
            assert!((found - acceptance).abs() < 0.08, "{found}, expected {acceptance}");
        }
        assert!(posterior.bfmi().iter().all(|bfmi| (0.7..2.0).contains(bfmi)));
        let depths = posterior.depths();
        assert_eq!(depths.iter().sum::<usize>(), 4000);
        assert!(posterior.gradients() >= 4000 && posterior.warm_up_gradients() >= 4000);
    }
}

/// A trajectory in a flat density never turns back: its depth is the limit.
#[test]
fn the_depth_is_bounded() {
    let flat = DensityFn::new(1, |_: &[f64], gradient: &mut [f64]| {
        gradient[0] = 0.0;
        0.0
    });
    let settings = Nuts { depth: 3, warm_up: 0, draws: 50, ..Nuts::default() };
    let posterior = sample(&settings, &flat, real(1));
    assert_eq!(posterior.depths(), [0, 0, 0, 200]);
    assert_eq!(posterior.gradients(), 200 * 7);
}
