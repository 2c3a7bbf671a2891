//! Means and covariances against the exact ones of the discrete scheme, within standard errors that
//! are computed: no error of discretisation hides a wrong distribution.

use crate::systems::{Linear, ThreeNoises, problem_of};
use hpfracc_sde::noise::{Brownian, Gaussian};
use hpfracc_sde::{
    Ensemble, EulerMaruyama, FractionalEulerMaruyama, MeanAndCovariance, Moments, PathMemory,
    StochasticScheme,
};
use hpfracc_special::{gamma, recip_gamma};

const PATHS: usize = 40_000;
const STEPS: usize = 64;
const T1: f64 = 2.0;
const H: f64 = T1 / STEPS as f64;

/// Two-sided probability 1e-6 for a normal variable.
const LIMIT: f64 = 4.9;

fn moments<T: Gaussian, C: StochasticScheme<T>>(
    system: Linear,
    order: f64,
    scheme: C,
    seed: u64,
) -> MeanAndCovariance {
    let start = vec![T::narrow(1.5); system.dim];
    let problem = problem_of(system, (0.0, T1), &start).unwrap();
    let problem = problem.of_orders(&[order]).unwrap();
    let noise = Brownian::new(seed, system.dim).unwrap();
    let ensemble = Ensemble::new(PATHS, STEPS).unwrap().saving_every(16).unwrap();
    ensemble.solve(&problem, &scheme, &noise, &Moments).unwrap()
}

/// Mean and variance of a Gaussian variable, estimated from `paths` paths, agree with the exact
/// ones.
fn agree(what: &str, found: (f64, f64), exact: (f64, f64)) {
    let paths = PATHS as f64;
    let errors = ((exact.1 / paths).sqrt(), exact.1 * (2.0 / paths).sqrt());
    let z = ((found.0 - exact.0) / errors.0, (found.1 - exact.1) / errors.1);
    println!("{what}: {:.2} and {:.2} standard errors", z.0, z.1);
    assert!(z.0.abs() < LIMIT && z.1.abs() < LIMIT, "{what}: {found:?} {exact:?}");
}

#[test]
fn ornstein_uhlenbeck_by_euler_and_maruyama() {
    let system = Linear { dim: 2, lambda: -0.8, sigma: 0.5, rho: 0.0 };
    let found = moments::<f64, _>(system, 1.0, EulerMaruyama, 1);
    let decay = 1.0 + system.lambda * H;
    for (time, node) in (0..=STEPS).step_by(16).enumerate().skip(1) {
        let variance: f64 =
            (0..node as i32).map(|j| system.sigma.powi(2) * H * decay.powi(2 * j)).sum();
        for i in 0..2 {
            let pair = (found.mean[[time, i]], found.covariance[[time, i, i]]);
            agree(&format!("node {node}"), pair, (1.5 * decay.powi(node as i32), variance));
        }
        // Independent components.
        let between = found.covariance[[time, 0, 1]];
        assert!(between.abs() < LIMIT * variance / (PATHS as f64).sqrt(), "{between}");
    }
}

/// The weights of the scheme as its documentation has them: drift `b_m`, noise `s_m`.
fn weights(alpha: f64, near: usize) -> (Vec<f64>, Vec<f64>) {
    let difference = |m: usize, p: f64| (m as f64 + 1.0).powf(p) - (m as f64).powf(p);
    let b: Vec<f64> = (0..STEPS)
        .map(|m| H.powf(alpha) * recip_gamma(alpha + 1.0) * difference(m, alpha))
        .collect();
    let q = 2.0 * alpha - 1.0;
    let own = |m| H.powf(alpha - 1.0) * recip_gamma(alpha) * (difference(m, q) / q).sqrt();
    let s = (0..STEPS).map(|m| if m < near { own(m) } else { b[m] / H }).collect();
    (b, s)
}

