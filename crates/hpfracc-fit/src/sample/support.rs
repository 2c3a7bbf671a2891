use super::SampleError;
use libm::{exp, log, log1p};
use serde::{Deserialize, Serialize};

/// The interval of a parameter in which the density is positive.
///
/// A bounded parameter is sampled in an unbounded variable x, and the density is multiplied by
/// d theta/dx, so that the distribution of theta is the given one.
///
/// | support | theta | d theta/dx |
/// |---|---|---|
/// | real | x | 1 |
/// | above a | a + exp(x) | exp(x) |
/// | below b | b - exp(-x) | exp(-x) |
/// | between a and b | a + (b - a) s, s = 1 / (1 + exp(-x)) | (b - a) s (1 - s) |
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Support {
    /// All real numbers.
    #[default]
    Real,
    /// All numbers above this one.
    Above(f64),
    /// All numbers below this one.
    Below(f64),
    /// All numbers between these two.
    Between(f64, f64),
}

/// A parameter as a function of its unbounded variable x.
pub(super) struct Bounded {
    pub(super) theta: f64,
    /// d theta/dx.
    pub(super) slope: f64,
    /// ln(d theta/dx).
    pub(super) log_slope: f64,
    /// d/dx of `log_slope`.
    pub(super) log_slope_rate: f64,
}

impl Support {
    /// The unbounded variable of a number inside; `index` is the number of the parameter in errors.
    pub(super) fn unbounded(self, index: usize, theta: f64) -> Result<f64, SampleError> {
        let (lower, upper) = self.bounds();
        let interval = lower < upper && lower != f64::INFINITY && upper != f64::NEG_INFINITY;
        if !interval {
            return Err(SampleError::Bounds { index, lower, upper });
        }
        if !(lower < theta && theta < upper) {
            return Err(SampleError::Outside { index, theta, lower, upper });
        }
        let x = match self {
            Self::Real => theta,
            Self::Above(lower) => log(theta - lower),
            Self::Below(upper) => -log(upper - theta),
            Self::Between(lower, upper) => log(theta - lower) - log(upper - theta),
        };
        if x.is_finite() { Ok(x) } else { Err(SampleError::Bounds { index, lower, upper }) }
    }

    fn bounds(self) -> (f64, f64) {
        match self {
            Self::Real => (f64::NEG_INFINITY, f64::INFINITY),
            Self::Above(lower) => (lower, f64::INFINITY),
            Self::Below(upper) => (f64::NEG_INFINITY, upper),
            Self::Between(lower, upper) => (lower, upper),
        }
    }

    pub(super) fn at(self, x: f64) -> Bounded {
        let exponential = |theta: f64, slope: f64, sign: f64| Bounded {
            theta,
            slope,
            log_slope: sign * x,
            log_slope_rate: sign,
        };
        match self {
            Self::Real => Bounded { theta: x, slope: 1.0, log_slope: 0.0, log_slope_rate: 0.0 },
            Self::Above(lower) => exponential(lower + exp(x), exp(x), 1.0),
            Self::Below(upper) => exponential(upper - exp(-x), exp(-x), -1.0),
            Self::Between(lower, upper) => {
                // e and the smaller of s and 1 - s, so that neither end loses digits.
                let (width, e) = (upper - lower, exp(-x.abs()));
                let small = e / (1.0 + e);
                let theta = if x < 0.0 { lower + width * small } else { upper - width * small };
                let log_slope = log(width) - x.abs() - 2.0 * log1p(e);
                let slope = width * small / (1.0 + e);
                let log_slope_rate = (1.0 - 2.0 * small) * if x < 0.0 { 1.0 } else { -1.0 };
                Bounded { theta, slope, log_slope, log_slope_rate }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ALL: [Support; 4] =
        [Support::Real, Support::Above(-1.0), Support::Below(5.0), Support::Between(-1.0, 5.0)];

    #[test]
    fn a_parameter_and_its_variable_are_inverse() {
        for support in ALL {
            for theta in [-0.999, -0.3, 0.0, 2.0, 4.9] {
                let x = support.unbounded(0, theta).unwrap();
                let found = support.at(x).theta;
                assert!((found - theta).abs() < 1e-14, "{support:?}: {theta}, {found}");
            }
        }
    }

    #[test]
    fn slopes_are_derivatives() {
        const H: f64 = 1e-5;
        for support in ALL {
            for x in [-3.0, -0.5, 0.0, 0.4, 2.5] {
                let [below, at, above] = [x - H, x, x + H].map(|x| support.at(x));
                let slope = (above.theta - below.theta) / (2.0 * H);
                assert!((at.slope - slope).abs() < 1e-8, "{support:?}, {x}");
                assert!((at.log_slope - log(at.slope)).abs() < 1e-13, "{support:?}, {x}");
                let rate = (above.log_slope - below.log_slope) / (2.0 * H);
                assert!((at.log_slope_rate - rate).abs() < 1e-8, "{support:?}, {x}");
            }
        }
    }
}
