use hpfracc_special::{
    binomial_weights, binomial_weights_derivative, digamma, powers, recip_gamma,
    second_differences_of_powers, second_differences_of_powers_derivative,
};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;

/// A fractional derivative or integral of samples at equal steps from the first sample on, as causal
/// weights that are computed again whenever the order has changed.
///
/// All are those of `hpfracc-operators`, where their accuracy is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum FractionalScheme {
    /// The derivative of Grünwald and Letnikov, which is that of Riemann and Liouville:
    ///
    /// ```text
    /// D^alpha f(t_n) = h^-alpha sum_{k<=n} (-1)^k C(alpha, k) f_{n-k}
    /// ```
    ///
    /// -20 <= alpha <= 20; negative orders are integrals. At 0 it is f, at 1 the backward difference with
    /// f = 0 before the first sample.
    #[default]
    GrunwaldLetnikov,
    /// Caputo's derivative by the scheme L1:
    ///
    /// ```text
    /// D^alpha f(t_n) = h^-alpha/Gamma(2-alpha) sum_{j<n} ((j+1)^(1-alpha) - j^(1-alpha)) (f_{n-j} - f_{n-1-j})
    /// ```
    ///
    /// 0 <= alpha <= 1; of constants it is 0. The ends are the limits, f - f_0 and the backward difference.
    CaputoL1,
    /// The integral of Riemann and Liouville of what is linear between the samples.
    ///
    /// 0 <= alpha <= 20; at 0 it is f. At the first sample it is 0 for any alpha > 0.
    IntegralTrapezoid,
}

/// Numbers by lag, and what of them is for the first sample, by time.
pub(super) struct Numbers<'a> {
    /// Weights, which meet samples or their differences from the first one.
    pub(super) weights: &'a mut [f64],
    /// What is made of a constant, where the weights meet differences.
    pub(super) of_one: &'a mut [f64],
}

impl FractionalScheme {
    /// The orders for which it is defined.
    pub(super) fn range(self) -> RangeInclusive<f64> {
        match self {
            Self::GrunwaldLetnikov => -20.0..=20.0,
            Self::CaputoL1 => 0.0..=1.0,
            Self::IntegralTrapezoid => 0.0..=20.0,
        }
    }

    /// Whether the weights meet differences from the first sample: constants then go through without
    /// rounding, and what they become is known.
    pub(super) fn counts_from_first(self) -> bool {
        self != Self::GrunwaldLetnikov
    }

    /// The scheme L1 is the trapezoidal rule for an integral of the order -alpha, without constants.
    fn integral(self, alpha: f64) -> f64 {
        if self == Self::CaputoL1 { -alpha } else { alpha }
    }

    /// The numbers for an order and a step.
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

    /// Their derivatives in the order. `work` is as long as the weights.
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
                    // t^alpha at the start is 0 for every order but 0.
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
