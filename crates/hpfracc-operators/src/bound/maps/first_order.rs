//! One exponential by its recurrence, vectorised over windows of samples.
//!
//! `z[j] = (1-r) z[j-1] + s[j]` step by step is limited by the latency of each product. Sums over
//! windows of a register's L lanes, `w[j] = sum_{i<L} (1-r)^i s[j-i]`, are computed in registers by
//! doubling: from one sample to two, four, eight. Then `z[j] = w[j] + (1-r)^L z[j-L]`, which are L
//! recurrences side by side. The decay over L steps has a second part with its rounding error: a
//! slow decay would lose its digits without it.

use super::signal_map::{Call, Direction, SignalMap, fit};
use crate::error::fits;
use crate::{FirstOrder, Result};
use hpfracc_backend::Shape;
use hpfracc_lanes::{LONGEST, Lanes};
use hpfracc_types::Real;
use pulp::{Arch, Simd, WithSimd};
use std::any::Any;

/// The map in the scalar type, which is one of the two with registers.
pub(super) fn bind<T: Real>(map: &FirstOrder) -> Result<Box<dyn SignalMap<T>>> {
    fn any<L: Lanes, T: Real>(map: &FirstOrder) -> Result<Option<Box<dyn SignalMap<T>>>> {
        let bound: Box<dyn SignalMap<L>> = Box::new(BoundFirstOrder::<L>::new(map)?);
        let bound: Box<dyn Any> = Box::new(bound);
        Ok(bound.downcast::<Box<dyn SignalMap<T>>>().ok().map(|bound| *bound))
    }
    let bound = if T::NAME == f64::NAME { any::<f64, T>(map)? } else { any::<f32, T>(map)? };
    Ok(bound.expect("`Real` is f32 or f64 and nothing else"))
}

struct BoundFirstOrder<T> {
    n: usize,
    direct: T,
    slope: T,
    level: T,
    start: T,
    /// ln(1-r); of r = 1 minus infinity, and nothing is left.
    ln_decay: f64,
}

impl<T: Lanes> BoundFirstOrder<T> {
    fn new(map: &FirstOrder) -> Result<Self> {
        fits("the length of a recurrence", map.n, map.n.max(1))?;
        let ln_decay = (-map.rate).ln_1p();
        // The decay over 16 samples too: of a rate above 1 it is NaN, of one far below 0 infinite.
        fit::<T>(&[map.direct, map.slope, map.level, map.start, (16.0 * ln_decay).exp()])?;
        let [direct, slope, level, start] =
            [map.direct, map.slope, map.level, map.start].map(T::narrow);
        Ok(Self { n: map.n, direct, slope, level, start, ln_decay })
    }

    /// Signals forward in time. With `SLOPE` the map has no weight but that of the difference.
    #[inline(always)]
    fn forward<S: Simd, const SLOPE: bool>(&self, simd: S, x: &[T], y: &mut [T]) {
        let lanes = T::count::<S>();
        let mut scan = Scan::<T, S, false>::new(simd, self.ln_decay);
        let factors = [self.direct, self.slope, self.level];
        let factors = factors.map(|value| T::splat(simd, value));
        let (first, later) = y.split_at_mut(until_a_register::<T, S>(y).min(x.len()));
        let (registers, rest) = later.split_at_mut(later.len() / lanes * lanes);
        let (now, before) = (&x[first.len()..], &x[first.len() - 1..]);
        scan.part::<SLOPE>(
            simd,
            factors,
            Some(self.start * x[0]),
            [x, &x[..first.len() - 1]],
            first,
        );
        let each = now.chunks_exact(lanes).zip(before.chunks_exact(lanes));
        for (y, (now, before)) in registers.chunks_exact_mut(lanes).zip(each) {
            let signal = [T::load::<S>(now), T::load::<S>(before)];
            let z = scan.inputs::<SLOPE>(simd, factors, signal);
            let z = scan.next(simd, z);
            T::store::<S>(y, if SLOPE { z } else { T::fused(simd, factors[0], signal[0], z) });
        }
        let signal = [now, before].map(|x| &x[registers.len()..]);
        scan.part::<SLOPE>(simd, factors, None, signal, rest);
    }

