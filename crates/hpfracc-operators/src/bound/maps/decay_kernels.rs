//! The inner loops of a sum of exponentials, compiled for the vector instructions of the machine.

use super::signal_map::Direction;
use crate::Exponentials;
use hpfracc_types::Real;
use pulp::{Simd, WithSimd};

/// [`Exponentials`] with states that are averages.
///
/// With `z_k = p_k int exp(-p_k (x_n - s)) g(s) ds`, a step h takes z to
/// `z + om (left - z) + g rise`, where `om = 1 - exp(-p h)`: rounding errors of the slow states do
/// not build up, however many steps there are. All sums are in double precision.
pub(super) struct Decays {
    pub(super) memory: Exponentials,
    /// Padded to whole registers, as are `factors`; none is zero.
    pub(super) rates: Vec<f64>,
    /// Weights of the states: `w_k / p_k`, or `w_k / p_k^2` with one power of the distance.
    pub(super) factors: Vec<f64>,
    /// By cell: the first rate whose state matters after the cell or mattered before it. Faster
    /// states have decayed to nothing.
    pub(super) first: Vec<u32>,
}

/// States go through the loops in blocks of this size.
pub(super) const WIDTH: usize = 8;

/// `y = A x` or `x = A' y`, signals one after the other.
pub(super) struct Pass<'a, T> {
    pub(super) decays: &'a Decays,
    pub(super) direction: Direction,
    pub(super) from: &'a [T],
    pub(super) to: &'a mut [T],
    pub(super) states: &'a mut [f64],
    pub(super) coefficients: &'a mut [f64],
}

/// Coefficients of a step h for the state of rate p, x = p h; see [`Step::fill`].
///
/// ```text
/// gone  = 1 - exp(-x)                            decay of the state, and response to a constant
/// rise  = 1 - gone/x                             response to a line from 0 to 1
/// slow  = 1 - (1+x) exp(-x),  slow_rise = 2 rise - gone       the same for the states with a power of the distance
/// ```
struct Step<'a> {
    x: &'a mut [f64],
    gone: &'a mut [f64],
    rise: &'a mut [f64],
    slow: &'a mut [f64],
    slow_rise: &'a mut [f64],
}

/// 1.5 2^52: adding it rounds to a whole number, stored in the last bits.
const ROUNDING: f64 = 6_755_399_441_055_744.0;
/// ln 2 in two parts, the first with trailing zeros.
const LN2: [f64; 2] = [6.931_471_803_691_238e-1, 1.908_214_929_270_587_7e-10];
/// exp(-700) is still a normal number.
const LARGEST: f64 = 700.0;
/// 1/(m+3)!, m = 0 to 11: at |r| <= ln(2)/2 the remainder is below rounding.
const SERIES: [f64; 12] = [
    1.0 / 6.0,
    1.0 / 24.0,
    1.0 / 120.0,
    1.0 / 720.0,
    1.0 / 5040.0,
    1.0 / 40320.0,
    1.0 / 362_880.0,
    1.0 / 3_628_800.0,
    1.0 / 39_916_800.0,
    1.0 / 479_001_600.0,
    1.0 / 6_227_020_800.0,
    1.0 / 87_178_291_200.0,
];

/// Fused where there are instructions for it; without, two roundings do as well.
#[inline(always)]
fn fma<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::F64_LANES > 1 { a.mul_add(b, c) } else { a * b + c }
}

impl<'a> Step<'a> {
    #[inline(always)]
    fn new(coefficients: &'a mut [f64]) -> Self {
        let rates = coefficients.len() / 5;
        let (x, rest) = coefficients.split_at_mut(rates);
        let (gone, rest) = rest.split_at_mut(rates);
        let (rise, rest) = rest.split_at_mut(rates);
        let (slow, slow_rise) = rest.split_at_mut(rates);
        Self { x, gone, rise, slow, slow_rise }
    }

