//! Rough volatility: martingales, variances, and the classical models as limits.

use crate::distribution::{LIMIT, mean_agrees, moments, test_paths};
use hpfracc_sde::models::{Model, RoughBergomi, RoughHeston};
use hpfracc_sde::noise::CorrelatedBrownian;
use hpfracc_sde::{Ensemble, EulerMaruyama, NoiseKind, Paths, StochasticProblem, StochasticSystem};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_special::gamma;
use ndarray::array;

/// S is a martingale, E V = xi0, and V has its log-normal variance: the process inside has the
/// variance of the continuum by its near cells, within 1e-4.
#[test]
fn rough_bergomi() {
    let (count, steps) = (test_paths(30_000), 64);
    for hurst in [0.07, 0.3, 0.5] {
        let model = RoughBergomi::default().hurst(hurst).unwrap().eta(0.8).unwrap();
        let model = model.xi0(0.09).unwrap().s0(2.0).unwrap().rho(-0.7).unwrap();
        let found = moments::<f32>(model, (count, steps, 1.0), 21);
        for time in 1..=4 {
            let t = found.times[time];
            let what = format!("H {hurst}, t {t}");
            let spread = found.covariance[[time, 0, 0]];
            mean_agrees(&format!("{what}, S"), found.mean[[time, 0]], 2.0, spread, count);
            let exact = model.variance_of_variance(t);
            mean_agrees(&format!("{what}, V"), found.mean[[time, 1]], 0.09, exact, count);
            // Of a log-normal variable with log-variance q: E (V - xi0)^4.
            let q: f64 = 0.64 * t.powf(2.0 * hurst);
            let power = |p: f64| (0.5 * p * (p - 1.0) * q).exp();
            let fourth = 0.09f64.powi(4) * (power(4.0) - 4.0 * power(3.0) + 6.0 * power(2.0) - 3.0);
            let error = ((fourth - exact * exact) / count as f64).sqrt();
            let z = (found.covariance[[time, 1, 1]] - exact) / error;
            println!("{what}, variance of V: {z:.2} standard errors");
            assert!(z.abs() < LIMIT, "{what}: variance of V, {z} standard errors");
            let between = found.covariance[[time, 0, 1]];
            assert!(between < 0.0, "{what}: {between}");
        }
    }
}

/// E V of the scheme obeys its own linear recursion as long as nothing is truncated.
#[test]
fn rough_heston() {
    let (count, steps) = (test_paths(30_000), 64);
    let model = RoughHeston::default().v0(0.09).unwrap().theta(0.04).unwrap().nu(0.02).unwrap();
    let model = model.kappa(1.2).unwrap().hurst(0.2).unwrap().s0(2.0).unwrap();
    let found = moments::<f64>(model, (count, steps, 1.0), 22);
    let (h, alpha) = (1.0 / steps as f64, 0.7f64);
    let cell = |m: usize| {
        let power = |m: usize| (m as f64).powf(alpha);
        h.powf(alpha) / gamma(alpha + 1.0) * (power(m + 1) - power(m))
    };
    let mut mean = vec![0.09];
    for n in 1..=steps {
        mean.push(0.09 + (0..n).map(|j| cell(n - 1 - j) * 1.2 * (0.04 - mean[j])).sum::<f64>());
    }
    for time in 1..=4 {
        let t = found.times[time];
        let what = format!("t {t}");
        let spread = found.covariance[[time, 0, 0]];
        mean_agrees(&format!("{what}, S"), found.mean[[time, 0]], 2.0, spread, count);
        let discrete = mean[time * steps / 4];
        let spread = found.covariance[[time, 1, 1]];
        mean_agrees(&format!("{what}, V"), found.mean[[time, 1]], discrete, spread, count);
        let exact = model.mean_variance(t).unwrap();
        println!("{what}: bias {:.1e}", discrete / exact - 1.0);
        assert!((discrete / exact - 1.0).abs() < 0.02, "{discrete} {exact}");
    }
}

/// Truncation lifts the mean of S nowhere: a martingale whatever V does.
#[test]
fn prices_are_martingales_where_variance_is_truncated() {
    let model = RoughHeston::default().nu(0.8).unwrap().hurst(0.1).unwrap();
    let count = test_paths(30_000);
    let found = moments::<f32>(model, (count, 64, 1.0), 23);
    for time in 1..=4 {
        let spread = found.covariance[[time, 0, 0]];
        mean_agrees(&format!("time {time}"), found.mean[[time, 0]], 1.0, spread, count);
    }
}

/// Heston's equation for (V, log S), written down once more, without memory.
struct Heston;

impl StochasticSystem<f64> for Heston {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }
    fn drift(&self, _: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        for lane in 0..x.lanes() {
            let v = x[0][lane].max(0.0);
            f[0][lane] = 1.5 * (0.04 - v);
            f[1][lane] = -0.5 * v;
        }
    }
    fn diffusion(&self, _: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        for lane in 0..x.lanes() {
            let root = x[0][lane].max(0.0).sqrt();
            g[0][lane] = 0.2 * root;
            g[1][lane] = root;
        }
    }
}

/// At H = 1/2 the model is Heston's, path by path.
#[test]
fn heston_is_the_limit() {
    let ensemble = Ensemble::new(200, 50).unwrap();
    let model = RoughHeston::default().hurst(0.5).unwrap();
    let found = model.simulate::<f64, _>(&ensemble, (1.0, 2.0), 9, &Paths).unwrap();
    let problem = StochasticProblem::new(Heston, (1.0, 2.0), &[0.04, 0.0]).unwrap();
    let noise = CorrelatedBrownian::new(9, array![[1.0, -0.7], [-0.7, 1.0]].view()).unwrap();
    let exact = ensemble.solve(&problem, &EulerMaruyama, &noise, &Paths).unwrap();
    for path in 0..200 {
        let (s, v) = (found[[path, 0, 0]], found[[path, 0, 1]]);
        assert!((s - exact[[path, 0, 1]].exp()).abs() < 1e-14 * s);
        assert!((v - exact[[path, 0, 0]].max(0.0)).abs() < 1e-16);
    }
}

/// The paths of an interval are those of any other: nothing depends on when they start.
#[test]
fn time_counts_from_the_start() {
    let ensemble = Ensemble::new(20, 16).unwrap().saving_every(4).unwrap();
    let model = RoughBergomi::default();
    let first = model.simulate::<f64, _>(&ensemble, (0.0, 1.0), 9, &Paths).unwrap();
    let later = model.simulate::<f64, _>(&ensemble, (4.0, 5.0), 9, &Paths).unwrap();
    assert!(first.iter().zip(&later).all(|(a, b)| (a - b).abs() < 1e-12 * a));
}
