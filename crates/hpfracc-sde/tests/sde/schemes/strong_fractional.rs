//! Strong errors of fractional equations: exactly where they are linear with additive noise,
//! without a random number, and on the same paths with longer steps elsewhere.

use crate::noises::{Impulse, responses};
use crate::systems::{Linear, problem_of};
use hpfracc_sde::noise::{Brownian, Coarse, FractionalBrownian, Noise, NoiseProcess};
use hpfracc_sde::{Ensemble, FractionalEulerMaruyama, PathMemory, Paths};
use hpfracc_special::{MittagLeffler, recip_gamma};
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

/// `D^alpha X = -X + dW`, whose solution is `int (t-s)^(alpha-1) E_{alpha,alpha}(-(t-s)^alpha) dW`:
/// the mean square of its difference from the scheme's is a sum over the cells.
#[test]
fn orders_for_additive_white_noise() {
    println!("| alpha | 50 steps | 100 | 200 | 400 | order | alpha - 1/2 |");
    println!("|---|--:|--:|--:|--:|--:|--:|");
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
        let [a, b, c, d] = errors;
        println!(
            "| {alpha} | {a:.4} | {b:.4} | {c:.4} | {d:.4} | {order:.2} | {:.2} |",
            alpha - 0.5
        );
        // From above: the drift's part falls faster.
        assert!((-0.01..0.06).contains(&(order - (alpha - 0.5))), "{alpha}: {order} {errors:?}");
    }
}

/// The same without drift, and with integrals of the nearest cells: what is left is the cells
/// beyond.
#[test]
fn errors_with_near_cells() {
    const STEPS: usize = 1000;
    println!("| alpha | 0 near cells | 1 | 2 | 3 |\n|---|--:|--:|--:|--:|");
    for (alpha, expected) in [
        (0.6, [0.538, 0.0277, 0.0153, 0.0107]),
        (0.75, [0.0699, 0.0083, 0.0050, 0.0037]),
        (0.9, [0.0075, 0.0015, 0.0010, 0.0008]),
    ] {
        let h = 1.0 / STEPS as f64;
        let cell =
            |m: usize, p: f64| h.powf(p) * ((m as f64 + 1.0).powf(p) - (m as f64).powf(p)) / p;
        let errors = [0, 1, 2, 3].map(|near| {
            let scheme = FractionalEulerMaruyama::new(PathMemory::Blocked).near_cells(near);
            let weights = responses((alpha, 0.0), scheme, white(0), STEPS);
            for lag in 0..near {
                let row = responses((alpha, 0.0), scheme, white(1 + lag), 8);
                let of_cell = |m: usize| if m == lag { recip_gamma(alpha) } else { 0.0 };
                let errors = row.iter().enumerate().map(|(m, weight)| weight - of_cell(m));
                assert!(errors.into_iter().all(|e| e.abs() < 1e-12), "{alpha} {near} {lag}");
                assert!(weights[lag].abs() < 1e-12 * weights[near], "{alpha} {near} {lag}");
            }
            let beyond = weights.iter().enumerate().skip(near).map(|(m, weight)| {
                let (mean, square) = (cell(m, alpha), cell(m, 2.0 * alpha - 1.0));
                recip_gamma(alpha).powi(2) * square - 2.0 * weight * recip_gamma(alpha) * mean
                    + h * weight * weight
            });
            beyond.sum::<f64>().sqrt()
        });
        let [a, b, c, d] = errors;
        println!("| {alpha} | {a:.3} | {b:.4} | {c:.4} | {d:.4} |");
        for (near, (found, expected)) in errors.iter().zip(expected).enumerate() {
            let digit = if near == 0 { 5e-4 } else { 5.1e-5 };
            assert!((found - expected).abs() < digit, "{alpha} {near}: {found}");
        }
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
    println!("| {what} | {errors:.4?} | {order:.2} | {expected:.2} |");
    // From above: what has order 1, the drift's part, falls faster.
    assert!((-0.07..0.15).contains(&(order - expected)), "{what}: {order}, {errors:?}");
}

#[test]
fn orders_on_refined_paths_of_white_noise() {
    println!("| equation | differences | order | expected |\n|---|---|--:|--:|");
    // Integrals of near cells are sums over the shorter steps as well.
    for (alpha, near, sizes) in [(0.75, 0, (32, 4)), (0.9, 0, (32, 4)), (0.9, 1, (16, 3))] {
        let noise = || Brownian::new(21, 1).unwrap();
        let scheme = FractionalEulerMaruyama::default().near_cells(near);
        let errors = refined((alpha, multiplied(0.5)), scheme, noise, sizes);
        fitted(&format!("multiplied, alpha {alpha}, {near} near cells"), &errors, alpha - 0.5);
    }
}

#[test]
fn orders_on_refined_paths_of_fractional_noise() {
    println!("| equation | differences | order | expected |\n|---|---|--:|--:|");
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
