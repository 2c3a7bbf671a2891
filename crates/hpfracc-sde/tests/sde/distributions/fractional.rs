//! Fractional equations: mean, variance and covariance between all times, and with the noise,
//! against the exact ones of the discrete scheme.
//!
//! Every test records the largest differences in standard errors: of means, variances, covariances.
//! `HPFRACC_TEST_PATHS=1000000` in the environment takes more paths.

use super::statistics::{Gaussian, Joint, test_paths};
use crate::systems::problem_of;
use hpfracc_sde::noise::{Brownian, FractionalBrownian, Gaussian as Scalar, Noise};
use hpfracc_sde::{
    Drift, Ensemble, FractionalEulerMaruyama, NoiseKind, PathMemory, StochasticSystem,
};
use hpfracc_sde::{Rows, RowsMut};
use hpfracc_special::recip_gamma;
use ndarray::Array2;

const STEPS: usize = 20;
const T1: f64 = 2.0;
const H: f64 = T1 / STEPS as f64;

/// `D^alpha X = lambda X + sigma dZ` and, of order 1, the noise itself.
#[derive(Clone, Copy)]
struct Driven {
    lambda: f64,
    sigma: f64,
}

const DRIVEN: Driven = Driven { lambda: -1.2, sigma: 0.7 };
const START: f64 = 1.5;

impl<T: Scalar> StochasticSystem<T> for Driven {
    fn dim(&self) -> usize {
        2
    }
    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Scalar
    }
    fn additive(&self) -> bool {
        true
    }
    #[inline(always)]
    fn drift(&self, _: f64, x: Rows<'_, T>, mut f: RowsMut<'_, T>) {
        let lambda = T::narrow(self.lambda);
        f[0].iter_mut().zip(&x[0]).for_each(|(f, x)| *f = lambda * *x);
        f[1].fill(T::zero());
    }
    #[inline(always)]
    fn diffusion(&self, _: f64, _: Rows<'_, T>, mut g: RowsMut<'_, T>) {
        g[0].fill(T::narrow(self.sigma));
        g[1].fill(T::one());
    }
}

fn check<T: Scalar>(
    what: &str,
    alpha: f64,
    scheme: FractionalEulerMaruyama,
    noise: &impl Noise<T>,
    exact: &Gaussian,
) {
    let start = [START, 0.0].map(T::narrow);
    let problem = problem_of(DRIVEN, (0.0, T1), &start).unwrap();
    let problem = problem.of_orders(&[alpha, 1.0]).unwrap();
    let ensemble = Ensemble::new(test_paths(), STEPS).unwrap().saving_every(1).unwrap();
    let found = ensemble.solve(&problem, &scheme, noise, &Joint).unwrap();
    found.agree_with(exact, what);
}

/// `((m+1)^p - m^p) / p`
fn cell(m: usize, p: f64) -> f64 {
    ((m as f64 + 1.0).powf(p) - (m as f64).powf(p)) / p
}

/// The mean of the kernel over the cell m.
fn mean_weight(alpha: f64, m: usize) -> f64 {
    H.powf(alpha - 1.0) * recip_gamma(alpha) * cell(m, alpha)
}

/// The root of the mean of its square.
fn standard_deviation_weight(alpha: f64, m: usize) -> f64 {
    H.powf(alpha - 1.0) * recip_gamma(alpha) * cell(m, 2.0 * alpha - 1.0).sqrt()
}

/// The distribution of the scheme, of variables linear in random variables `y` of this covariance:
/// `X_n = X_0 + lambda sum_j b_{n-1-j} X_j + sigma sum_k force[n-1][k] y_k` and `Z_n`.
fn process(alpha: f64, force: &Array2<f64>, increments: &Array2<f64>, y: &Array2<f64>) -> Gaussian {
    let Driven { lambda, sigma } = DRIVEN;
    let columns = y.nrows();
    // What each y adds to each variable; the last column is X_0 and what becomes of it.
    let mut response = Array2::zeros((2 * (STEPS + 1), columns + 1));
    response[[0, columns]] = START;
    for n in 1..=STEPS {
        for k in 0..columns {
            response[[2 * n + 1, k]] = response[[2 * n - 1, k]] + increments[[n - 1, k]];
            response[[2 * n, k]] = sigma * force[[n - 1, k]];
        }
        response[[2 * n, columns]] = START;
        for j in 0..n {
            let weight = lambda * H * mean_weight(alpha, n - 1 - j);
            for k in 0..=columns {
                response[[2 * n, k]] += weight * response[[2 * j, k]];
            }
        }
    }
    let mean = response.column(columns).to_vec();
    let response = response.slice(ndarray::s![.., ..columns]);
    Gaussian { mean, covariance: response.dot(y).dot(&response.t()) }
}

/// `int_0^H (u + m H)^(alpha-1) (u + k H)^(alpha-1) du`, with u = v^(2/(2 alpha - 1)).
fn product_of_cells(alpha: f64, m: usize, k: usize) -> f64 {
    const POINTS: usize = 4000;
    let p = 2.0 / (2.0 * alpha - 1.0);
    let value = |i: usize| {
        let v = (i as f64 + 0.5) / POINTS as f64;
        let kernel = |m: usize| (v.powf(p) + m as f64).powf(alpha - 1.0);
        p * v.powf(p - 1.0) * kernel(m) * kernel(k)
    };
    H.powf(2.0 * alpha - 1.0) * (0..POINTS).map(value).sum::<f64>() / POINTS as f64
}

