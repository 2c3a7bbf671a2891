use super::decay_kernels::{Decays, Pass, WIDTH};
use super::signal_map::{Call, Direction, SignalMap, fit};
use crate::bound::scratch::Scratch;
use crate::{Exponentials, Result, StartCorrection};
use hpfracc_backend::Shape;
use hpfracc_types::Real;
use pulp::Arch;

/// [`Exponentials`] ready to run.
pub(super) struct BoundSum {
    decays: Decays,
    arch: Arch,
    scratch: Scratch<f64>,
}

/// exp(-40) is below the rounding of other terms.
const FORGOTTEN: f64 = 40.0;

/// The smallest decay over all steps: smaller rates are raised to it, so that they can be divided
/// by.
const CONSTANT: f64 = 1e-18;

/// Signals that share the exponentials of a step.
const TOGETHER: usize = 16;

impl BoundSum {
    pub(super) fn new<T: Real>(memory: &Exponentials) -> Result<Self> {
        memory.check()?;
        // A check that they fit into the scalar type; they are stored in double precision.
        let entries = memory.near.iter().zip(&memory.lines).flat_map(|(near, line)| {
            let (of_left, of_right) = line.transpose(near[0], near[1]);
            [of_left, of_right]
        });
        fit::<T>(&entries.collect::<Vec<_>>())?;
        for start in &memory.starts {
            fit::<T>(&start.column)?;
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
        fit::<f64>(&factors)?;
        rates.resize(whole, rates.last().copied().unwrap_or_default());
        factors.resize(whole, 0.0);
        let alive = |h: f64| rates.partition_point(|p| p * h > FORGOTTEN) / WIDTH * WIDTH;
        let each: Vec<usize> = memory.steps.iter().map(|h| alive(*h)).collect();
        let next = each.iter().skip(1).chain(each.last());
        let first = each.iter().zip(next).map(|(this, next)| *this.min(next) as u32).collect();
        let decays = Decays { memory: memory.clone(), rates, factors, first };
        Ok(Self { decays, arch: Arch::new(), scratch: Scratch::new() })
    }

    /// Runs a loop over blocks of signals, with space for states and the coefficients of a step.
    fn blocks<T: Real>(
        &self,
        from: &[T],
        to: &mut [T],
        run: impl Fn(&[T], &mut [T], &mut [f64], &mut [f64]),
    ) {
        let n = self.decays.memory.n();
        let rates = self.decays.rates.len();
        for (from, to) in from.chunks(TOGETHER * n).zip(to.chunks_mut(TOGETHER * n)) {
            let states = (1 + self.decays.memory.power) * rates * (from.len() / n);
            self.scratch.lend(states + 5 * rates, |buffer| {
                let (states, coefficients) = buffer.split_at_mut(states);
                states.fill(0.0);
                run(from, to, states, coefficients);
            });
        }
    }
}

impl<T: Real> SignalMap<T> for BoundSum {
    fn shape(&self) -> Shape {
        Shape::line(self.decays.memory.n())
    }

    fn run(&self, Call { direction, from, to, .. }: Call<'_, T>) -> Result<()> {
        let decays = &self.decays;
        self.blocks(from, to, |from, to, states, coefficients| {
            self.arch.dispatch(Pass { decays, direction, from, to, states, coefficients });
        });
        let n = decays.memory.n();
        for (from, to) in from.chunks_exact(n).zip(to.chunks_exact_mut(n)) {
            for StartCorrection { column, stencil } in &decays.memory.starts {
                let (read, written) = match direction {
                    Direction::Forward => (stencil, column),
                    Direction::Transposed => (column, stencil),
                };
                let value = dot(read, from);
                for (to, c) in to.iter_mut().zip(written) {
                    *to = T::narrow(to.widen() + c * value);
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

/// A sum of exponentials applied to one signal.
pub(crate) fn applied(memory: &Exponentials, f: &[f64]) -> Result<Vec<f64>> {
    let mut y = vec![0.0; f.len()];
    BoundSum::new::<f64>(memory)?.run(Call::new(Direction::Forward, f, &mut y, 1))?;
    Ok(y)
}
