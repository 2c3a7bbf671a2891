//! One exponential by its recurrence, vectorised over windows of samples.
//!
//! `z[j] = (1-r) z[j-1] + s[j]` step by step is limited by the latency of each product. Sums over
//! windows of 16 samples, `w[j] = sum_{i<16} (1-r)^i s[j-i]`, are computed by doubling: from one
//! sample to two, four, eight; all of a tile side by side. Then `z[j] = w[j] + (1-r)^16 z[j-16]`,
//! which are 16 recurrences side by side. The decay over 16 steps is stored as 1 - (1-r)^16: a slow
//! decay as (1-r)^16 would lose its digits to rounding.

use super::signal_map::{Call, Direction, SignalMap, narrow};
use crate::error::fits;
use crate::{FirstOrder, Result};
use hpfracc_backend::Shape;
use hpfracc_types::Real;
use pulp::{Arch, Simd, WithSimd};

/// Samples of a window, and of a tile: a few kilobytes, near the processor.
const WINDOW: usize = 16;
const TILE: usize = 512;
type Tile<T> = [T; WINDOW + TILE];

pub(super) struct BoundFirstOrder<T> {
    n: usize,
    direct: T,
    slope: T,
    level: T,
    start: T,
    /// (1-r) to the powers 1, 2, 4, 8.
    decays: [T; 4],
    /// 1 - (1-r)^16.
    loss: T,
}

impl<T: Real> BoundFirstOrder<T> {
    pub(super) fn new(map: &FirstOrder) -> Result<Self> {
        fits("the length of a recurrence", map.n, map.n.max(1))?;
        // ln(1-r); of r = 1 minus infinity, and nothing is left.
        let ln = (-map.rate).ln_1p();
        let numbers = narrow([map.direct, map.slope, map.level, map.start])?;
        let decays = narrow([1.0, 2.0, 4.0, 8.0].map(|j: f64| (j * ln).exp()))?;
        let loss = narrow([-(WINDOW as f64 * ln).exp_m1()])?;
        Ok(Self {
            n: map.n,
            direct: numbers[0],
            slope: numbers[1],
            level: numbers[2],
            start: numbers[3],
            decays: std::array::from_fn(|i| decays[i]),
            loss: loss[0],
        })
    }

    /// The states z of all samples, tile by tile: `fill` writes the s from a sample on, `take` gets
    /// the z.
    #[inline(always)]
    fn scan(&self, mut fill: impl FnMut(usize, &mut [T]), mut take: impl FnMut(usize, &[T])) {
        // The first 16 of a tile are the last of the tile before.
        let (mut s, mut a, mut b): (Tile<T>, Tile<T>, Tile<T>) =
            ([T::zero(); WINDOW + TILE], [T::zero(); WINDOW + TILE], [T::zero(); WINDOW + TILE]);
        let mut state = [T::zero(); WINDOW];
        let mut from = 0;
        while from < self.n {
            let len = TILE.min(self.n - from);
            fill(from, &mut s[WINDOW..WINDOW + len]);
            widen(&s, &mut a, 1, self.decays[0]);
            widen(&a, &mut b, 2, self.decays[1]);
            widen(&b, &mut a, 4, self.decays[2]);
            widen(&a, &mut b, 8, self.decays[3]);
            for z in b[WINDOW..].as_chunks_mut::<WINDOW>().0 {
                for (z, state) in z.iter_mut().zip(&mut state) {
                    *state = *z + (*state - self.loss * *state);
                    *z = *state;
                }
            }
            take(from, &b[WINDOW..WINDOW + len]);
            s.copy_within(TILE.., 0);
            from += len;
        }
    }

    #[inline(always)]
    fn forward(&self, x: &[T], y: &mut [T]) {
        let Self { direct, slope, level, start, .. } = *self;
        let fill = |from: usize, s: &mut [T]| {
            let first = usize::from(from == 0);
            if first == 1 {
                s[0] = start * x[0];
            }
            let to = from + s.len();
            let pairs = x[from + first..to].iter().zip(&x[from + first - 1..to - 1]);
            for (s, (x, before)) in s[first..].iter_mut().zip(pairs) {
                *s = slope * (*x - *before) + level * *before;
            }
        };
        let take = |from: usize, z: &[T]| {
            for ((y, x), z) in y[from..].iter_mut().zip(&x[from..]).zip(z) {
                *y = direct * *x + *z;
            }
        };
        self.scan(fill, take);
    }

    /// The states run backwards: `g[n] = (1-r) g[n+1] + y[n]`, and `x[n]` has what f\[n\] gives to
    /// s\[n\] and s\[n+1\].
    #[inline(always)]
    fn backward(&self, y: &[T], x: &mut [T]) {
        let Self { n, direct, slope, level, start, .. } = *self;
        let fill = |from: usize, s: &mut [T]| {
            let end = n - from;
            let later = y[end - s.len()..end].iter().rev();
            s.iter_mut().zip(later).for_each(|(s, y)| *s = *y);
        };
        // g after the tile's last sample, and after sample 0.
        let (mut after, mut after_first) = (T::zero(), T::zero());
        let take = |from: usize, g: &[T]| {
            let (end, len) = (n - from, g.len());
            let (y, x) = (&y[end - len..end], &mut x[end - len..end]);
            x[len - 1] = direct * y[len - 1] + slope * (g[0] - after) + level * after;
            for ((x, y), g) in x.iter_mut().zip(y).zip(g.windows(2).rev()) {
                *x = direct * *y + slope * (g[1] - g[0]) + level * g[0];
            }
            after_first = if len > 1 { g[len - 2] } else { after };
            after = g[len - 1];
        };
        self.scan(fill, take);
        x[0] = direct * y[0] + start * after + (level - slope) * after_first;
    }
}

/// Sums over windows of `shift` samples become sums over twice as many. The first `shift` are left.
#[inline(always)]
fn widen<T: Real>(from: &Tile<T>, to: &mut Tile<T>, shift: usize, decay: T) {
    for ((to, here), before) in to[shift..].iter_mut().zip(&from[shift..]).zip(from) {
        *to = *here + decay * *before;
    }
}

impl<T: Real> SignalMap<T> for BoundFirstOrder<T> {
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

impl<T: Real> WithSimd for Pass<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let n = self.map.n;
        for (from, to) in self.from.chunks_exact(n).zip(self.to.chunks_exact_mut(n)) {
            match self.direction {
                Direction::Forward => self.map.forward(from, to),
                Direction::Transposed => self.map.backward(from, to),
            }
        }
    }
}
