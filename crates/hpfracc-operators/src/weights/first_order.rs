use super::Weights;
use crate::{Dual, Number};

/// A linear recurrence of first order, one pass over the samples:
///
/// ```text
/// y[n] = direct f[n] + z[n]
/// z[n] = (1 - rate) z[n-1] + slope (f[n] - f[n-1]) + level f[n-1],    z[0] = start f[0]
/// ```
///
/// The rate is stored because a rounded decay is not accurate enough: for `p >= 0`, `exp(-p)` has
/// the rate `-expm1(-p)`. Rates lie between 0 and 1; with 1 the recurrence has no memory.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FirstOrder<N = f64> {
    /// Number of samples.
    pub n: usize,
    /// Weight of the sample itself.
    pub direct: N,
    /// The fraction of z that decays in a step.
    pub rate: N,
    /// Weight of the difference.
    pub slope: N,
    /// Weight of the previous sample.
    pub level: N,
    /// Weight of the first sample in z.
    pub start: N,
}

impl<N: Number> FirstOrder<N> {
    /// Maps the entries in which the map is linear by `f`, the rate by `held`.
    pub(super) fn map<M>(self, f: impl Fn(N) -> M, held: impl Fn(N) -> M) -> FirstOrder<M> {
        let Self { n, direct, rate, slope, level, start } = self;
        FirstOrder {
            n,
            direct: f(direct),
            rate: held(rate),
            slope: f(slope),
            level: f(level),
            start: f(start),
        }
    }
}

impl FirstOrder<Dual> {
    /// With D the delay, `z = (1 - (1-r) D)^-1 s` and its derivative in r is `-D` times the same
    /// recurrence applied twice.
    pub(super) fn order_derivative(self) -> Weights {
        let linear = self.map(|x| x.derivative, |rate| rate.value);
        if self.rate.derivative == 0.0 {
            return linear.into();
        }
        let states = FirstOrder { direct: 0.0, ..self.map(|x| x.value, |rate| rate.value) };
        let level = -self.rate.derivative;
        let delayed = FirstOrder { slope: 0.0, level, start: 0.0, ..states };
        let twice = Weights::Product(vec![delayed.into(), states.into()]);
        Weights::Sum(vec![linear.into(), twice])
    }
}