/// `D^alpha X = lambda X + sigma dW`: X_n is Gaussian, and its response to each increment solves
/// the same recursion.
#[test]
fn additive_noise_with_memory() {
    for (alpha, near) in [(0.6, 12), (0.75, 8), (0.9, 4)] {
        let (b, s) = weights(alpha, near);
        let system = Linear { dim: 1, lambda: -1.0, sigma: 0.7, rho: 0.0 };
        let mut mean = vec![1.5];
        let mut response: Vec<f64> = Vec::new();
        for n in 1..=STEPS {
            let sum: f64 = (0..n).map(|j| b[n - 1 - j] * mean[j]).sum();
            mean.push(1.5 + system.lambda * sum);
            let sum: f64 = (0..n - 1).map(|j| b[n - 2 - j] * response[j]).sum();
            response.push(s[n - 1] + system.lambda * sum);
        }
        for memory in [PathMemory::Direct, PathMemory::Exponentials { tolerance: 1e-6 }] {
            let found = moments::<f32, _>(system, alpha, FractionalEulerMaruyama::new(memory), 2);
            for (time, node) in (0..=STEPS).step_by(16).enumerate().skip(1) {
                let squares: f64 = response[..node].iter().map(|r| r * r).sum();
                let exact = (mean[node], system.sigma.powi(2) * H * squares);
                let pair = (found.mean[[time, 0]], found.covariance[[time, 0, 0]]);
                agree(&format!("alpha {alpha}, {memory:?}, node {node}"), pair, exact);
            }
        }
    }
}

/// The variance of `1/Gamma(alpha) int (t-s)^(alpha-1) dW`, where the nearest cells count most,
/// against the exact `t^(2 alpha - 1) / ((2 alpha - 1) Gamma(alpha)^2)`: the scheme has it whatever
/// the step is.
#[test]
fn riemann_liouville_noise_has_its_variance() {
    for alpha in [0.55, 0.7, 0.95] {
        let system = Linear { dim: 1, lambda: 0.0, sigma: 1.0, rho: 0.0 };
        let scheme = FractionalEulerMaruyama::default();
        let found = moments::<f64, _>(system, alpha, scheme, 3);
        let q = 2.0 * alpha - 1.0;
        let exact = T1.powf(q) / (q * gamma(alpha).powi(2));
        let pair = (found.mean[[4, 0]], found.covariance[[4, 0, 0]]);
        agree(&format!("alpha {alpha}"), pair, (1.5, exact));
    }
}

/// `D^alpha X = sigma X dW`: the second moment obeys `m_n = x0^2 + sigma^2 h sum s^2 m_j`. Its
/// estimate has heavy tails: its standard error comes from a fourth moment, estimated by parts of
/// the ensemble.
#[test]
fn multiplicative_noise_with_memory() {
    let (alpha, sigma) = (0.75, 0.4);
    let (_, s) = weights(alpha, 8);
    let mut second = vec![1.5f64 * 1.5];
    for n in 1..=STEPS {
        let sum: f64 = (0..n).map(|j| s[n - 1 - j].powi(2) * second[j]).sum();
        second.push(1.5 * 1.5 + sigma * sigma * H * sum);
    }
    let system = Linear { dim: 1, lambda: 0.0, sigma: 0.0, rho: sigma };
    let parts: Vec<f64> = (0..20)
        .map(|seed| {
            let found =
                moments::<f32, _>(system, alpha, FractionalEulerMaruyama::default(), 100 + seed);
            let (mean, variance) = (found.mean[[4, 0]], found.covariance[[4, 0, 0]]);
            mean * mean + variance
        })
        .collect();
    let count = parts.len() as f64;
    let mean = parts.iter().sum::<f64>() / count;
    let variance = parts.iter().map(|p| (p - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let z = (mean - second[STEPS]) / (variance / count).sqrt();
    println!("{mean} {} ({z:.2} standard errors)", second[STEPS]);
    assert!(z.abs() < LIMIT);
}

#[test]
fn several_noises_on_several_components() {
    let matrix = [[1.0, -0.5, 0.25], [0.0, 2.0, 1.0]];
    let problem = problem_of(ThreeNoises(matrix), (1.0, 1.0 + T1), &[0.0f64, 3.0]).unwrap();
    let noise = Brownian::new(4, 3).unwrap();
    let ensemble = Ensemble::new(PATHS, 8).unwrap();
    let found = ensemble.solve(&problem, &EulerMaruyama, &noise, &Moments).unwrap();
    assert_eq!(found.times, [1.0 + T1]);
    let product = |i: usize, j: usize| -> f64 { (0..3).map(|k| matrix[i][k] * matrix[j][k]).sum() };
    for (i, j) in [(0, 0), (0, 1), (1, 1)] {
        let exact = T1 * product(i, j);
        let error = T1 * (product(i, i) * product(j, j) + product(i, j).powi(2)).sqrt();
        let z = (found.covariance[[0, i, j]] - exact) / (error / (PATHS as f64).sqrt());
        assert!(z.abs() < LIMIT, "{i} {j}: {z}");
    }
}
