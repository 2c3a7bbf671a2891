//! Strong errors of fractional equations: exactly where they are linear with additive noise,
//! without a random number, and on the same paths with longer steps elsewhere.

use crate::noises::{Impulse, responses};
use crate::systems::{Linear, problem_of};
use hpfracc_sde::noise::{Brownian, Coarse, FractionalBrownian, Noise, NoiseProcess};
use hpfracc_sde::{Ensemble, FractionalEulerMaruyama, PathMemory, Paths};
use hpfracc_special::{MittagLeffler, recip_gamma};
use hpfracc_testkit::{Figure, record};
use ndarray::Array3;

fn white(row: usize) -> Impulse {
    Impulse { process: NoiseProcess::Brownian, row }
}

/// The fitted order over steps that halve.
fn order(errors: &[f64]) -> f64 {
    let count = errors.len() as f64;
    let points: Vec<(f64, f64)> =
        (0..).map(f64::from).zip(errors.iter().map(|e| e.log2())).collect();
    let middle = (count - 1.0) / 2.0;
    let mean = points.iter().map(|p| p.1).sum::<f64>() / count;
    let slope: f64 = points.iter().map(|(k, e)| (k - middle) * (e - mean)).sum();
    -slope / points.iter().map(|(k, _)| (k - middle).powi(2)).sum::<f64>()
}

/// Errors with the names of their columns.
fn named<const N: usize>(
    names: [&'static str; N],
    errors: [f64; N],
) -> Vec<(&'static str, Figure)> {
    names.into_iter().zip(errors.map(Figure::error)).collect()
}

/// `D^alpha X = -X + dW`, whose solution is `int (t-s)^(alpha-1) E_{alpha,alpha}(-(t-s)^alpha) dW`:
/// the mean square of its difference from the scheme's is a sum over the cells.
#[test]
fn orders_for_additive_white_noise() {
    for alpha in [0.6, 0.75, 0.9] {
        let kernel = MittagLeffler::new(alpha, alpha).unwrap();
        let integral = MittagLeffler::new(alpha, alpha + 1.0).unwrap();
        let q = 2.0 * alpha - 1.0;
        // u = v^(1/q), by the midpoint rule: the integrand is smooth in v.
        const POINTS: usize = 4000;
        let square = |i: usize| {
            let v = (i as f64 + 0.5) / POINTS as f64;
            kernel.eval(-v.powf(alpha / q)).powi(2) / q
        };
        let variance = (0..POINTS).map(square).sum::<f64>() / POINTS as f64;
        let up_to = |t: f64| t.powf(alpha) * integral.eval(-t.powf(alpha));
        let errors = [50, 100, 200, 400].map(|steps| {
            let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked);
            let h = 1.0 / steps as f64;
            let terms = responses((alpha, -1.0), scheme, white(0), steps).into_iter().enumerate();
            let sum = terms.map(|(m, weight)| {
                let cell = up_to((m + 1) as f64 * h) - up_to(m as f64 * h);
                h * weight * weight - 2.0 * weight * cell
            });
            (variance + sum.sum::<f64>()).sqrt()
        });
        let order = order(&errors);
        let mut row = named(["50 steps", "100", "200", "400"], errors);
        row.push(("order", Figure::number(order, 2)));
        row.push(("alpha - 1/2", Figure::number(alpha - 0.5, 2)));
        record("accuracy/fractional_strong", &[("alpha", &alpha.to_string())], &row);
        // From above: the drift's part falls faster.
        assert!((-0.01..0.06).contains(&(order - (alpha - 0.5))), "{alpha}: {order} {errors:?}");
    }
}

/// The kernel `u^(alpha-1)` on the cell m, of length 1, and what the scheme makes of it: values at
/// the points of a quadrature, and its weights.
struct Cells {
    exact: Vec<Vec<f64>>,
    scheme: Vec<Vec<f64>>,
    weights: Vec<f64>,
}