/// White noise, its increment weighed by standard deviations up to the lag `scaled` and by means
/// beyond.
fn white(alpha: f64, scaled: usize) -> Gaussian {
    let force = Array2::from_shape_fn((STEPS, STEPS), |(n, j)| match n.checked_sub(j) {
        None => 0.0,
        Some(lag) if lag < scaled => standard_deviation_weight(alpha, lag),
        Some(lag) => mean_weight(alpha, lag),
    });
    let covariance = H * Array2::<f64>::eye(STEPS);
    process(alpha, &force, &Array2::eye(STEPS), &covariance)
}

/// White noise itself: the exact integrals of the kernel up to each node, and the increments.
fn exact_white(alpha: f64) -> Gaussian {
    let products =
        Array2::from_shape_fn((STEPS, STEPS), |(m, k)| product_of_cells(alpha, m.min(k), m.max(k)));
    let gamma = recip_gamma(alpha);
    let covariance = Array2::from_shape_fn((2 * STEPS, 2 * STEPS), |(a, b)| {
        let (n, m) = (a % STEPS, b % STEPS);
        match (a < STEPS, b < STEPS) {
            (true, true) => {
                let cells = (0..=n.min(m)).map(|j| products[[n - j, m - j]]);
                gamma * gamma * cells.sum::<f64>()
            }
            (true, false) if m <= n => H * mean_weight(alpha, n - m),
            (false, true) if n <= m => H * mean_weight(alpha, m - n),
            (false, false) if n == m => H,
            _ => 0.0,
        }
    });
    let part = |first: usize| {
        Array2::from_shape_fn((STEPS, 2 * STEPS), |(n, k)| if k == first + n { 1.0 } else { 0.0 })
    };
    process(alpha, &part(0), &part(STEPS), &covariance)
}

#[test]
fn under_white_noise() {
    let tight = PathMemory::Exponentials { tolerance: 1e-8 };
    for (alpha, scaled, memory) in [
        (0.55, 13, PathMemory::Direct),
        (0.7, 10, PathMemory::Blocked),
        (0.7, 10, PathMemory::default()),
        (0.9, 4, tight),
    ] {
        let noise = Brownian::new(11, 1).unwrap();
        let scheme = FractionalEulerMaruyama::new(memory);
        let what = format!("alpha {alpha}, white noise, {memory:?}");
        check::<f32>(&what, alpha, scheme, &noise, &white(alpha, scaled));
    }
}

/// The distribution is that of the process itself, its drift apart.
#[test]
fn with_near_cells() {
    let tight = PathMemory::Exponentials { tolerance: 1e-8 };
    for (alpha, near, memory) in [
        (0.55, 1, PathMemory::Blocked),
        (0.6, 2, tight),
        (0.6, 1, PathMemory::Direct),
        (0.75, 3, tight),
    ] {
        let noise = Brownian::new(12, 1).unwrap();
        let scheme = FractionalEulerMaruyama::new(memory).near_cells(near);
        let what = format!("alpha {alpha}, white noise, {near} near cells, {memory:?}");
        check::<f64>(&what, alpha, scheme, &noise, &exact_white(alpha));
    }
}

/// Orders below 1/2 under persistent noise; rough noise that is added.
#[test]
fn under_fractional_noise() {
    for (alpha, hurst) in [(0.4, 0.8), (0.3, 0.75), (0.9, 0.3), (0.8, 0.6)] {
        let power = |k: f64| k.abs().powf(2.0 * hurst);
        let covariance = Array2::from_shape_fn((STEPS, STEPS), |(i, j)| {
            let k = i as f64 - j as f64;
            H.powf(2.0 * hurst) * (power(k + 1.0) - 2.0 * power(k) + power(k - 1.0)) / 2.0
        });
        let force = Array2::from_shape_fn((STEPS, STEPS), |(n, j)| {
            if j <= n { mean_weight(alpha, n - j) } else { 0.0 }
        });
        let exact = process(alpha, &force, &Array2::eye(STEPS), &covariance);
        let noise = FractionalBrownian::<f64>::new(13, &[hurst]).unwrap();
        let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked);
        check::<f64>(&format!("alpha {alpha}, H {hurst}"), alpha, scheme, &noise, &exact);
    }
}

/// The noise of the corrected equation is that of the plain one; without drift they are the same.
#[test]
fn without_drift_the_corrector_changes_nothing() {
    let system = Driven { lambda: 0.0, sigma: 1.0 };
    let solve = |drift| {
        let problem = problem_of(system, (0.0, T1), &[0.5f64, 0.0]).unwrap();
        let problem = problem.of_orders(&[0.7, 1.0]).unwrap();
        let scheme = FractionalEulerMaruyama::default().near_cells(1).drift(drift);
        let noise = Brownian::new(14, 1).unwrap();
        let ensemble = Ensemble::new(100, STEPS).unwrap();
        ensemble.solve(&problem, &scheme, &noise, &hpfracc_sde::Paths).unwrap()
    };
    let difference = solve(Drift::Rectangle) - solve(Drift::PredictorCorrector);
    let largest = difference.iter().fold(0.0f64, |m, d| m.max(d.abs()));
    assert!(largest < 1e-14, "{largest:e}");
}
