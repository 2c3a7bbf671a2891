//! The rough Bergomi model: a price driven beside the rough noise of its volatility.

use hpfracc_sde::SdeError;
use hpfracc_sde::noise::RiemannLiouvilleBrownian;
use hpfracc_sde::{Ensemble, EulerMaruyama, NoiseKind, Paths, StochasticProblem, StochasticSystem};
use hpfracc_sde::{Rows, RowsMut};

const HURST: f64 = 0.1;
const ETA: f64 = 1.5;
const XI: f64 = 0.04;

/// Y, and the logarithm of the price: `d ln S = -V/2 dt + sqrt(V) dZ`,
/// `V = xi exp(eta Y - eta^2/2 t^2H)`.
struct RoughBergomi {
    additive_in_y: bool,
}

impl StochasticSystem<f64> for RoughBergomi {
    fn dim(&self) -> usize {
        2
    }

    fn noise_kind(&self) -> NoiseKind {
        NoiseKind::Diagonal
    }

    fn additive_in(&self, noise: usize) -> bool {
        self.additive_in_y && noise == 0
    }

    fn drift(&self, t: f64, x: Rows<'_, f64>, mut f: RowsMut<'_, f64>) {
        f[0].fill(0.0);
        f[1].iter_mut().zip(&x[0]).for_each(|(f, y)| *f = -0.5 * variance(t, *y));
    }

    fn diffusion(&self, t: f64, x: Rows<'_, f64>, mut g: RowsMut<'_, f64>) {
        g[0].fill(1.0);
        g[1].iter_mut().zip(&x[0]).for_each(|(g, y)| *g = variance(t, *y).sqrt());
    }
}

fn variance(t: f64, y: f64) -> f64 {
    XI * (ETA * y - 0.5 * ETA * ETA * t.powf(2.0 * HURST)).exp()
}

fn problem(additive_in_y: bool) -> StochasticProblem<f64, RoughBergomi> {
    StochasticProblem::new(RoughBergomi { additive_in_y }, (0.0, 1.0), &[0.0, 0.0]).unwrap()
}

/// The price is a martingale, the mean of V is xi, and the two move against each other as rho says.
#[test]
fn price_and_volatility_have_their_means() {
    let noise = RiemannLiouvilleBrownian::new(5, &[HURST]).unwrap().with_correlated(-0.9).unwrap();
    let paths = 20_000;
    let ensemble = Ensemble::new(paths, 64).unwrap();
    let found = ensemble.solve(&problem(true), &EulerMaruyama, &noise, &Paths).unwrap();
    let last = found.shape()[1] - 1;
    let path = |i: usize| (found[[i, last, 1]].exp(), variance(1.0, found[[i, last, 0]]) / XI);
    // E V^2 / xi^2 = exp(eta^2) = 9.5; the price has a standard deviation of about 0.2.
    for (name, value, standard_deviation) in [
        ("price", (0..paths).map(|i| path(i).0).sum::<f64>() / paths as f64 - 1.0, 0.2),
        ("variance", (0..paths).map(|i| path(i).1).sum::<f64>() / paths as f64 - 1.0, 2.9),
    ] {
        let z = value / (standard_deviation / (paths as f64).sqrt());
        assert!(z.abs() < 4.9, "{name}: {z} standard errors");
    }
    let leverage = (0..paths).map(|i| (path(i).0 - 1.0) * path(i).1).sum::<f64>() / paths as f64;
    assert!(leverage < -0.1, "{leverage}");
}

#[test]
fn rough_noise_that_is_multiplied_is_refused() {
    let noise = RiemannLiouvilleBrownian::new(5, &[HURST]).unwrap().with_driver();
    let ensemble = Ensemble::new(4, 4).unwrap();
    let refused = ensemble.solve(&problem(false), &EulerMaruyama, &noise, &Paths).unwrap_err();
    assert!(matches!(refused, SdeError::RoughNoise { component: 0, .. }), "{refused}");
}