    /// The coefficients of the rates from the first on. With `exp(-r) = 1 - r + r^2 (1/2 - r R(r))`
    /// and `exp(-x) = 2^-k exp(-r)`, all of them come without cancellation from the polynomial R.
    #[inline(always)]
    fn fill<S: Simd, const LINE: bool, const SLOW: bool>(
        &mut self,
        rates: &[f64],
        first: usize,
        h: f64,
    ) {
        let len = rates.len();
        let Self { x: xs, gone, rise, slow, slow_rise } = self;
        let (xs, gone, rise) = (&mut xs[first..len], &mut gone[first..len], &mut rise[first..len]);
        let (slow, slow_rise) = (&mut slow[first..len], &mut slow_rise[first..len]);
        let rates = &rates[first..len];
        for i in 0..rates.len() {
            let x = rates[i] * h;
            let bounded = x.min(LARGEST);
            let shifted = fma::<S>(bounded, std::f64::consts::LOG2_E, ROUNDING);
            let k = shifted - ROUNDING;
            let r = fma::<S>(-k, LN2[1], fma::<S>(-k, LN2[0], bounded));
            let power = f64::from_bits(1023u64.wrapping_sub(shifted.to_bits()) << 52);
            let series = SERIES.iter().rev().fold(0.0, |sum, c| fma::<S>(-r, sum, *c));
            let second = fma::<S>(-r, series, 0.5);
            let lost = fma::<S>(-r * r, second, r);
            let out = fma::<S>(power, lost, 1.0 - power);
            gone[i] = out;
            if LINE || SLOW {
                let short = k == 0.0;
                let line = if short { r * second } else { 1.0 - out / x };
                rise[i] = line;
                if SLOW {
                    xs[i] = x;
                    let bracket = fma::<S>(r, series - second, 0.5);
                    let decayed = fma::<S>(-x, 1.0 - out, out);
                    slow[i] = if short { r * r * bracket } else { decayed };
                    let bracket = fma::<S>(-r, series, fma::<S>(-2.0, series, 0.5));
                    slow_rise[i] = if short { r * r * bracket } else { 2.0 * line - out };
                }
            }
        }
    }
}

impl<T: Real> WithSimd for Pass<'_, T> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let lines = self.decays.memory.lines.iter().any(|line| line.rise != [0.0; 2]);
        match (lines, self.decays.memory.power) {
            (false, 0) => self.run::<S, false, false>(),
            (true, 0) => self.run::<S, true, false>(),
            _ => self.run::<S, true, true>(),
        }
    }
}

impl<T: Real> Pass<'_, T> {
    #[inline(always)]
    fn run<S: Simd, const LINE: bool, const SLOW: bool>(self) {
        match self.direction {
            Direction::Forward => self.forward::<S, LINE, SLOW>(),
            Direction::Transposed => self.reverse::<S, LINE, SLOW>(),
        }
    }

    #[inline(always)]
    fn forward<S: Simd, const LINE: bool, const SLOW: bool>(self) {
        let Self { decays: Decays { memory, rates, factors, first }, from: x, to: y, .. } = self;
        let (n, k) = (memory.n(), rates.len());
        let width = if SLOW { 2 * k } else { k };
        let mut step = Step::new(&mut self.coefficients[..5 * k]);
        y.chunks_exact_mut(n).for_each(|y| y[0] = T::zero());
        for (cell, ((h, line), near)) in
            memory.steps.iter().zip(&memory.lines).zip(&memory.near).enumerate()
        {
            let first = first[cell] as usize;
            step.fill::<S, LINE, SLOW>(rates, first, *h);
            for (s, y) in y.chunks_exact_mut(n).enumerate() {
                let ends = &x[s * n + cell..][..2];
                let (left, rise) = line.of(ends[0].widen(), ends[1].widen());
                let state = &mut self.states[s * width..][..width];
                let far = step.forward::<S, LINE, SLOW>(factors, first, state, left, rise);
                y[cell + 1] = T::narrow(near[0] * left + near[1] * rise + far);
            }
        }
    }

    #[inline(always)]
    fn reverse<S: Simd, const LINE: bool, const SLOW: bool>(self) {
        let Self { decays: Decays { memory, rates, factors, first }, from: y, to: x, .. } = self;
        let (n, k) = (memory.n(), rates.len());
        let width = if SLOW { 2 * k } else { k };
        let mut step = Step::new(&mut self.coefficients[..5 * k]);
        // The contribution of a cell to its right end is stored here until the next cell adds to
        // it.
        for x in x.chunks_exact_mut(n) {
            x[n - 1] = T::zero();
        }
        for cell in (0..n - 1).rev() {
            let (h, line, near) = (memory.steps[cell], memory.lines[cell], memory.near[cell]);
            let first = first[cell] as usize;
            step.fill::<S, LINE, SLOW>(rates, first, h);
            for (s, x) in x.chunks_exact_mut(n).enumerate() {
                let ybar = y[s * n + cell + 1].widen();
                let state = &mut self.states[s * width..][..width];
                let (left, rise) = step.reverse::<S, LINE, SLOW>(factors, first, state, ybar);
                let (left, rise) = (left + near[0] * ybar, rise + near[1] * ybar);
                let (of_left, of_right) = line.transpose(left, rise);
                x[cell + 1] = T::narrow(x[cell + 1].widen() + of_right);
                x[cell] = T::narrow(of_left);
            }
        }
    }
}