    /// The states run backwards: `g[n] = (1-r) g[n+1] + y[n]`, and `x[n]` has what f\[n\] gives to
    /// s\[n\] and s\[n+1\].
    #[inline(always)]
    fn backward<S: Simd, const SLOPE: bool>(&self, simd: S, y: &[T], x: &mut [T]) {
        let lanes = T::count::<S>();
        let mut scan = Scan::<T, S, true>::new(simd, self.ln_decay);
        let factors = [self.direct, self.slope, self.level];
        let factors = factors.map(|value| T::splat(simd, value));
        let (first, later) = x.split_at_mut(until_a_register::<T, S>(x).min(x.len()));
        let (y_first, y_later) = y.split_at(first.len());
        let (registers, rest) = later.split_at_mut(later.len() / lanes * lanes);
        let (y_registers, y_rest) = y_later.split_at(registers.len());
        scan.part::<SLOPE>(simd, factors, 0, y_rest, rest);
        let each = registers.chunks_exact_mut(lanes).zip(y_registers.chunks_exact(lanes));
        for (x, y) in each.rev() {
            let x_here = scan.gradient::<SLOPE>(simd, factors, T::load::<S>(y))[0];
            T::store::<S>(x, x_here);
        }
        let lane = lanes - first.len();
        let [_, g, next] = scan.part::<SLOPE>(simd, factors, lane, y_first, first);
        let [mut here, mut after] = [[T::zero(); LONGEST]; 2];
        T::store::<S>(&mut here[..lanes], g);
        T::store::<S>(&mut after[..lanes], next);
        let (g, next) = (here[lane], after[lane]);
        x[0] = self.direct * y[0] + self.start * g + (self.level - self.slope) * next;
    }
}

/// Samples until a register would begin at a multiple of its size, at least one: registers that
/// straddle two cache lines take twice as long to write.
fn until_a_register<T: Lanes, S: Simd>(samples: &[T]) -> usize {
    let lanes = T::count::<S>();
    match samples.as_ptr().align_offset(lanes * size_of::<T>()) % lanes {
        0 => lanes,
        samples => samples,
    }
}

/// Doublings of a window up to the longest register.
const DOUBLINGS: usize = 4;

/// The states of the recurrence, a register at a time, forwards or backwards in time.
struct Scan<T: Lanes, S: Simd, const BACKWARD: bool> {
    /// (1-r) to the powers 1, 2, 4, 8.
    decays: [T::Vector<S>; DOUBLINGS],
    /// (1-r)^L, and its rounding error times itself.
    decay: T::Vector<S>,
    rest: T::Vector<S>,
    /// Of the register before, its windows of 1, 2, 4, 8 samples with their lanes moved by as many.
    moved: [T::Vector<S>; DOUBLINGS],
    /// The states of the last two registers.
    states: [T::Vector<S>; 2],
}

impl<T: Lanes, S: Simd, const BACKWARD: bool> Scan<T, S, BACKWARD> {
    #[inline(always)]
    fn new(simd: S, ln_decay: f64) -> Self {
        let zero = T::splat(simd, T::zero());
        let mut decays = [zero; DOUBLINGS];
        for (k, decay) in decays.iter_mut().enumerate() {
            *decay = T::splat(simd, T::narrow((f64::from(1 << k) * ln_decay).exp()));
        }
        let all = T::count::<S>() as f64 * ln_decay;
        let decay = T::narrow(all.exp());
        // The decay is 1 + expm1; a fast one needs no second part.
        let rest = (1.0 - decay.widen()) + all.exp_m1();
        let rest = T::splat(simd, T::narrow(rest * decay.widen()));
        Self {
            decays,
            decay: T::splat(simd, decay),
            rest,
            moved: [zero; DOUBLINGS],
            states: [zero; 2],
        }
    }

    /// The states after a register of inputs.
    #[inline(always)]
    fn next(&mut self, simd: S, inputs: T::Vector<S>) -> T::Vector<S> {
        let mut sums = inputs;
        for k in 0..DOUBLINGS {
            if 1 << k < T::count::<S>() {
                let shifted = Self::shifted(simd, &mut self.moved[k], sums, 1 << k);
                sums = T::fused(simd, self.decays[k], shifted, sums);
            }
        }
        // The second part takes the state before the last, decayed once: it is small, and need not
        // wait for the last.
        let [before, last] = self.states;
        let state = T::fused(simd, self.decay, last, T::fused(simd, self.rest, before, sums));
        self.states = [last, state];
        state
    }

