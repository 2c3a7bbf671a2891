//! Sums of exponentials as causal sums: a state for each exponential.

use crate::Lanes;
use hpfracc_types::Real;

/// Weights `w_m = sum_k factor_k (1 - loss_k)^(m-1)`, m >= 1, over rows of lanes.
#[derive(Debug, Clone)]
pub struct ExponentialRows<T> {
    losses: Vec<T>,
    factors: Vec<T>,
}

impl<T: Real> ExponentialRows<T> {
    /// The losses `1 - decay` of the exponentials in a step and their factors, rounded once.
    pub fn new(losses: impl Iterator<Item = f64>, factors: impl Iterator<Item = f64>) -> Self {
        Self { losses: losses.map(T::narrow).collect(), factors: factors.map(T::narrow).collect() }
    }

    /// Number of exponentials: rows of a tile's state.
    #[must_use]
    pub fn rows(&self) -> usize {
        self.losses.len()
    }

    /// Loss and factor of each exponential.
    pub fn losses_and_factors(&self) -> impl Iterator<Item = (T, T)> {
        self.losses.iter().copied().zip(self.factors.iter().copied())
    }

    /// Writes `sum_{m >= 1} w_m u[n-m]` to `sum` and appends `u`.
    ///
    /// Most lanes go 64 at a time, so that the sums of the exponentials stay in registers.
    #[inline(always)]
    pub fn step(&self, states: &mut [T], u: &[T], sum: &mut [T]) {
        let mut lane = 0;
        while lane + 64 <= u.len() {
            self.step_lanes::<64>(states, lane, u, sum);
            lane += 64;
        }
        while lane + 16 <= u.len() {
            self.step_lanes::<16>(states, lane, u, sum);
            lane += 16;
        }
        for lane in lane..u.len() {
            self.step_lanes::<1>(states, lane, u, sum);
        }
    }

    /// `z <- z + (u - loss z)`, which loses nothing where the loss is tiny.
    #[inline(always)]
    fn step_lanes<const W: usize>(&self, states: &mut [T], lane: usize, u: &[T], sum: &mut [T]) {
        let lanes = u.len();
        let (mut now, mut total) = ([T::zero(); W], [T::zero(); W]);
        now.copy_from_slice(&u[lane..lane + W]);
        for (k, (loss, factor)) in self.losses.iter().zip(&self.factors).enumerate() {
            let row = &mut states[k * lanes + lane..][..W];
            for ((z, u), total) in row.iter_mut().zip(&now).zip(&mut total) {
                *total += *factor * *z;
                *z += *u - *loss * *z;
            }
        }
        sum[lane..lane + W].copy_from_slice(&total);
    }
}

dispatched! {
    /// `state[k] = decay[k] (state[k] + value)`: one series, a state for each exponential.
    pub fn decay_sum<'a, T: Lanes>(simd: S, decay: &'a [T], value: T, state: &'a mut [T]) {
        let (decay, decay_rest) = T::registers::<S>(decay);
        let (state, state_rest) = T::registers_mut::<S>(state);
        let all = T::splat(simd, value);
        for (state, decay) in state.iter_mut().zip(decay) {
            *state = T::product(simd, *decay, T::sum(simd, *state, all));
        }
        for (state, decay) in state_rest.iter_mut().zip(decay_rest) {
            *state = *decay * (*state + value);
        }
    }
}

dispatched! {
    /// `state[k] = decay[k] state[k] + other[k]`, fused where the instruction set is.
    pub fn decay_add<'a, T: Lanes>(simd: S, decay: &'a [T], other: &'a [T], state: &'a mut [T]) {
        let (decay, decay_rest) = T::registers::<S>(decay);
        let (other, other_rest) = T::registers::<S>(other);
        let (state, state_rest) = T::registers_mut::<S>(state);
        for ((state, decay), other) in state.iter_mut().zip(decay).zip(other) {
            *state = T::fused(simd, *decay, *state, *other);
        }
        for ((state, decay), other) in state_rest.iter_mut().zip(decay_rest).zip(other_rest) {
            *state = *decay * *state + *other;
        }
    }
}
