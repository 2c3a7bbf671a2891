use hpfracc_special::{
    binomial_weights, binomial_weights_derivative, digamma, powers, recip_gamma,
    second_differences_of_powers, second_differences_of_powers_derivative,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// Discretisation of a fractional derivative or integral on a uniform grid: a causal convolution
/// whose weights are recomputed whenever the order changes.
///
/// The schemes are those of `hpfracc-operators`, which documents their accuracy.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FractionalScheme {
    /// Grünwald-Letnikov approximation of the Riemann-Liouville derivative:
    ///
    /// ```text
    /// D^alpha f(t_n) = h^-alpha sum_{k<=n} (-1)^k C(alpha, k) f_{n-k}
    /// ```
    ///
    /// Range: -20 <= alpha <= 20; negative orders are integrals. At 0 it is f, at 1 the backward
    /// difference with f = 0 before the first sample.
    #[default]
    GrunwaldLetnikov,
    /// Caputo derivative by the L1 scheme:
    ///
    /// ```text
    /// D^alpha f(t_n) = h^-alpha/Gamma(2-alpha) sum_{j<n} ((j+1)^(1-alpha) - j^(1-alpha)) (f_{n-j} - f_{n-1-j})
    /// ```
    ///
    /// Range: 0 <= alpha <= 1. The derivative of a constant is 0. At the ends it is the limits, f -
    /// f_0 and the backward difference.
    CaputoL1,
    /// Riemann-Liouville integral of the piecewise linear interpolant (product trapezoidal rule).
    ///
    /// Range: 0 <= alpha <= 20; at 0 it is f. At the first sample it is 0 for any alpha > 0.
    IntegralTrapezoid,
}

/// Weights by lag, and starting weights by time.
pub(super) struct Numbers<'a> {
    /// Weights of the samples, or of their differences from the first sample.
    pub(super) weights: &'a mut [f64],
    /// The result for the constant 1, where the weights act on differences.
    pub(super) of_one: &'a mut [f64],
}

impl FractionalScheme {
    /// Range of the order.
    pub(super) fn range(self) -> RangeInclusive<f64> {
        match self {
            Self::GrunwaldLetnikov => -20.0..=20.0,
            Self::CaputoL1 => 0.0..=1.0,
            Self::IntegralTrapezoid => 0.0..=20.0,
        }
    }

    /// True if the weights act on differences from the first sample: the result for constants is
    /// then exact.
    pub(super) fn counts_from_first(self) -> bool {
        self != Self::GrunwaldLetnikov
    }

    /// Order of the integral: the L1 scheme is the trapezoidal rule of order -alpha, without
    /// constants.
    fn integral(self, alpha: f64) -> f64 {
        if self == Self::CaputoL1 { -alpha } else { alpha }
    }

    /// Writes the weights for an order and a step.
    pub(super) fn values(self, alpha: f64, dt: f64, numbers: Numbers<'_>) {
        let Numbers { weights, of_one } = numbers;
        match self {
            Self::GrunwaldLetnikov => {
                binomial_weights(alpha, weights);
                scale(dt.powf(-alpha), weights);
            }
            Self::CaputoL1 | Self::IntegralTrapezoid => {
                let nu = self.integral(alpha);
                let power = dt.powf(nu);
                second_differences_of_powers(nu + 1.0, weights);
                scale(power * recip_gamma(nu + 2.0), weights);
                if self == Self::IntegralTrapezoid {
                    powers(nu, of_one);
                    scale(power * recip_gamma(nu + 1.0), of_one);
                } else {
                    of_one.fill(0.0);
                }
            }
        }
    }

    /// Writes the derivatives of the weights with respect to the order. `work` has the length of
    /// the weights.
    pub(super) fn slopes(self, alpha: f64, dt: f64, numbers: Numbers<'_>, work: &mut [f64]) {
        let Numbers { weights, of_one } = numbers;
        let ln_h = dt.ln();
        match self {
            Self::GrunwaldLetnikov => {
                binomial_weights(alpha, work);
                binomial_weights_derivative(alpha, weights);
                let power = dt.powf(-alpha);
                for (slope, w) in weights.iter_mut().zip(work) {
                    *slope = power * (*slope - ln_h * *w);
                }
            }
            Self::CaputoL1 | Self::IntegralTrapezoid => {
                let (nu, sign) = (self.integral(alpha), self.integral(1.0));
                let power = dt.powf(nu);
                second_differences_of_powers(nu + 1.0, work);
                second_differences_of_powers_derivative(nu + 1.0, weights);
                let (factor, change) =
                    (sign * power * recip_gamma(nu + 2.0), ln_h - digamma(nu + 2.0));
                for (slope, w) in weights.iter_mut().zip(&*work) {
                    *slope = factor * (*slope + change * *w);
                }
                of_one.fill(0.0);
                if self == Self::IntegralTrapezoid {
                    powers(nu, of_one);
                    let (factor, change) =
                        (power * recip_gamma(nu + 1.0), ln_h - digamma(nu + 1.0));
                    // t^alpha vanishes at t = 0 for every order but 0.
                    for (n, slope) in of_one.iter_mut().enumerate() {
                        let ln_n = if n == 0 { 0.0 } else { (n as f64).ln() };
                        *slope *= factor * (change + ln_n);
                    }
                    if let Some(start) = of_one.first_mut() {
                        *start = 0.0;
                    }
                }
            }
        }
    }
}

fn scale(factor: f64, numbers: &mut [f64]) {
    numbers.iter_mut().for_each(|number| *number *= factor);
}
