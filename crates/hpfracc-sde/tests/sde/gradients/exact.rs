//! Ornstein and Uhlenbeck's process, whose gradients have exact means and variances; each path's
//! own gradient; threads.

use crate::systems::{Linear, differentiable};
use hpfracc_sde::RowsMut;
use hpfracc_sde::noise::{Brownian, Gaussian};
use hpfracc_sde::{
    Ensemble, EnsembleGradient, EulerMaruyama, FractionalEulerMaruyama, SavedStates,
    StochasticGradient,
};

const STEPS: usize = 40;
const H: f64 = 1.5 / STEPS as f64;

/// Two-sided probability 1e-6 for a normal variable.
const LIMIT: f64 = 4.9;

/// The loss of a path is its end.
fn end<T: Gaussian>(saved: SavedStates<'_, T>, losses: &mut [T], mut xbar: RowsMut<'_, T>) {
    losses.copy_from_slice(&saved.x[0]);
    xbar[0].fill(T::one());
}

/// `X_n = a^n x_0 + sum_j a^(n-1-j) sigma dW_j` with a = 1 + lambda h.
#[test]
fn mean_and_variance_of_the_gradient() {
    let (lambda, sigma, x0, paths) = (-0.8, 0.5, 1.5, 20_000);
    let system = Linear { dim: 1, lambda, sigma, rho: 0.0 };
    let problem = differentiable(system, (0.0, 1.5), &[x0]).unwrap();
    let gradient = EnsembleGradient::new(Ensemble::new(paths, STEPS).unwrap());
    let noise = Brownian::new(5, 1).unwrap();
    let found = gradient.solve(&problem, &EulerMaruyama, &noise, &end::<f64>).unwrap();
    let (a, n) = (1.0 + lambda * H, STEPS as i32);
    assert!((found.start.values[0] - a.powi(n)).abs() < 1e-14);
    assert!(found.start.errors[0] < 1e-14);
    let of_noise = |weight: &dyn Fn(i32) -> f64| -> f64 {
        (0..n).map(|k| H * (sigma * weight(k)).powi(2)).sum()
    };
    let loss = (x0 * a.powi(n), of_noise(&|k| a.powi(k)));
    let by_lambda = f64::from(n) * H * a.powi(n - 1) * x0;
    let lambda = (by_lambda, of_noise(&|k| f64::from(k) * H * a.powi(k - 1)));
    // dX_n/dsigma has the mean 0.
    let sigma = (0.0, of_noise(&|k| a.powi(k) / sigma));
    let parameters = &found.parameters;
    let all = [
        ("loss", found.loss.values[0], found.loss.errors[0], loss),
        ("lambda", parameters.values[0], parameters.errors[0], lambda),
        ("sigma", parameters.values[1], parameters.errors[1], sigma),
    ];
    // Tiles of 256 paths.
    let spread = (0.5 / (paths as f64 / 256.0).floor()).sqrt();
    for (name, value, error, (mean, variance)) in all {
        let exact = (variance / paths as f64).sqrt();
        let (z, of_error) = ((value - mean) / exact, (error / exact - 1.0) / spread);
        println!("{name}: {z:.2} standard errors; their estimate: {of_error:.2} of its own");
        assert!(z.abs() < LIMIT && of_error.abs() < LIMIT, "{name}");
    }
}

fn run<T: Gaussian>(threads: usize) -> StochasticGradient<T> {
    let system = Linear { dim: 2, lambda: -0.8, sigma: 0.5, rho: 0.3 };
    let start = [T::narrow(1.5), T::narrow(-0.5)];
    let problem = differentiable(system, (0.0, 1.5), &start).unwrap();
    let problem = problem.of_orders(&[0.7, 1.0]).unwrap();
    let ensemble = Ensemble::new(3000, STEPS).unwrap().saving_every(15).unwrap();
    let gradient = EnsembleGradient::new(ensemble).with_orders().with_each_path();
    let noise = Brownian::new(5, 2).unwrap();
    let squares = |saved: SavedStates<'_, T>, losses: &mut [T], mut xbar: RowsMut<'_, T>| {
        for row in 0..saved.x.rows() {
            for (lane, x) in saved.x[row].iter().enumerate() {
                losses[lane] += *x * *x;
                xbar[row][lane] = *x + *x;
            }
        }
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    let scheme = FractionalEulerMaruyama::default();
    pool.install(|| gradient.solve(&problem, &scheme, &noise, &squares).unwrap())
}

#[test]
fn the_same_bits_on_any_number_of_threads() {
    let one = run::<f32>(1);
    for threads in [2, 3] {
        assert_eq!(run::<f32>(threads), one, "{threads}");
    }
}

#[test]
fn the_gradient_in_the_start_is_the_mean_over_the_paths() {
    let found = run::<f64>(2);
    let each = found.starts.unwrap();
    assert_eq!(each.dim(), (3000, 2));
    for component in 0..2 {
        let column = each.column(component);
        let mean = column.mean().unwrap();
        let error = (found.start.values[component] - mean).abs();
        assert!(error < 1e-13 * mean.abs(), "{component}: {error:e}");
        // The errors of independent paths, but for the chance in their estimates.
        let exact = column.std(1.0) / 3000f64.sqrt();
        let (tiles, estimate) = (3000.0 / 64.0, found.start.errors[component]);
        assert!((estimate / exact - 1.0).abs() < LIMIT * (0.5f64 / tiles).sqrt(), "{component}");
    }
}
