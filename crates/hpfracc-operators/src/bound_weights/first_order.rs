//! One exponential by its recurrence, in blocks.
//!
//! The state goes from sample to sample, and each step waits for the one before. A block's own part of the
//! states needs no state from outside: it is made of sums over 2, 4 and 8 samples, side by side in vector
//! registers, and only the state between blocks waits. What is lost of a state over j steps is kept as
//! 1 - (1-r)^j: of a slow decay in floating point nothing would be left.

use super::{Part, narrow};
use crate::scratch::Scratch;
use crate::{FirstOrder, OperatorError};
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// Samples of a block.
const BLOCK: usize = 8;

pub(super) struct BoundFirstOrder<T> {
    n: usize,
    direct: T,
    slope: T,
    level: T,
    start: T,
    /// (1-r)^1, (1-r)^2, (1-r)^4.
    decays: [T; 3],
    /// 1 - (1-r)^j for j = 1, 2, ...
    losses: [T; BLOCK],
    scratch: Scratch<T>,
}

impl<T: Real> BoundFirstOrder<T> {
    pub(super) fn new(map: &FirstOrder) -> Result<Self, OperatorError> {
        if map.n == 0 {
            let what = "the length of a recurrence";
            return Err(OperatorError::Malformed { what, found: 0, expected: 1 });
        }
        // ln(1-r); of r = 1 minus infinity, and nothing is left.
        let ln = (-map.rate).ln_1p();
        let numbers = narrow(&[map.direct, map.slope, map.level, map.start])?;
        let decays = narrow(&[1.0, 2.0, 4.0].map(|j: f64| (j * ln).exp()))?;
        let losses: [f64; BLOCK] = std::array::from_fn(|j| -((j + 1) as f64 * ln).exp_m1());
        let losses = narrow(&losses)?;
        Ok(Self {
            n: map.n,
            direct: numbers[0],
            slope: numbers[1],
            level: numbers[2],
            start: numbers[3],
            decays: std::array::from_fn(|i| decays[i]),
            losses: std::array::from_fn(|i| losses[i]),
            scratch: Scratch::new(),
        })
    }

    /// States `z[j] = sum_{i <= j} (1-r)^(j-i) s[i]` of a block that starts from nothing.
    #[inline(always)]
    fn states(&self, s: [T; BLOCK]) -> [T; BLOCK] {
        let mut z = s;
        for (shift, decay) in [1, 2, 4].into_iter().zip(self.decays) {
            let before = z;
            for j in shift..BLOCK {
                z[j] += decay * before[j - shift];
            }
        }
        z
    }

    /// Those of a block that starts from the state of the block before, which becomes its last.
    #[inline(always)]
    fn carried(&self, s: [T; BLOCK], state: &mut T) -> [T; BLOCK] {
        let mut z = self.states(s);
        for (z, loss) in z.iter_mut().zip(self.losses) {
            *z += *state - loss * *state;
        }
        *state = z[BLOCK - 1];
        z
    }

    /// One step of a state.
    fn step(&self, state: &mut T, s: T) -> T {
        *state = *state + (s - self.losses[0] * *state);
        *state
    }

    fn apply_one(&self, x: &[T], y: &mut [T]) {
        let Self { direct, slope, level, start, .. } = *self;
        let mut state = start * x[0];
        y[0] = direct * x[0] + state;
        let mut before = x[0];
        let (blocks, rest) = x[1..].as_chunks::<BLOCK>();
        let (results, last) = y[1..].as_chunks_mut::<BLOCK>();
        for (x, y) in blocks.iter().zip(results) {
            let mut s = [T::zero(); BLOCK];
            s[0] = slope * (x[0] - before) + level * before;
            for j in 1..BLOCK {
                s[j] = slope * (x[j] - x[j - 1]) + level * x[j - 1];
            }
            before = x[BLOCK - 1];
            let z = self.carried(s, &mut state);
            for j in 0..BLOCK {
                y[j] = direct * x[j] + z[j];
            }
        }
        for (&x, y) in rest.iter().zip(last) {
            let s = slope * (x - before) + level * before;
            before = x;
            *y = direct * x + self.step(&mut state, s);
        }
    }

