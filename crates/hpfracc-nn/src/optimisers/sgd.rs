use super::step::Step;
use crate::checks::in_range;
use crate::kernels::vectorised;
use crate::{OutOfRange, Scalar};
use serde::{Deserialize, Serialize};

/// Stochastic gradient descent with momentum:
///
/// ```text
/// v = momentum v + g
/// theta = theta - rate v,   with Nesterov's: theta - rate (g + momentum v)
/// ```
///
/// Shapes: theta, g and v have one number for each parameter; without momentum there is no v.
///
/// Cost for each parameter and step: one or two multiply-adds, memory-bound.
///
/// Source: Sutskever, Martens, Dahl and Hinton, ICML (2013), with the rate outside v, so that a
/// schedule acts on the whole step; Nesterov's variant in the form of Bengio, Boulanger-Lewandowski
/// and Pascanu, arXiv:1212.0901, section 3.5.
///
/// ```
/// use hpfracc_nn::{Optimiser, Sgd};
///
/// let optimiser = Optimiser::Sgd(Sgd { momentum: 0.9, nesterov: true });
/// let mut state = optimiser.state::<f64>(2)?;
/// let mut theta = [1.0, -1.0];
/// state.step(0.1, &mut theta, &[2.0, -2.0])?;
/// assert!(theta[0] < 1.0 && theta[1] > -1.0);
/// # Ok::<(), hpfracc_nn::OptimiserError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sgd {
    /// Decay factor of v, in [0, 1).
    #[serde(default)]
    pub momentum: f64,
    /// Nesterov momentum: the gradient at the look-ahead point.
    #[serde(default)]
    pub nesterov: bool,
}

impl Sgd {
    pub(super) fn remembered(&self, parameters: usize) -> usize {
        if self.momentum == 0.0 { 0 } else { parameters }
    }

    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let within = (0.0..1.0).contains(&self.momentum);
        in_range(within, "momentum", self.momentum, "0 <= momentum < 1")
    }

    pub(super) fn step<T: Scalar>(&self, step: Step<'_, T>) {
        descend(*self, step);
    }
}

vectorised! {
    fn descend<'a, T>(of: Sgd, step: Step<'a, T>) {
        let Step { rate, theta, gradient, values, .. } = step;
        let (rate, momentum) = (T::narrow(rate), T::narrow(of.momentum));
        let pairs = theta.iter_mut().zip(gradient);
        if values.is_empty() {
            pairs.for_each(|(theta, g)| *theta -= rate * *g);
        } else if of.nesterov {
            for ((theta, g), v) in pairs.zip(values) {
                *v = momentum * *v + *g;
                *theta -= rate * (*g + momentum * *v);
            }
        } else {
            for ((theta, g), v) in pairs.zip(values) {
                *v = momentum * *v + *g;
                *theta -= rate * *v;
            }
        }
    }
}
