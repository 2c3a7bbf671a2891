//! Ensembles of stochastic equations: moments at the final time.

use crate::row::{INSIDE, Measured};
use hpfracc_sde::models::{GeometricBrownian, Model, RoughBergomi, Variate};
use hpfracc_sde::{Ensemble, Moments};

const GEOMETRIC_STEPS: usize = 200;
const BERGOMI_STEPS: usize = 500;

/// `dS = 0.05 S dt + 0.2 S dW` from 1 to t = 1, f32; the error of the mean of S(1).
pub(crate) fn geometric_brownian(method: &str, seconds: f64, paths: usize) -> Option<Measured> {
    let model = GeometricBrownian::default();
    let measured = mean::<f32>(&model, (paths, GEOMETRIC_STEPS), seconds, model.mean(1.0));
    (method == "euler").then_some(measured)
}

/// Default rough Bergomi model; the error of the mean price, exactly 1 for a martingale.
pub(crate) fn rough_bergomi<T: Variate>(
    method: &str,
    seconds: f64,
    paths: usize,
) -> Option<Measured> {
    let model = RoughBergomi::default();
    let measured = mean::<T>(&model, (paths, BERGOMI_STEPS), seconds, model.mean_price());
    (method == "hybrid").then_some(measured)
}

/// Ensembles, each with a new seed; the error of the mean at t = 1.
fn mean<T: Variate>(
    model: &impl Model,
    (paths, steps): (usize, usize),
    seconds: f64,
    exact: f64,
) -> Measured {
    let ensemble = Ensemble::new(paths, steps).expect(INSIDE);
    let (mut seed, mut mean) = (0, 0.0);
    let measured = Measured::of(seconds, || {
        seed += 1;
        let moments = model.simulate::<T, _>(&ensemble, (0.0, 1.0), seed, &Moments);
        let means = moments.expect(INSIDE).mean;
        mean = means[[means.nrows() - 1, 0]];
    });
    measured.with_error((mean - exact).abs())
}
