//! Cost of sampling a stretched exponential around its fit: gradients of an effective draw and
//! seconds.
//!
//! ```text
//! cargo run --release -p hpfracc-fit --example sampling
//! ```

use hpfracc_fit::sample::{
    Coordinates, DensityFn, LogDensity, Nuts, Posterior, Support, Watch, Whitening,
};
use hpfracc_lanes::random::{Gaussian, Philox};
use std::error::Error;
use std::time::Instant;

const PARAMETERS: usize = 4;
const NAMES: [&str; PARAMETERS] = ["a", "tau", "s", "c"];
const TRUTH: [f64; PARAMETERS] = [1.0, 1.0, 0.6, 0.2];

/// Points of a relaxation: times and values.
struct Data {
    log_t: Vec<f64>,
    y: Vec<f64>,
}

impl Data {
    /// `points` times from 0.02 to 20 at equal ratios, and values with an error of 0.005.
    fn new(points: usize) -> Self {
        let ratio = 1000f64.ln() / (points - 1) as f64;
        let log_t: Vec<f64> = (0..points).map(|i| 0.02f64.ln() + ratio * i as f64).collect();
        let noise = |i: usize| {
            let [a, b, ..] = Philox::new(1).block([i as u32, 0, 0, 0]);
            0.005 * f64::pair(a, b).0
        };
        let y = log_t.iter().enumerate().map(|(i, t)| model(&TRUTH, *t).0 + noise(i)).collect();
        Self { log_t, y }
    }

    /// The sum of squared residuals, J^T r and J^T J.
    fn normal_equations(&self, theta: &[f64]) -> (f64, [f64; 4], [[f64; 4]; 4]) {
        let (mut rss, mut gradient, mut matrix) = (0.0, [0.0; 4], [[0.0; 4]; 4]);
        for (log_t, y) in self.log_t.iter().zip(&self.y) {
            let (value, slopes) = model(theta, *log_t);
            let residual = value - y;
            rss += residual * residual;
            for i in 0..PARAMETERS {
                gradient[i] += slopes[i] * residual;
                (0..PARAMETERS).for_each(|j| matrix[i][j] += slopes[i] * slopes[j]);
            }
        }
        (rss, gradient, matrix)
    }

    /// Estimates by Gauss-Newton steps, and the factor R of the inverse covariance R^T R.
    fn fit(&self) -> ([f64; 4], Vec<f64>) {
        let mut theta = TRUTH;
        for _ in 0..30 {
            let (_, gradient, matrix) = self.normal_equations(&theta);
            let r = upper_factor(&matrix);
            let mut step = gradient;
            for i in 0..PARAMETERS {
                let known: f64 = (0..i).map(|k| r[k][i] * step[k]).sum();
                step[i] = (step[i] - known) / r[i][i];
            }
            for i in (0..PARAMETERS).rev() {
                let known: f64 = (i + 1..PARAMETERS).map(|k| r[i][k] * step[k]).sum();
                step[i] = (step[i] - known) / r[i][i];
                theta[i] -= step[i];
            }
        }
        let (rss, _, matrix) = self.normal_equations(&theta);
        let sigma = (rss / (self.y.len() - PARAMETERS) as f64).sqrt();
        let factor = upper_factor(&matrix).as_flattened().iter().map(|r| r / sigma).collect();
        (theta, factor)
    }

    /// Posterior of the parameters where the error is unknown: -(n/2) ln rss.
    fn density(&self) -> impl LogDensity {
        DensityFn::new(PARAMETERS, |theta: &[f64], gradient: &mut [f64]| {
            let (mut rss, mut by_theta) = (0.0, [0.0; PARAMETERS]);
            for (log_t, y) in self.log_t.iter().zip(&self.y) {
                let (value, slopes) = model(theta, *log_t);
                let residual = value - y;
                rss += residual * residual;
                (0..PARAMETERS).for_each(|i| by_theta[i] += slopes[i] * residual);
            }
            let n = self.y.len() as f64;
            (0..PARAMETERS).for_each(|i| gradient[i] = -n * by_theta[i] / rss);
            -n / 2.0 * rss.ln()
        })
    }
}

/// a exp(-(t/tau)^s) + c with its derivatives with respect to a, tau, s, c.
fn model(theta: &[f64], log_t: f64) -> (f64, [f64; PARAMETERS]) {
    let [a, tau, s, c] = [theta[0], theta[1], theta[2], theta[3]];
    let log_ratio = log_t - tau.ln();
    let power = (s * log_ratio).exp();
    let decay = (-power).exp();
    let slope = -a * decay * power;
    (a * decay + c, [decay, -slope * s / tau, slope * log_ratio, 1.0])
}

/// Cholesky factor R with R^T R = matrix.
fn upper_factor(matrix: &[[f64; 4]; 4]) -> [[f64; 4]; 4] {
    let mut r = [[0.0; 4]; 4];
    for i in 0..PARAMETERS {
        for j in i..PARAMETERS {
            let known: f64 = (0..i).map(|k| r[k][i] * r[k][j]).sum();
            let entry = matrix[i][j] - known;
            r[i][j] = if i == j { f64::sqrt(entry) } else { entry / r[i][i] };
        }
    }
    r
}

/// Least effective sample size of the means of all parameters.
fn least_ess(posterior: &Posterior) -> f64 {
    (0..PARAMETERS).map(|i| posterior.summary(i).bulk_ess).fold(f64::INFINITY, f64::min)
}

fn main() -> Result<(), Box<dyn Error>> {
    println!(
        "points  coordinates  warm-up  its gradients  gradients  least ESS  of an effective draw  ms"
    );
    for points in [39, 40] {
        let data = Data::new(points);
        let (theta, factor) = data.fit();
        let supports =
            [Support::Above(0.0), Support::Above(0.0), Support::Above(0.0), Support::Real];
        let density = data.density();
        for (name, whitening, warm_up) in [
            ("raw", Whitening::Identity, 1000),
            ("whitened", Whitening::Precision(&factor), 1000),
            ("whitened", Whitening::Precision(&factor), 200),
            ("whitened", Whitening::Precision(&factor), 150),
        ] {
            let coordinates = Coordinates::new(&theta, &supports, whitening)?;
            let settings = Nuts { warm_up, ..Nuts::default() };
            let mut fastest = f64::INFINITY;
            let mut posterior = None;
            for _ in 0..5 {
                let start = Instant::now();
                let mut sampling = settings.start(&density, coordinates.clone())?;
                sampling.run(&density, Watch::default())?;
                fastest = fastest.min(start.elapsed().as_secs_f64());
                posterior = Some(sampling.posterior()?);
            }
            let posterior = posterior.ok_or("no run")?;
            posterior.converged()?;
            let (gradients, ess) = (posterior.gradients(), least_ess(&posterior));
            println!(
                "{points:6}  {name:11}  {warm_up:7}  {:13}  {gradients:9}  {ess:9.0}  {:20.2}  {:.1}",
                posterior.warm_up_gradients(),
                gradients as f64 / ess.min(4000.0),
                1e3 * fastest
            );
            if points == 40 && warm_up == 150 {
                for (parameter, name) in NAMES.iter().enumerate() {
                    let found = posterior.summary(parameter);
                    println!(
                        "  {name} = {:.4} +- {:.4}, R-hat {:.4}",
                        found.mean, found.standard_deviation, found.r_hat
                    );
                }
                println!(
                    "  depths {:?}, acceptance {:.2?}",
                    posterior.depths(),
                    posterior.acceptance()
                );
            }
        }
    }
    Ok(())
}