impl Step<'_> {
    /// Advances the states over a cell. Returns the contribution of all earlier cells at its end.
    #[inline(always)]
    fn forward<S: Simd, const LINE: bool, const SLOW: bool>(
        &self,
        factors: &[f64],
        first: usize,
        state: &mut [f64],
        left: f64,
        rise: f64,
    ) -> f64 {
        let k = factors.len();
        let (z, v) = state.split_at_mut(k);
        let mut sums = [0.0; WIDTH];
        let mut at = first;
        while at < k {
            let here = at..at + WIDTH;
            let (z, c) = (&mut z[here.clone()], &factors[here.clone()]);
            let (gone, line) = (&self.gone[here.clone()], &self.rise[here.clone()]);
            if SLOW {
                let (v, x) = (&mut v[here.clone()], &self.x[here.clone()]);
                let (slow, slow_line) = (&self.slow[here.clone()], &self.slow_rise[here]);
                for i in 0..WIDTH {
                    let moved = fma::<S>(x[i], z[i], v[i]);
                    let left_over = fma::<S>(-gone[i], moved, moved);
                    sums[i] = fma::<S>(c[i], left_over, sums[i]);
                    v[i] = fma::<S>(slow_line[i], rise, fma::<S>(slow[i], left, left_over));
                    z[i] = fma::<S>(line[i], rise, fma::<S>(gone[i], left - z[i], z[i]));
                }
            } else {
                for i in 0..WIDTH {
                    let left_over = fma::<S>(-gone[i], z[i], z[i]);
                    sums[i] = fma::<S>(c[i], left_over, sums[i]);
                    z[i] = fma::<S>(gone[i], left - z[i], z[i]);
                    if LINE {
                        z[i] = fma::<S>(line[i], rise, z[i]);
                    }
                }
            }
            at += WIDTH;
        }
        sums.iter().sum()
    }

    /// The transpose of [`Step::forward`]: the states go back over a cell, given the gradient with
    /// respect to the result at its end. Returns the gradients with respect to the left value and
    /// the rise.
    #[inline(always)]
    fn reverse<S: Simd, const LINE: bool, const SLOW: bool>(
        &self,
        factors: &[f64],
        first: usize,
        state: &mut [f64],
        ybar: f64,
    ) -> (f64, f64) {
        let k = factors.len();
        let (z, v) = state.split_at_mut(k);
        let (mut lefts, mut rises) = ([0.0; WIDTH], [0.0; WIDTH]);
        let mut at = first;
        while at < k {
            let here = at..at + WIDTH;
            let (z, c) = (&mut z[here.clone()], &factors[here.clone()]);
            let (gone, line) = (&self.gone[here.clone()], &self.rise[here.clone()]);
            for i in 0..WIDTH {
                lefts[i] = fma::<S>(gone[i], z[i], lefts[i]);
                if LINE {
                    rises[i] = fma::<S>(line[i], z[i], rises[i]);
                }
            }
            if SLOW {
                let (v, x) = (&mut v[here.clone()], &self.x[here.clone()]);
                let (slow, slow_line) = (&self.slow[here.clone()], &self.slow_rise[here]);
                for i in 0..WIDTH {
                    lefts[i] = fma::<S>(slow[i], v[i], lefts[i]);
                    rises[i] = fma::<S>(slow_line[i], v[i], rises[i]);
                    let moved = fma::<S>(c[i], ybar, v[i]);
                    v[i] = fma::<S>(-gone[i], moved, moved);
                    z[i] = fma::<S>(x[i], v[i], fma::<S>(-gone[i], z[i], z[i]));
                }
            } else {
                for i in 0..WIDTH {
                    let moved = fma::<S>(c[i], ybar, z[i]);
                    z[i] = fma::<S>(-gone[i], moved, moved);
                }
            }
            at += WIDTH;
        }
        (lefts.iter().sum(), rises.iter().sum())
    }
}