    /// The values `by` samples before those of a register, or after them if time runs backwards.
    /// `moved` has the lanes of the register before, and receives those of this.
    #[inline(always)]
    fn shifted(simd: S, moved: &mut T::Vector<S>, now: T::Vector<S>, by: usize) -> T::Vector<S> {
        let others = T::count::<S>() - by;
        let now = T::rotated(simd, now, if BACKWARD { others } else { by });
        let before = std::mem::replace(moved, now);
        if BACKWARD {
            T::joined(simd, others, now, before)
        } else {
            T::joined(simd, by, before, now)
        }
    }
}

impl<T: Lanes, S: Simd> Scan<T, S, false> {
    /// What samples add to z, from them and those before them.
    #[inline(always)]
    fn inputs<const SLOPE: bool>(
        &self,
        simd: S,
        [_, slope, level]: [T::Vector<S>; 3],
        [now, before]: [T::Vector<S>; 2],
    ) -> T::Vector<S> {
        let change = T::product(simd, slope, T::difference(simd, now, before));
        if SLOPE { change } else { T::fused(simd, level, before, change) }
    }

    /// At most a register. That of the first sample, which adds `start`, has zeros in its leading
    /// lanes, so that the following begin at its end.
    #[inline(always)]
    fn part<const SLOPE: bool>(
        &mut self,
        simd: S,
        factors: [T::Vector<S>; 3],
        start: Option<T>,
        [now, before]: [&[T]; 2],
        y: &mut [T],
    ) {
        let (lanes, len) = (T::count::<S>(), y.len());
        let lane = if start.is_some() { lanes - len } else { 0 };
        let end = lane + len;
        let [mut padded, mut shifted, mut inputs, mut results] = [[T::zero(); LONGEST]; 4];
        padded[lane..end].copy_from_slice(&now[..len]);
        // Before the first sample there is none.
        let first = lane + usize::from(start.is_some());
        shifted[first.min(end)..end].copy_from_slice(&before[..end - first.min(end)]);
        let signal = [&padded, &shifted].map(|samples| T::load::<S>(&samples[..lanes]));
        T::store::<S>(&mut inputs[..lanes], self.inputs::<SLOPE>(simd, factors, signal));
        if let Some(start) = start {
            inputs[lane] = start;
        }
        let z = self.next(simd, T::load::<S>(&inputs[..lanes]));
        let result = if SLOPE { z } else { T::fused(simd, factors[0], signal[0], z) };
        T::store::<S>(&mut results[..lanes], result);
        y.copy_from_slice(&results[lane..end]);
    }
}

impl<T: Lanes, S: Simd> Scan<T, S, true> {
    /// `direct y + slope (g[n] - g[n+1]) + level g[n+1]`, then g\[n\] and g\[n+1\]. With `SLOPE` the
    /// other weights are zero.
    #[inline(always)]
    fn gradient<const SLOPE: bool>(
        &mut self,
        simd: S,
        [direct, slope, level]: [T::Vector<S>; 3],
        y: T::Vector<S>,
    ) -> [T::Vector<S>; 3] {
        let mut after = T::rotated(simd, self.states[1], T::count::<S>() - 1);
        let g = self.next(simd, y);
        let next = Self::shifted(simd, &mut after, g, 1);
        let change = T::product(simd, slope, T::difference(simd, g, next));
        if SLOPE {
            return [change, g, next];
        }
        [T::fused(simd, direct, y, T::fused(simd, level, next, change)), g, next]
    }

    /// At most a register, whose samples begin at a lane.
    #[inline(always)]
    fn part<const SLOPE: bool>(
        &mut self,
        simd: S,
        factors: [T::Vector<S>; 3],
        lane: usize,
        y: &[T],
        x: &mut [T],
    ) -> [T::Vector<S>; 3] {
        let lanes = T::count::<S>();
        let [mut padded, mut results] = [[T::zero(); LONGEST]; 2];
        padded[lane..lane + y.len()].copy_from_slice(y);
        let all = self.gradient::<SLOPE>(simd, factors, T::load::<S>(&padded[..lanes]));
        T::store::<S>(&mut results[..lanes], all[0]);
        x.copy_from_slice(&results[lane..lane + y.len()]);
        all
    }
}