impl Cells {
    /// From what the scheme answers to the increment and to each integral alone.
    fn new(alpha: f64, near: usize, variance_error: f64, count: usize) -> Self {
        const POINTS: usize = 2000;
        let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked);
        let scheme = scheme.near_cells(near).variance_error(variance_error);
        // u = v^p: the square of the kernel is smooth in v.
        let p = 2.0 / (2.0 * alpha - 1.0);
        let v = |i: usize| (i as f64 + 0.5) / POINTS as f64;
        let points: Vec<f64> = (0..POINTS).map(|i| v(i).powf(p)).collect();
        let weights = (0..POINTS).map(|i| p * v(i).powf(p - 1.0) / POINTS as f64).collect();
        let kernel = |m: usize, u: f64| (u + m as f64).powf(alpha - 1.0);
        let h = 1.0 / count as f64;
        let answers: Vec<Vec<f64>> =
            (0..=near).map(|row| responses((alpha, 0.0), scheme, white(row), count)).collect();
        let gamma = 1.0 / recip_gamma(alpha);
        let of_scheme = |m: usize, u: f64| {
            let increment = answers[0][m] * h.powf(1.0 - alpha);
            let drawn = answers[1..].iter().enumerate().map(|(j, answer)| answer[m] * kernel(j, u));
            gamma * (increment + drawn.sum::<f64>())
        };
        let all = |of: &dyn Fn(usize, f64) -> f64| -> Vec<Vec<f64>> {
            (0..count).map(|m| points.iter().map(|u| of(m, *u)).collect()).collect()
        };
        Self { exact: all(&kernel), scheme: all(&of_scheme), weights }
    }

    fn product(&self, a: &[f64], b: &[f64]) -> f64 {
        a.iter().zip(b).zip(&self.weights).map(|((a, b), w)| a * b * w).sum()
    }
}

/// The same without drift, and with integrals of the nearest cells: what is left is the cells
/// beyond.
#[test]
fn errors_with_near_cells() {
    const STEPS: usize = 1000;
    for (alpha, expected) in [
        (0.6f64, [0.538f64, 0.023_672, 1.469e-3, 1.0705e-3]),
        (0.75, [0.0699, 5.609e-3, 5.545e-4, 4.819e-4]),
        (0.9, [0.0075, 8.468e-4, 2.769e-4, 2.736e-4]),
    ] {
        let h = 1.0 / STEPS as f64;
        let errors = [0, 1, 2, 3].map(|near| {
            let cells = Cells::new(alpha, near, 1e-4, STEPS);
            let pairs = cells.exact.iter().zip(&cells.scheme);
            let squares = pairs.map(|(exact, scheme)| {
                let error: Vec<f64> = exact.iter().zip(scheme).map(|(e, s)| e - s).collect();
                cells.product(&error, &error)
            });
            recip_gamma(alpha) * h.powf(alpha - 0.5) * squares.sum::<f64>().sqrt()
        });
        let row = named(["0 near cells", "1", "2", "3"], errors);
        record("accuracy/near_cells", &[("alpha", &alpha.to_string())], &row);
        for (near, (found, expected)) in errors.iter().zip(expected).enumerate() {
            let digits = if near == 0 { 2e-2 } else { 1e-3 };
            assert!((found / expected - 1.0).abs() < digits, "{alpha} {near}: {found}");
        }
    }
}

/// The largest error of a covariance of X at two times, relative to the product of the standard
/// deviations, over all pairs of nodes.
fn covariance_error(cells: &Cells) -> f64 {
    let steps = cells.exact.len();
    let variance =
        |n: usize| -> f64 { cells.exact[..n].iter().map(|cell| cells.product(cell, cell)).sum() };
    let mut worst = 0.0f64;
    for apart in 0..steps {
        let mut error = 0.0;
        for n in 1..=steps - apart {
            let (a, b) = (n - 1, n - 1 + apart);
            error += cells.product(&cells.scheme[a], &cells.scheme[b])
                - cells.product(&cells.exact[a], &cells.exact[b]);
            if [1, 2, 4, 8, 16, 32, 64].contains(&n) {
                worst = worst.max(error.abs() / (variance(n) * variance(n + apart)).sqrt());
            }
        }
    }
    worst
}

/// Covariances between all times, without a random number: those of the process, but for what the
/// documentation states.
#[test]
fn covariances_with_near_cells() {
    let stated = [0.105, 7e-4, 1e-6, 1.1e-8];
    let mut largest = [0.0f64; 4];
    for alpha in [0.52, 0.55, 0.6, 0.65, 0.7, 0.75, 0.9, 0.99] {
        // All cells are estimated.
        let errors = [0, 1, 2, 3].map(|near| covariance_error(&Cells::new(alpha, near, 1e-12, 64)));
        let row = named(["0 near cells", "1", "2", "3"], errors);
        record("accuracy/near_cell_covariances", &[("alpha", &alpha.to_string())], &row);
        for (near, error) in errors.iter().enumerate() {
            largest[near] = largest[near].max(*error);
        }
        for near in 1..=3 {
            // With the default as many as it needs.
            let error = covariance_error(&Cells::new(alpha, near, 1e-4, 64));
            assert!(error < stated[near] + 1.1e-4, "{alpha}, {near} near cells: {error}");
        }
    }
    for (near, (largest, stated)) in largest.iter().zip(stated).enumerate() {
        assert!((0.5 * stated..=stated).contains(largest), "{near} near cells: {largest:e}");
    }
}

