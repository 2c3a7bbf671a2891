use super::decay::{Forward, Reverse};
use super::{Part, narrow};
use crate::scratch::Scratch;
use crate::{Exponentials, OperatorError};
use hpfracc_backend::Shape;
use hpfracc_types::Real;
use pulp::Arch;

/// [`Exponentials`] with states that are averages.
///
/// With `z_k = p_k int exp(-p_k (x_n - s)) g(s) ds`, a step h takes z to `z + om (left - z) + g rise`,
/// where `om = 1 - exp(-p h)`: no rounding builds up in the slow ones, however many steps there are.
/// All sums are in double precision.
pub(super) struct BoundExponentials {
    pub(super) memory: Exponentials,
    /// In whole registers, as are `factors`; none is zero.
    pub(super) rates: Vec<f64>,
    /// What the states count: `w_k / p_k`, or `w_k / p_k^2` with one power of the distance.
    pub(super) factors: Vec<f64>,
    /// By cell: the first rate whose state is of use behind the cell or was before it. What is faster has
    /// forgotten all that came before.
    pub(super) first: Vec<u32>,
    arch: Arch,
    scratch: Scratch<f64>,
}

/// States go through the loops in blocks of this many.
pub(super) const WIDTH: usize = 8;

/// exp(-40) is below rounding of what is next to it.
const FORGOTTEN: f64 = 40.0;

/// A rate that takes less than this off over all steps takes nothing off, and is divided by safely.
const CONSTANT: f64 = 1e-18;

/// Signals that share the exponentials of a step.
const TOGETHER: usize = 16;

impl BoundExponentials {
    pub(super) fn new<T: Real>(memory: &Exponentials) -> Result<Self, OperatorError> {
        memory.check()?;
        // Rounded once to see whether they fit; they are kept in double precision.
        let entries = memory.near.iter().zip(&memory.lines).flat_map(|(near, line)| {
            let (of_left, of_right) = line.transpose(near[0], near[1]);
            [of_left, of_right]
        });
        narrow::<T>(&entries.collect::<Vec<_>>())?;
        for start in &memory.starts {
            narrow::<T>(&start.column)?;
        }
        let least = CONSTANT / memory.steps.iter().sum::<f64>();
        let whole = memory.rates.len().next_multiple_of(WIDTH);
        let mut rates: Vec<f64> = memory.rates.iter().map(|p| p.max(least)).collect();
        let mut factors: Vec<f64> = memory
            .weights
            .iter()
            .zip(&rates)
            .map(|(w, p)| if memory.power == 0 { w / p } else { w / p / p })
            .collect();
        narrow::<f64>(&factors)?;
        rates.resize(whole, rates.last().copied().unwrap_or_default());
        factors.resize(whole, 0.0);
        let alive = |h: f64| rates.partition_point(|p| p * h > FORGOTTEN) / WIDTH * WIDTH;
        let each: Vec<usize> = memory.steps.iter().map(|h| alive(*h)).collect();
        let next = each.iter().skip(1).chain(each.last());
        let first = each.iter().zip(next).map(|(this, next)| *this.min(next) as u32).collect();
        let (arch, scratch) = (Arch::new(), Scratch::new());
        Ok(Self { memory: memory.clone(), rates, factors, first, arch, scratch })
    }

    /// Takes blocks of signals through a loop with states and the coefficients of a step.
    fn blocks<T: Real>(
        &self,
        from: &[T],
        to: &mut [T],
        run: impl Fn(&[T], &mut [T], &mut [f64], &mut [f64]),
    ) {
        let n = self.memory.n();
        let rates = self.rates.len();
        for (from, to) in from.chunks(TOGETHER * n).zip(to.chunks_mut(TOGETHER * n)) {
            let states = (1 + self.memory.power) * rates * (from.len() / n);
            self.scratch.lend(states + 5 * rates, |buffer| {
                let (states, coefficients) = buffer.split_at_mut(states);
                states.fill(0.0);
                run(from, to, states, coefficients);
            });
        }
    }
}

impl<T: Real> Part<T> for BoundExponentials {
    fn shape(&self) -> Shape {
        Shape::line(self.memory.n())
    }

    fn apply(&self, x: &[T], y: &mut [T], _batch: usize) -> Result<(), OperatorError> {
        self.blocks(x, y, |x, y, states, coefficients| {
            self.arch.dispatch(Forward { bound: self, x, y, states, coefficients });
        });
        let n = self.memory.n();
        for (x, y) in x.chunks_exact(n).zip(y.chunks_exact_mut(n)) {
            for start in &self.memory.starts {
                let value = dot(&start.stencil, x);
                for (y, c) in y.iter_mut().zip(&start.column) {
                    *y = T::narrow(y.widen() + c * value);
                }
            }
        }
        Ok(())
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], _batch: usize) -> Result<(), OperatorError> {
        self.blocks(y, x, |y, x, states, coefficients| {
            self.arch.dispatch(Reverse { bound: self, y, x, states, coefficients });
        });
        let n = self.memory.n();
        for (y, x) in y.chunks_exact(n).zip(x.chunks_exact_mut(n)) {
            for start in &self.memory.starts {
                let value = dot(&start.column, y);
                for (x, c) in x.iter_mut().zip(&start.stencil) {
                    *x = T::narrow(x.widen() + c * value);
                }
            }
        }
        Ok(())
    }
}

/// Over the shorter of the two.
fn dot<T: Real>(a: &[f64], b: &[T]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b.widen()).sum()
}

/// What a memory makes of one record.
pub(crate) fn applied(memory: &Exponentials, f: &[f64]) -> Result<Vec<f64>, OperatorError> {
    let mut y = vec![0.0; f.len()];
    let bound = BoundExponentials::new::<f64>(memory)?;
    bound.apply(f, &mut y, 1)?;
    Ok(y)
}
