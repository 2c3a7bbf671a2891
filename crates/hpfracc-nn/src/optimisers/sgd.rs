use super::OptimiserError;
use super::step::Step;
use crate::Scalar;
use pulp::{Arch, Simd, WithSimd};
use serde::{Deserialize, Serialize};

/// Gradient descent with momentum:
///
/// ```text
/// v = momentum v + g
/// theta = theta - rate v,   with Nesterov's: theta - rate (g + momentum v)
/// ```
///
/// Without momentum nothing is remembered.
///
/// Source: Sutskever, Martens, Dahl and Hinton, ICML (2013), with the rate outside v as is usual, so
/// that a schedule acts on the whole step; Nesterov's in the form of Bengio, Boulanger-Lewandowski and
/// Pascanu, arXiv:1212.0901, section 3.5.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sgd {
    /// What is left of v after a step, 0 to below 1.
    #[serde(default)]
    pub momentum: f64,
    /// Whether the gradient is taken as if the momentum's step were already done.
    #[serde(default)]
    pub nesterov: bool,
}

impl Sgd {
    pub(super) fn remembered(&self, parameters: usize) -> usize {
        if self.momentum == 0.0 { 0 } else { parameters }
    }

    pub(super) fn check(&self) -> Result<(), OptimiserError> {
        let within = (0.0..1.0).contains(&self.momentum);
        OptimiserError::unless(within, "momentum", self.momentum, "0 <= momentum < 1")
    }

    pub(super) fn step<T: Scalar>(&self, arch: Arch, step: Step<'_, T>) {
        arch.dispatch(Descent { of: *self, step });
    }
}

struct Descent<'a, T> {
    of: Sgd,
    step: Step<'a, T>,
}

impl<T: Scalar> WithSimd for Descent<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Step { rate, theta, gradient, values, .. } = self.step;
        let (rate, momentum) = (T::narrow(rate), T::narrow(self.of.momentum));
        let pairs = theta.iter_mut().zip(gradient);
        if values.is_empty() {
            pairs.for_each(|(theta, g)| *theta -= rate * *g);
        } else if self.of.nesterov {
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
