use super::Adam;
use super::step::Step;
use crate::checks::in_range;
use crate::kernels::{lanes, vectorised, write};
use crate::{OutOfRange, Scalar};
use hpfracc_special::binomial_weights;
use serde::{Deserialize, Serialize};

/// [`Adam`] whose moments have power-law memory: a Grünwald-Letnikov difference of order alpha
/// replaces the first difference `m_t - m_(t-1)` in the equation of each moment,
///
/// ```text
/// sum_(j=0)^K w_j m_(t-j) = (1 - beta1) (g_t - m_(t-1)),      w_j = (-1)^j binomial(alpha, j),
/// ```
///
/// and likewise v with beta2 and g^2. Solved for m_t: the new gradient has the weight `1 - beta1`,
/// the previous moment `alpha - 1 + beta1`, and the moments of j >= 2 steps ago `-w_j`, which decay
/// as `j^(-1-alpha)`. Both moments are divided by the sum of their weights of all gradients so far,
/// so that equal gradients g give m = g and v = g^2 from the first step on; then
///
/// ```text
/// theta = theta - rate M/(sqrt V + epsilon).
/// ```
///
/// At alpha = 1 all weights of j >= 2 are zero and the sums are `1 - beta^t`: the rule is [`Adam`].
///
/// Range: `1 - min(beta1, beta2) <= alpha <= 1`, where no weight is negative, and `memory` K from 1
/// to 1000.
///
/// Shapes: theta and g have one number for each parameter, the state 2 K.
///
/// Cost for each parameter and step: 2 K multiply-adds, reading 2 K numbers.
///
/// Source: Kan, Gao, Yang and Jian, Neurocomputing 449, 85-99 (2021), DOI 10.1016/j.neucom.2021.03.075,
/// who replace the differences of momentum and of Adam by fractional ones of about ten terms. The division by
/// the sums of weights is specific to this implementation: `1 - beta^t` would be too large or too small at
/// other orders.
///
/// ```
/// use hpfracc_nn::{FractionalAdam, Optimiser};
///
/// let optimiser = Optimiser::FractionalAdam(FractionalAdam::default());
/// let mut state = optimiser.state::<f64>(2)?;
/// let mut theta = [1.0, -1.0];
/// state.step(0.1, &mut theta, &[2.0, -2.0])?;
/// assert!(theta[0] < 1.0 && theta[1] > -1.0);
/// # Ok::<(), hpfracc_nn::OptimiserError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct FractionalAdam {
    /// The order of the differences.
    pub alpha: f64,
    /// Number of remembered moments K.
    pub memory: usize,
    /// One minus the weight of a new gradient in the mean, in [0, 1).
    pub beta1: f64,
    /// One minus the weight of a new gradient in the mean square, in [0, 1).
    pub beta2: f64,
    /// Added to the root; in [1e-30, 1], and at least 1.1e-19 in `f32`.
    pub epsilon: f64,
}

impl Default for FractionalAdam {
    fn default() -> Self {
        let Adam { beta1, beta2, epsilon, .. } = Adam::default();
        Self { alpha: 0.9, memory: 10, beta1, beta2, epsilon }
    }
}

/// Largest number of remembered moments.
const LONGEST: usize = 1000;

impl FractionalAdam {
    /// Slots of both moments, each with a number for every parameter and one more, the sum of the
    /// weights: the moment of a constant gradient 1.
    pub(super) fn remembered(&self, parameters: usize) -> usize {
        parameters.saturating_add(1).saturating_mul(self.memory).saturating_mul(2)
    }

    pub(super) fn moments(&self) -> Adam {
        let Self { beta1, beta2, epsilon, .. } = *self;
        Adam { beta1, beta2, epsilon, decay: 0.0 }
    }

