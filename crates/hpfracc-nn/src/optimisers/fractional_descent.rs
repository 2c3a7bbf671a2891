use super::step::Step;
use crate::checks::in_range;
use crate::{OutOfRange, Scalar};
use hpfracc_special::recip_gamma;
use serde::{Deserialize, Serialize};

/// Descent along a Caputo gradient of order alpha whose lower terminal is the previous step:
///
/// ```text
/// theta_(k+1) = theta_k - rate/Gamma(2 - alpha) g_k (|theta_k - theta_(k-1)| + delta)^(1 - alpha)
/// ```
///
/// for each parameter separately, `theta_(-1) = theta_0`. For alpha < 1 it is the first term of the
/// series of the Caputo derivative in the distance from the lower terminal, with delta added to the
/// distance. With a moving terminal the stationary points are those of the loss; with a fixed
/// terminal they are not. Order 1 is gradient descent. From 1 to 2 it is the analytic continuation
/// of the formula in alpha, not a Caputo derivative, whose series begins with the second derivative
/// there. Below order 1 steps shrink where earlier steps were small, above they grow; `delta` sets
/// the first step.
///
/// Range: 0 < alpha < 2.
///
/// Shapes: theta, g and the state have one number for each parameter.
///
/// Cost for each parameter and step: one power, about 8 ns; it is not vectorised.
///
/// Source: Chen, Gao, Wei and Wang, Appl. Math. Comput. 314, 310-321 (2017), for the moving terminal;
/// Wei, Kang, Yin and Wang, J. Franklin Inst. (2020), DOI 10.1016/j.jfranklin.2020.01.008, for the
/// truncated series; Yang, Mo, Hu and Long, Fractal Fract. 7, 631 (2023), DOI
/// 10.3390/fractalfract7080631, and Ma, Chen and Zheng, Eur. J. Oper. Res. (2025), DOI
/// 10.1016/j.ejor.2025.01.013, for the form with delta.
///
/// ```
/// use hpfracc_nn::{FractionalDescent, Optimiser};
///
/// let optimiser = Optimiser::FractionalDescent(FractionalDescent::default());
/// let mut state = optimiser.state::<f64>(2)?;
/// let mut theta = [1.0, -1.0];
/// state.step(0.1, &mut theta, &[2.0, -2.0])?;
/// assert!(theta[0] < 1.0 && theta[1] > -1.0);
/// # Ok::<(), hpfracc_nn::OptimiserError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FractionalDescent {
    /// The order, between 0 and 2.
    pub alpha: f64,
    /// Added to the distance between two steps, in [1e-30, 1].
    pub delta: f64,
}

impl Default for FractionalDescent {
    fn default() -> Self {
        Self { alpha: 0.9, delta: 1e-4 }
    }
}

impl FractionalDescent {
    pub(super) fn remembered(&self, parameters: usize) -> usize {
        parameters
    }

    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let within = self.alpha > 0.0 && self.alpha < 2.0;
        in_range(within, "alpha", self.alpha, "0 < alpha < 2")?;
        let within = (1e-30..=1.0).contains(&self.delta);
        in_range(within, "delta", self.delta, "1e-30 <= delta <= 1")
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
