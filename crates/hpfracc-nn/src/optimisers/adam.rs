use super::step::{Step, below_one};
use crate::buffer_pool::alone;
use crate::checks::{in_range, not_negative};
use crate::kernels::vectorised;
use crate::{OutOfRange, Scalar};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};

/// Adam: the mean gradient over the root of the mean squared gradient, both exponentially averaged:
///
/// ```text
/// m = beta1 m + (1 - beta1) g,   v = beta2 v + (1 - beta2) g^2
/// theta = theta - rate (M/(sqrt V + epsilon) + decay theta),   M = m/(1 - beta1^t),   V = v/(1 - beta2^t)
/// ```
///
/// at step t = 1, 2, ..., with the theta before the step on the right; powers in double precision.
/// With a positive decay it is AdamW: decoupled weight decay of all parameters.
///
/// Shapes: theta, g, m and v have one number for each parameter.
///
/// Cost for each parameter and step: about ten operations with a square root and a division,
/// memory-bound; on several threads above 16384 parameters.
///
/// Source: Kingma and Ba, ICLR (2015), arXiv:1412.6980, algorithm 1; for the decay Loshchilov and
/// Hutter, ICLR (2019), arXiv:1711.05101, algorithm 2: the rate is their alpha times their schedule
/// multiplier, `decay` is their lambda over alpha.
///
/// ```
/// use hpfracc_nn::{Adam, Optimiser};
///
/// let optimiser = Optimiser::Adam(Adam { decay: 0.01, ..Adam::default() });
/// let mut state = optimiser.state::<f64>(2)?;
/// let mut theta = [1.0, -1.0];
/// state.step(0.1, &mut theta, &[2.0, -2.0])?;
/// assert!(theta[0] < 1.0 && theta[1] > -1.0);
/// # Ok::<(), hpfracc_nn::OptimiserError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Adam {
    /// Decay factor of the mean, in [0, 1).
    pub beta1: f64,
    /// Decay factor of the mean square, in [0, 1).
    pub beta2: f64,
    /// Added to the root; in [1e-30, 1], and at least 1.1e-19 in `f32`.
    pub epsilon: f64,
    /// Decay of the parameters for each unit of the rate, not negative; 0 is none.
    pub decay: f64,
}

impl Default for Adam {
    fn default() -> Self {
        Self { beta1: 0.9, beta2: 0.999, epsilon: 1e-8, decay: 0.0 }
    }
}

impl Adam {
    pub(super) fn remembered(&self, parameters: usize) -> usize {
        parameters.saturating_mul(2)
    }

    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        for (what, beta) in [("beta1", self.beta1), ("beta2", self.beta2)] {
            in_range((0.0..1.0).contains(&beta), what, beta, "0 <= beta < 1")?;
        }
        let within = (1e-30..=1.0).contains(&self.epsilon);
        in_range(within, "epsilon", self.epsilon, "1e-30 <= epsilon <= 1")?;
        not_negative("decay", self.decay)
    }

    /// Checks the settings rounded to a scalar.
    pub(super) fn check_in<T: Scalar>(&self) -> Result<(), OutOfRange> {
        for (what, beta) in [("beta1", self.beta1), ("beta2", self.beta2)] {
            below_one::<T>(what, beta)?;
        }
        // The squares of smaller gradients underflow, and epsilon alone would divide them.
        let within = self.epsilon >= T::LEAST.sqrt();
        let expected = "at least the root of the least number of the scalar";
        in_range(within, "epsilon", self.epsilon, expected)
    }

    /// Updates all parameters, each independently: the same bits on any number of threads.
    pub(super) fn step<T: Scalar>(&self, step: Step<'_, T>) {
        let Step { rate, steps, theta, gradient, values } = step;
        let (settings, (m, v)) = ((*self, rate, steps), values.split_at_mut(theta.len()));
        if theta.len() <= PART || alone() {
            return update(settings, theta, gradient, (m, v));
        }
        let parts = theta.par_chunks_mut(PART).zip(gradient.par_chunks(PART));
        let parts = parts.zip(m.par_chunks_mut(PART)).zip(v.par_chunks_mut(PART));
        parts.for_each(|(((theta, gradient), m), v)| {
            update(settings, theta, gradient, (m, v));
        });
    }
}

/// `1 - beta^t`, the sum of the weights of a moment.
fn correction(beta: f64, t: u64) -> f64 {
    if beta == 0.0 { 1.0 } else { -f64::exp_m1(t as f64 * beta.ln()) }
}

/// Parameters of one task: enough to amortise waking a thread.
const PART: usize = 1 << 14;

vectorised! {
    /// Updates some parameters and their moments.
    fn update<'a, T>(
        settings: (Adam, f64, u64),
        theta: &'a mut [T],
        gradient: &'a [T],
        moments: (&'a mut [T], &'a mut [T]),
    ) {
        let ((of, rate, steps), (m, v)) = (settings, moments);
        let [beta1, beta2] = [of.beta1, of.beta2].map(T::narrow);
        let [fresh1, fresh2] = [1.0 - of.beta1, 1.0 - of.beta2].map(T::narrow);
        let [mean, square] = [of.beta1, of.beta2].map(|b| 1.0 / correction(b, steps + 1));
        let [mean, square] = [mean, square].map(T::narrow);
        let [rate, decay, epsilon] = [rate, of.decay, of.epsilon].map(T::narrow);
        for (((theta, g), m), v) in theta.iter_mut().zip(gradient).zip(m).zip(v) {
            *m = beta1 * *m + fresh1 * *g;
            *v = beta2 * *v + fresh2 * (*g * *g);
            let direction = *m * mean / ((*v * square).sqrt() + epsilon);
            *theta -= rate * (direction + decay * *theta);
        }
    }
}