impl<T: Lanes> SignalMap<T> for BoundFirstOrder<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.n)
    }

    fn run(&self, Call { direction, from, to, .. }: Call<'_, T>) -> Result<()> {
        Arch::new().dispatch(Pass { map: self, direction, from, to });
        Ok(())
    }
}

/// All signals, compiled for the instructions that the machine has.
struct Pass<'a, T> {
    map: &'a BoundFirstOrder<T>,
    direction: Direction,
    from: &'a [T],
    to: &'a mut [T],
}

impl<T: Lanes> WithSimd for Pass<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (n, zero) = (self.map.n, T::zero());
        for (from, to) in self.from.chunks_exact(n).zip(self.to.chunks_exact_mut(n)) {
            match (self.direction, self.map.direct == zero && self.map.level == zero) {
                (Direction::Forward, true) => self.map.forward::<S, true>(simd, from, to),
                (Direction::Forward, false) => self.map.forward::<S, false>(simd, from, to),
                (Direction::Transposed, true) => self.map.backward::<S, true>(simd, from, to),
                (Direction::Transposed, false) => self.map.backward::<S, false>(simd, from, to),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Both directions by the formula, sample by sample.
    fn formula(map: &FirstOrder, x: &[f64]) -> [Vec<f64>; 2] {
        let n = x.len();
        let (mut y, mut gradient) = (vec![0.0; n], vec![0.0; n]);
        let mut z = 0.0;
        for k in 0..n {
            z = match k.checked_sub(1).map(|before| x[before]) {
                Some(before) => z - map.rate * z + map.slope * (x[k] - before) + map.level * before,
                None => map.start * x[0],
            };
            y[k] = map.direct * x[k] + z;
        }
        let mut g = 0.0;
        for k in (0..n).rev() {
            let next = g;
            g = g - map.rate * g + x[k];
            gradient[k] = map.direct * x[k] + (map.level - map.slope) * next;
            gradient[k] += g * if k == 0 { map.start } else { map.slope };
        }
        [y, gradient]
    }

    fn check<T: Lanes, S: Simd>(simd: S, eps: f64) {
        for n in (1..40).chain([1000]) {
            for (direct, level) in [(0.0, 0.0), (0.5, -0.7)] {
                let map = FirstOrder { n, direct, rate: 0.3, slope: 2.0, level, start: 1.5 };
                let bound = BoundFirstOrder::<T>::new(&map).unwrap();
                let x: Vec<f64> = (0..n).map(|k| ((3 * k + 1) as f64).sin()).collect();
                let from: Vec<T> = x.iter().copied().map(T::narrow).collect();
                let directions = [Direction::Forward, Direction::Transposed];
                for (direction, expected) in directions.into_iter().zip(formula(&map, &x)) {
                    let mut to = vec![T::zero(); n];
                    simd.vectorize(Pass { map: &bound, direction, from: &from, to: &mut to });
                    for (found, expected) in to.iter().zip(expected) {
                        let error = (found.widen() - expected).abs();
                        assert!(error < 30.0 * eps, "{n} {level} {direction:?}: {error:e}");
                    }
                }
            }
        }
    }

    #[test]
    fn every_instruction_set_computes_the_recurrence() {
        check::<f64, _>(pulp::Scalar, f64::EPSILON);
        check::<f32, _>(pulp::Scalar, f64::from(f32::EPSILON));
        #[cfg(target_arch = "x86_64")]
        {
            if let Some(simd) = pulp::x86::V3::try_new() {
                check::<f64, _>(simd, f64::EPSILON);
                check::<f32, _>(simd, f64::from(f32::EPSILON));
            }
            if let Some(simd) = pulp::x86::V4::try_new() {
                check::<f64, _>(simd, f64::EPSILON);
                check::<f32, _>(simd, f64::from(f32::EPSILON));
            }
        }
    }
}