    /// The states run backwards; `g` has room for them.
    fn apply_transpose_one(&self, y: &[T], x: &mut [T], g: &mut [T]) {
        let Self { direct, slope, level, start, .. } = *self;
        let n = self.n;
        let mut state = T::zero();
        let (first, blocks) = y.as_rchunks::<BLOCK>();
        let (first_states, states) = g.as_rchunks_mut::<BLOCK>();
        for (y, g) in blocks.iter().zip(states).rev() {
            let mut s = *y;
            s.reverse();
            *g = self.carried(s, &mut state);
            g.reverse();
        }
        for (y, g) in first.iter().zip(first_states).rev() {
            *g = self.step(&mut state, *y);
        }
        for j in 1..n - 1 {
            x[j] = direct * y[j] + slope * (g[j] - g[j + 1]) + level * g[j + 1];
        }
        x[n - 1] = direct * y[n - 1] + slope * g[n - 1];
        x[0] = direct * y[0] + start * g[0];
        if n > 1 {
            x[0] += (level - slope) * g[1];
        }
    }
}

impl<T: Real> Part<T> for BoundFirstOrder<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.n)
    }

    fn apply(&self, x: &[T], y: &mut [T], _batch: usize) -> Result<(), OperatorError> {
        for (x, y) in x.chunks_exact(self.n).zip(y.chunks_exact_mut(self.n)) {
            self.apply_one(x, y);
        }
        Ok(())
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], _batch: usize) -> Result<(), OperatorError> {
        self.scratch.lend(self.n, |g| {
            for (y, x) in y.chunks_exact(self.n).zip(x.chunks_exact_mut(self.n)) {
                self.apply_transpose_one(y, x, g);
            }
        });
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use crate::bound_weights::bind;
    use crate::{FirstOrder, OperatorError, Weights};
    use hpfracc_backend::{Backend, Reference};
    use std::sync::Arc;

    /// Every length around whole blocks against the formula sample by sample, and the transpose
    /// against the matrix.
    #[test]
    fn blocks_are_the_recurrence() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        for n in [1, 2, 7, 8, 9, 10, 16, 17, 18, 40] {
            for rate in [0.0, 1e-9, 0.3, 1.0] {
                let mut map =
                    FirstOrder { n, direct: 0.5, rate, slope: 2.0, level: -0.7, start: 1.5 };
                let bound = bind(&Weights::from(map), &backend).unwrap();
                let row = |i: usize| -> Vec<f64> {
                    let mut x = vec![0.0; n];
                    x[i] = 1.0;
                    let mut z = map.start * x[0];
                    let mut y = vec![map.direct * x[0] + z];
                    for k in 1..n {
                        let s = map.slope * (x[k] - x[k - 1]) + map.level * x[k - 1];
                        z = (1.0 - rate) * z + s;
                        y.push(map.direct * x[k] + z);
                    }
                    y
                };
                let columns: Vec<Vec<f64>> = (0..n).map(row).collect();
                let signals = |k: usize| ((3 * k + 1) as f64).sin();
                let x: Vec<f64> = (0..2 * n).map(signals).collect();
                let (mut y, mut back) = (vec![f64::NAN; 2 * n], vec![f64::NAN; 2 * n]);
                bound.apply(&x, &mut y, 2).unwrap();
                bound.apply_transpose(&x, &mut back, 2).unwrap();
                for signal in 0..2 {
                    let at = signal * n;
                    for i in 0..n {
                        let forward: f64 = (0..n).map(|j| columns[j][i] * x[at + j]).sum();
                        let transposed: f64 = (0..n).map(|j| columns[i][j] * x[at + j]).sum();
                        assert!((y[at + i] - forward).abs() < 1e-12, "{n} {rate} {i}");
                        assert!((back[at + i] - transposed).abs() < 1e-12, "{n} {rate} {i}");
                    }
                }
                map.n = 0;
                let refused = bind(&Weights::from(map), &backend).err().unwrap();
                assert!(matches!(refused, OperatorError::Malformed { .. }));
            }
        }
    }

    /// A slow decay over a long record, where powers of a rounded decay would be wrong in the tenth digit.
    #[test]
    fn slow_decays_keep_their_digits() {
        let backend: Arc<dyn Backend<f64>> = Arc::new(Reference);
        let (n, x): (usize, f64) = (1_000_001, 3e-7);
        let rate = -(-x).exp_m1();
        let map = FirstOrder { n, direct: 0.0, rate, slope: 0.0, level: 0.0, start: 1.0 };
        let bound = bind(&Weights::from(map), &backend).unwrap();
        let (mut f, mut y) = (vec![0.0; n], vec![0.0; n]);
        f[0] = 1.0;
        bound.apply(&f, &mut y, 1).unwrap();
        let exact = (-x * (n - 1) as f64).exp();
        assert!((y[n - 1] / exact - 1.0).abs() < 1e-13, "{:e}", y[n - 1] / exact - 1.0);
    }
}