    pub(super) fn check(&self) -> Result<(), OutOfRange> {
        let Self { alpha, memory, beta1, beta2, .. } = *self;
        self.moments().check()?;
        let within = alpha >= 1.0 - beta1.min(beta2) && alpha <= 1.0;
        in_range(within, "alpha", alpha, "1 - min(beta1, beta2) <= alpha <= 1")?;
        let within = (1..=LONGEST).contains(&memory);
        in_range(within, "memory", memory, "1 <= memory <= 1000")
    }

    /// Weights of the moments 1, 2, ..., K steps ago.
    fn weights<T: Scalar>(&self, beta: f64) -> [T; LONGEST] {
        let mut binomials = [0.0; LONGEST + 1];
        binomial_weights(self.alpha, &mut binomials[..=self.memory]);
        // Exactly beta at order 1.
        binomials[1] = if self.alpha == 1.0 { -beta } else { 1.0 - beta - self.alpha };
        std::array::from_fn(|j| T::narrow(-binomials[j + 1]))
    }

    pub(super) fn step<T: Scalar>(&self, step: Step<'_, T>) {
        let Step { rate, steps, theta, gradient, values } = step;
        let each = theta.len() + 1;
        let (means, squares) = values.split_at_mut(self.memory * each);
        let moment = |values, beta| Moment {
            values,
            each,
            newest: (steps % self.memory as u64) as usize,
            memory: self.memory,
            fresh: T::narrow(1.0 - beta),
            weights: self.weights(beta),
        };
        let moments = [moment(means, self.beta1), moment(squares, self.beta2)];
        update(moments, [rate, self.epsilon].map(T::narrow), theta, gradient);
    }
}

/// Parameters whose sums are in registers at a time.
const TOGETHER: usize = 32;

/// Ring buffer of slots: the newest replaces the oldest.
struct Moment<'a, T> {
    values: &'a mut [T],
    each: usize,
    newest: usize,
    memory: usize,
    fresh: T,
    weights: [T; LONGEST],
}

impl<T: Scalar> Moment<'_, T> {
    /// Writes and returns the moments of a few parameters from `at`, given their new gradients.
    #[inline(always)]
    fn advance(&mut self, at: usize, count: usize, new: [T; TOGETHER]) -> [T; TOGETHER] {
        let mut sums = new.map(|new| self.fresh * new);
        for j in 1..=self.memory {
            let wrapped = if j > self.newest { self.memory } else { 0 };
            let slot = self.newest + wrapped - j;
            let weight = self.weights[j - 1];
            let earlier = lanes::<T, TOGETHER>(&self.values[slot * self.each + at..], count);
            for l in 0..TOGETHER {
                sums[l] += weight * earlier[l];
            }
        }
        write(&mut self.values[self.newest * self.each + at..], count, &sums);
        sums
    }

    /// Reciprocal of the sum of the weights.
    fn correction(&mut self) -> T {
        T::one() / self.advance(self.each - 1, 1, [T::one(); TOGETHER])[0]
    }
}

vectorised! {
    /// Updates all parameters with their moments, mean and mean square.
    fn update<'a, T>(
        moments: [Moment<'a, T>; 2],
        settings: [T; 2],
        theta: &'a mut [T],
        gradient: &'a [T],
    ) {
        let ([mut mean, mut square], [rate, epsilon]) = (moments, settings);
        let (of_mean, of_square) = (mean.correction(), square.correction());
        let parts = theta.chunks_mut(TOGETHER).zip(gradient.chunks(TOGETHER));
        for (part, (theta, gradient)) in parts.enumerate() {
            let (at, count) = (part * TOGETHER, theta.len());
            let g = lanes::<T, TOGETHER>(gradient, count);
            let m = mean.advance(at, count, g);
            let v = square.advance(at, count, g.map(|g| g * g));
            for ((theta, m), v) in theta.iter_mut().zip(m).zip(v) {
                *theta -= rate * (m * of_mean / ((v * of_square).sqrt() + epsilon));
            }
        }
    }
}
