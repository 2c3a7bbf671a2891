use super::OptimiserError;
use super::step::Step;
use crate::Scalar;
use hpfracc_special::recip_gamma;
use serde::{Deserialize, Serialize};

/// Descent along Caputo's gradient of order alpha, whose memory begins at the parameters of the step
/// before:
///
/// ```text
/// theta_(k+1) = theta_k - rate/Gamma(2 - alpha) g_k (|theta_k - theta_(k-1)| + delta)^(1 - alpha)
/// ```
///
/// for each parameter on its own, `theta_(-1) = theta_0`. For alpha < 1 it is the first term of the series
/// of Caputo's derivative in the distance from its lower terminal, with delta added to the distance; a
/// terminal that moves along has the stationary points of the loss for its own, which a fixed one has
/// not. Order 1 is gradient descent. From 1 to 2 it is the same formula by continuation in alpha, not a
/// Caputo derivative, the series of which begins with the second derivative there. Below order 1 steps
/// shrink where steps were small, above they grow; `delta` is what they begin with.
///
/// Range: 0 < alpha < 2. One number remembered for each parameter, and one power computed, which is not
/// vector code: some 8 ns a parameter.
///
/// Source: Chen, Gao, Wei and Wang, Appl. Math. Comput. 314, 310-321 (2017), for the moving terminal;
/// Wei, Kang, Yin and Wang, J. Franklin Inst. (2020), DOI 10.1016/j.jfranklin.2020.01.008, for the
/// truncated series; Yang, Mo, Hu and Long, Fractal Fract. 7, 631 (2023), DOI
/// 10.3390/fractalfract7080631, and Ma, Chen and Zheng, Eur. J. Oper. Res. (2025), DOI
/// 10.1016/j.ejor.2025.01.013, for the form with delta.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FractionalDescent {
    /// The order, between 0 and 2.
    pub alpha: f64,
    /// What is added to the distance between two steps, 1e-30 to 1.
    pub delta: f64,
}

impl Default for FractionalDescent {
    fn default() -> Self {
        Self { alpha: 0.9, delta: 1e-4 }
    }
}

impl FractionalDescent {
    pub(super) fn check(&self) -> Result<(), OptimiserError> {
        let within = self.alpha > 0.0 && self.alpha < 2.0;
        OptimiserError::unless(within, "alpha", self.alpha, "0 < alpha < 2")?;
        let within = (1e-30..=1.0).contains(&self.delta);
        OptimiserError::unless(within, "delta", self.delta, "1e-30 <= delta <= 1")
    }

    pub(super) fn step<T: Scalar>(&self, step: Step<'_, T>) {
        let Step { rate, steps, theta, gradient, values: before } = step;
        if steps == 0 {
            before.copy_from_slice(theta);
        }
        let rate = rate * recip_gamma(2.0 - self.alpha);
        for ((theta, g), before) in theta.iter_mut().zip(gradient).zip(before) {
            let distance = (*theta - *before).widen().abs() + self.delta;
            *before = *theta;
            *theta -= T::narrow(rate * distance.powf(1.0 - self.alpha)) * *g;
        }
    }
}