/// Roots of the mean squares of the differences at the end between n steps and 2 n,
/// for `coarsest` steps and on, `doublings` times.
fn refined<N: Noise<f64>>(
    (alpha, system): (f64, Linear),
    scheme: FractionalEulerMaruyama,
    noise: impl Fn() -> N,
    (coarsest, doublings): (usize, usize),
) -> Vec<f64> {
    const PATHS: usize = 1000;
    let problem = problem_of(system, (0.0, 1.0), &[1.0f64]).unwrap();
    let problem = problem.of_orders(&[alpha]).unwrap();
    let solve = |doubling: usize| -> Array3<f64> {
        let noise = Coarse::new(noise(), 1 << (doublings - doubling)).unwrap();
        let ensemble = Ensemble::new(PATHS, coarsest << doubling).unwrap();
        ensemble.solve(&problem, &scheme, &noise, &Paths).unwrap()
    };
    let ends: Vec<Array3<f64>> = (0..=doublings).map(solve).collect();
    let difference = |pair: &[Array3<f64>]| {
        let squares = (&pair[0] - &pair[1]).mapv(|d| d * d);
        (squares.sum() / PATHS as f64).sqrt()
    };
    ends.windows(2).map(difference).collect()
}

fn multiplied(rho: f64) -> Linear {
    Linear { dim: 1, lambda: -1.0, sigma: 0.0, rho }
}

fn fitted(what: &str, errors: &[f64], expected: f64) {
    let order = order(errors);
    record(
        "accuracy/fractional_refined",
        &[("noise", what)],
        &[("order", Figure::number(order, 2)), ("theory", Figure::number(expected, 2))],
    );
    // From above: what has order 1, the drift's part, falls faster.
    assert!((-0.07..0.15).contains(&(order - expected)), "{what}: {order}, {errors:?}");
}

#[test]
fn orders_on_refined_paths_of_white_noise() {
    // Integrals of near cells are sums over the shorter steps as well.
    for (alpha, near, sizes) in [(0.75, 0, (32, 4)), (0.9, 0, (32, 4)), (0.9, 1, (16, 3))] {
        let noise = || Brownian::new(21, 1).unwrap();
        let scheme = FractionalEulerMaruyama::default().near_cells(near);
        let errors = refined((alpha, multiplied(0.5)), scheme, noise, sizes);
        fitted(&format!("multiplied, alpha {alpha}, {near} near cells"), &errors, alpha - 0.5);
    }
}

/// At alpha = 1, `EulerMaruyama`: the noise is exact, and the drift has the order of a sum over the
/// left ends of the steps.
#[test]
fn orders_of_euler_maruyama_under_additive_fractional_noise() {
    println!("| equation | differences | order | expected |\n|---|---|--:|--:|");
    let system = Linear { dim: 1, lambda: -1.0, sigma: 1.0, rho: 0.0 };
    for (hurst, expected) in [(0.2, 0.7), (0.35, 0.85), (0.7, 1.0), (0.9, 1.0)] {
        let noise = || FractionalBrownian::<f64>::new(23, &[hurst]).unwrap();
        let errors = refined((1.0, system), FractionalEulerMaruyama::default(), noise, (64, 4));
        fitted(&format!("H {hurst}, added, alpha 1"), &errors, expected);
    }
}

#[test]
fn orders_on_refined_paths_of_fractional_noise() {
    let added = Linear { dim: 1, lambda: 0.0, sigma: 1.0, rho: 0.0 };
    for (alpha, hurst, system) in [
        (1.0, 0.7, multiplied(1.0)),
        (1.0, 0.85, multiplied(1.0)),
        (0.8, 0.85, multiplied(1.0)),
        (0.8, 0.85, added),
        (0.6, 0.85, added),
        (0.5, 0.75, added),
        (0.9, 0.3, added),
    ] {
        let noise = || FractionalBrownian::<f64>::new(22, &[hurst]).unwrap();
        let scheme = FractionalEulerMaruyama::default();
        let errors = refined((alpha, system), scheme, noise, (32, 4));
        let (what, expected) = if system.rho == 0.0 {
            ("added", alpha + hurst - 1.0)
        } else {
            ("multiplied", alpha + 2.0 * hurst - 2.0)
        };
        fitted(&format!("H {hurst}, {what}, alpha {alpha}"), &errors, expected);
    }
}
