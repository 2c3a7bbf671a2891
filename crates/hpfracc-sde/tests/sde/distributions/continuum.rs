//! What steps cost the distribution: mean and variance of the scheme, exactly and without a random number,
//! against those of the equation.

use crate::noises::{Impulse, Silent, responses};
use crate::systems::{Linear, problem_of};
use hpfracc_sde::noise::NoiseProcess;
use hpfracc_sde::{Drift, Ensemble, FractionalEulerMaruyama, PathMemory, Paths};
use hpfracc_special::{MittagLeffler, gamma, recip_gamma};
use hpfracc_testkit::{Figure, record};

const SIZES: [usize; 4] = [50, 100, 200, 400];

fn scheme() -> FractionalEulerMaruyama {
    FractionalEulerMaruyama::new(PathMemory::Blocked)
}

/// Records by how much the scheme's value misses the exact one; the order from the last halving.
fn table(what: &str, exact: f64, found: [f64; 4]) -> f64 {
    let bias = found.map(|found| found - exact);
    let order = (bias[2] / bias[3]).abs().log2();
    let exact = ("exact", Figure::number(exact, 5));
    let columns = ["missed by, 50 steps", "100", "200", "400"];
    let missed = columns.into_iter().zip(bias.map(Figure::error));
    let row = [exact].into_iter().chain(missed).chain([("order", Figure::number(order, 2))]);
    record("accuracy/continuum", &[("quantity", what)], &row.collect::<Vec<_>>());
    order
}

/// `D^alpha X = -X` at 1: `E_alpha(-1)`, by rectangles of order 1 and by predictor and corrector.
#[test]
fn mean_of_a_linear_equation() {
    for alpha in [0.6, 0.75, 0.9] {
        let exact = MittagLeffler::new(alpha, 1.0).unwrap().eval(-1.0);
        for (drift, least) in [(Drift::Rectangle, 0.95), (Drift::PredictorCorrector, 1.4)] {
            let found = SIZES.map(|steps| {
                let system = Linear { dim: 1, lambda: -1.0, sigma: 1.0, rho: 0.0 };
                let problem = problem_of(system, (0.0, 1.0), &[1.0f64]).unwrap();
                let problem = problem.of_orders(&[alpha]).unwrap();
                let silence = Silent(vec![NoiseProcess::Brownian]);
                let ensemble = Ensemble::new(1, steps).unwrap();
                let ends = ensemble.solve(&problem, &scheme().drift(drift), &silence, &Paths);
                ends.unwrap()[[0, 0, 0]]
            });
            let order = table(&format!("mean, alpha {alpha}, {drift:?}"), exact, found);
            assert!(order > least, "{alpha} {drift:?}: {order}");
        }
    }
}

/// `D^alpha X = -X + dW`: `int_0^1 u^(2 alpha - 2) E_{alpha,alpha}(-u^alpha)^2 du`, with u =
/// v^(1/q).
#[test]
fn variance_of_a_linear_equation() {
    for alpha in [0.6, 0.75, 0.9] {
        let kernel = MittagLeffler::new(alpha, alpha).unwrap();
        let q = 2.0 * alpha - 1.0;
        const POINTS: usize = 4000;
        let square = |i: usize| {
            let v = (i as f64 + 0.5) / POINTS as f64;
            kernel.eval(-v.powf(alpha / q)).powi(2) / q
        };
        let exact = (0..POINTS).map(square).sum::<f64>() / POINTS as f64;
        let found = SIZES.map(|steps| {
            let impulse = Impulse { process: NoiseProcess::Brownian, row: 0 };
            let weights = responses((alpha, -1.0), scheme(), impulse, steps);
            weights.iter().map(|w| w * w).sum::<f64>() / steps as f64
        });
        let order = table(&format!("variance, alpha {alpha}"), exact, found);
        let bias = (found[3] - exact).abs() / exact;
        assert!(bias < 5e-3, "{alpha}: {bias} {order}");
    }
}

/// `D^alpha X = sigma X dW`: `E X^2 = E_q(sigma^2 Gamma(q)/Gamma(alpha)^2)`, q = 2 alpha - 1,
/// against the scheme's recursion `m_n = 1 + sigma^2 h sum s^2 m_j`; its weights are those of the
/// scheme.
#[test]
fn second_moment_of_multiplied_noise() {
    let sigma = 0.5f64;
    for alpha in [0.6, 0.75, 0.9] {
        let q = 2.0 * alpha - 1.0;
        let argument = sigma.powi(2) * gamma(q) * recip_gamma(alpha).powi(2);
        let exact = MittagLeffler::new(q, 1.0).unwrap().eval(argument);
        let found = SIZES.map(|steps| {
            let impulse = Impulse { process: NoiseProcess::Brownian, row: 0 };
            let weights = responses((alpha, 0.0), scheme(), impulse, steps);
            let factor = sigma.powi(2) / steps as f64;
            let mut second: Vec<f64> = vec![1.0];
            for n in 1..=steps {
                let sum: f64 = (0..n).map(|j| weights[n - 1 - j].powi(2) * second[j]).sum();
                second.push(1.0 + factor * sum);
            }
            second[steps]
        });
        let order = table(&format!("second moment, alpha {alpha}"), exact, found);
        assert!((order - 1.0).abs() < 0.15, "{alpha}: {order}");
    }
}

/// `D^alpha X = dB^H`, whose mean square displacement is `H Gamma(2H) t^(2(alpha+H-1)) /
/// (Gamma(alpha) Gamma(alpha+2H-1) (alpha+H-1))`: anomalous diffusion, at orders below 1/2 too.
#[test]
fn displacement_under_fractional_noise() {
    for (alpha, hurst) in [(0.4, 0.8), (0.5, 0.75), (0.8, 0.6), (0.9, 0.7)] {
        let power = alpha + hurst - 1.0;
        let exact = hurst
            * gamma(2.0 * hurst)
            * recip_gamma(alpha)
            * recip_gamma(alpha + 2.0 * hurst - 1.0)
            / power;
        let found = SIZES.map(|steps| {
            let impulse = Impulse { process: NoiseProcess::Fractional { hurst }, row: 0 };
            let weights = responses((alpha, 0.0), scheme(), impulse, steps);
            let square = |k: usize| (k as f64).powf(2.0 * hurst);
            let covariance = |k: usize| match k {
                0 => 1.0,
                _ => (square(k + 1) - 2.0 * square(k) + square(k - 1)) / 2.0,
            };
            let sum: f64 = (0..steps)
                .map(|k| {
                    let pairs = weights.iter().zip(&weights[k..]);
                    let sum: f64 = pairs.map(|(u, v)| u * v).sum();
                    covariance(k) * sum * if k == 0 { 1.0 } else { 2.0 }
                })
                .sum();
            sum / (steps as f64).powf(2.0 * hurst)
        });
        let order = table(&format!("displacement, alpha {alpha}, H {hurst}"), exact, found);
        assert!(order > 2.0 * power - 0.1, "{alpha} {hurst}: {order}");
    }
}
