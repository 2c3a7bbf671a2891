//! Distributions of ensembles of a million paths, within 4 standard errors of their exact values.

use super::{machine, model};
use hpfracc::sde::{
    Collect, Ensemble, FractionalEulerMaruyama, Moments, Paths, Sra1, StochasticScheme,
};
use hpfracc::{Machine, SimulationBackend};

const PATHS: usize = 1_000_000;

const FREE: SimulationBackend = SimulationBackend::Wgpu { adapter: None, guarded: false };

/// Moments at the end of all paths.
fn moments<S: StochasticScheme<f32>>(
    machine: &Machine,
    text: &str,
    scheme: &S,
    (steps, seed): (usize, u64),
) -> <Moments as Collect<f32>>::Output {
    let ensemble = Ensemble::new(PATHS, steps).unwrap().saving_nodes(&[steps]).unwrap();
    let begin = std::time::Instant::now();
    let moments = machine
        .simulate_with::<f32, _, _>(&model(text), scheme, (&ensemble, seed), FREE, &Moments)
        .unwrap();
    println!("{text}: {:.2} s", begin.elapsed().as_secs_f64());
    moments
}

/// Compares with an exact value.
fn within(what: &str, found: f64, exact: f64, standard_error: f64) {
    let errors = (found - exact).abs() / standard_error;
    println!("{what}: {found:.7}, exactly {exact:.7}, {errors:.2} standard errors");
    assert!(errors < 4.0, "{what}: {found} {exact} {errors}");
}

#[test]
fn geometric_brownian_motion() {
    let Some(machine) = machine("laws of geometric Brownian motion") else { return };
    let (mu, sigma) = (0.05f64, 0.2f64);
    let text = "dS = 0.05 S dt + 0.2 S dW; S(0) = 1; t in [0, 1]";
    let found = moments(&machine, text, &hpfracc::sde::EulerMaruyama, (32, 5));
    let (mean, square) = (mu.exp(), (2.0 * mu + sigma * sigma).exp());
    let variance = square - mean * mean;
    within("mean", found.mean[[0, 0]], mean, (variance / PATHS as f64).sqrt());
    // Moments of a lognormal number: m4 of S - mean.
    let w = (sigma * sigma).exp();
    let kurtosis = w.powi(4) + 2.0 * w.powi(3) + 3.0 * w * w - 3.0;
    let error = variance * ((kurtosis - 1.0) / PATHS as f64).sqrt();
    within("variance", found.covariance[[0, 0, 0]], variance, error);
}

#[test]
fn ornstein_uhlenbeck_process() {
    let Some(machine) = machine("laws of the Ornstein-Uhlenbeck process") else { return };
    let found = moments(&machine, "dX = -X dt + 0.5 dW; X(0) = 1; t in [0, 1]", &Sra1, (32, 5));
    let variance = 0.125 * (1.0 - (-2f64).exp());
    let n = PATHS as f64;
    within("mean", found.mean[[0, 0]], (-1f64).exp(), (variance / n).sqrt());
    let error = variance * (2.0 / n).sqrt();
    within("variance", found.covariance[[0, 0, 0]], variance, error);
}

/// The mean, extrapolated from two step lengths: the error of the scheme is proportional to the length.
#[test]
fn fractional_relaxation() {
    let Some(machine) = machine("laws of a fractional relaxation") else { return };
    let text = "D^0.8 X = -X + 0.5 dW/dt; X(0) = 1; t in [0, 1]";
    let mean_and_error = |steps: usize, seed: u64| {
        let scheme = FractionalEulerMaruyama::default();
        let found = moments(&machine, text, &scheme, (steps, seed));
        (found.mean[[0, 0]], found.standard_error()[[0, 0]])
    };
    let [(coarse, of_coarse), (fine, of_fine)] = [mean_and_error(16, 5), mean_and_error(32, 6)];
    let exact = hpfracc::special::mittag_leffler(0.8, 1.0, -1.0).unwrap();
    within("mean", 2.0 * fine - coarse, exact, (2.0 * of_fine).hypot(of_coarse));
}

/// Mean 0, variance t^2H at several times, and the covariance of increments over quarters of the interval.
#[test]
fn fractional_brownian_motion() {
    let Some(machine) = machine("laws of fractional Brownian motion") else { return };
    let (steps, n) = (32, PATHS as f64);
    for hurst in [0.2, 0.8] {
        let model = model(&format!("dX = dB; B = fbm({hurst}); X(0) = 0; t in [0, 1]"));
        let ensemble = Ensemble::new(PATHS, steps).unwrap().saving_every(steps / 4).unwrap();
        let begin = std::time::Instant::now();
        let paths = machine.simulate::<f32, _>(&model, (&ensemble, 5), FREE, &Paths).unwrap();
        println!("H = {hurst}: {:.2} s", begin.elapsed().as_secs_f64());
        let rows: Vec<[f64; 5]> = paths
            .outer_iter()
            .map(|path| std::array::from_fn(|time| f64::from(path[[time, 0]])))
            .collect();
        let power = |t: f64| t.abs().powf(2.0 * hurst);
        let mean_of = |of: &dyn Fn(&[f64; 5]) -> f64| rows.iter().map(of).sum::<f64>() / n;
        for time in 1..5 {
            let t = time as f64 / 4.0;
            let mean = mean_of(&|x| x[time]);
            within(&format!("mean at {t}"), mean, 0.0, (power(t) / n).sqrt());
            let variance = mean_of(&|x| x[time] * x[time]);
            let error = power(t) * (2.0 / n).sqrt();
            within(&format!("variance at {t}"), variance, power(t), error);
        }
        let covariance = |lag: f64| {
            0.5 * (power(0.25 * (lag + 1.0)) - 2.0 * power(0.25 * lag) + power(0.25 * (lag - 1.0)))
        };
        for i in 0..4 {
            for j in 0..=i {
                let exact = covariance((i - j) as f64);
                let product = mean_of(&|x| (x[i + 1] - x[i]) * (x[j + 1] - x[j]));
                let error = ((covariance(0.0).powi(2) + exact * exact) / n).sqrt();
                within(&format!("covariance of increments {i} and {j}"), product, exact, error);
            }
        }
    }
}
