use super::signal_map::{Call, Direction, SignalMap, narrow};
use crate::bound::scratch::Scratch;
use crate::error::fits;
use crate::{Result, Side, VariableMemory};
use hpfracc_backend::Shape;
use hpfracc_types::Real;

/// A [`VariableMemory`] ready to run: in double precision, O(n K) time, K states for each signal.
#[derive(Debug, Clone)]
pub(crate) struct VariableSum {
    memory: VariableMemory,
    /// 1 - exp(-rate): the decay of a state in a step, which for small rates has more digits than
    /// exp(-rate).
    losses: Vec<f64>,
}

impl VariableSum {
    pub(crate) fn new(memory: &VariableMemory) -> Result<Self> {
        let VariableMemory { local, prefactors, exponents, ln_rates, factors, .. } = memory;
        let n = local.len();
        let demands = [
            ("the number of local weights", n, n.max(1)),
            ("the number of exponentials", ln_rates.len(), ln_rates.len().max(1)),
            ("the number of prefactors", prefactors.len(), n),
            ("the number of exponents", exponents.len(), n),
            ("the number of factors of exponentials", factors.len(), ln_rates.len()),
        ];
        demands.into_iter().try_for_each(|(what, found, expected)| fits(what, found, expected))?;
        let losses = ln_rates.iter().map(|ln_p| -(-ln_p.exp()).exp_m1()).collect();
        Ok(Self { memory: memory.clone(), losses })
    }

    /// Differences to results, or, transposed, results to differences: time runs back, and rows
    /// become columns. `from` and `to` are consecutive signals; `states` and `powers` are scratch:
    /// K entries for each signal, and K entries.
    fn pass(
        &self,
        direction: Direction,
        (from, to): (&[f64], &mut [f64]),
        states: &mut [f64],
        powers: &mut [f64],
    ) {
        let VariableMemory { side, local, prefactors, exponents, ln_rates, factors } = &self.memory;
        let n = local.len();
        let forward = direction == Direction::Forward;
        let reads_powers = (*side == Side::Rows) == forward;
        states.fill(0.0);
        for step in 0..n {
            let at = if forward { step } else { n - 1 - step };
            // Once for all signals.
            for ((power, ln_rate), factor) in powers.iter_mut().zip(ln_rates).zip(factors) {
                *power = prefactors[at] * factor * (exponents[at] * ln_rate).exp();
            }
            for (signal, states) in states.chunks_exact_mut(powers.len()).enumerate() {
                let input = from[signal * n + at];
                let mut sum = 0.0;
                for ((state, power), loss) in states.iter_mut().zip(&*powers).zip(&self.losses) {
                    let (read, written) = if reads_powers { (*power, 1.0) } else { (1.0, *power) };
                    sum += read * *state;
                    *state += written * input - loss * *state;
                }
                to[signal * n + at] = local[at] * input + sum;
            }
        }
    }

    /// The map from differences for one signal, or its transpose: the gradient of `ybar . y` with
    /// respect to each difference.
    pub(crate) fn applied(&self, direction: Direction, from: &[f64]) -> Vec<f64> {
        let (mut to, k) = (vec![0.0; from.len()], self.losses.len());
        self.pass(direction, (from, &mut to), &mut vec![0.0; k], &mut vec![0.0; k]);
        to
    }
}

/// The sum as a map of samples. In double precision whatever the scalar, and without a backend.
pub(super) struct BoundVariableSum {
    memory: VariableSum,
    scratch: Scratch<f64>,
}

impl BoundVariableSum {
    /// # Errors
    /// [`OperatorError::Malformed`](crate::OperatorError::Malformed), and
    /// [`OperatorError::Overflow`](crate::OperatorError::Overflow) if a weight is not finite in
    /// `T`.
    pub(super) fn new<T: Real>(memory: &VariableMemory) -> Result<Self> {
        let bound = VariableSum::new(memory)?;
        narrow::<T>(&memory.local)?;
        narrow::<f64>(&memory.prefactors)?;
        Ok(Self { memory: bound, scratch: Scratch::new() })
    }

    fn n(&self) -> usize {
        self.memory.memory.local.len()
    }

    /// Lends two arrays of samples, states and powers.
    fn lend(&self, batch: usize, use_it: impl FnOnce([&mut [f64]; 4])) {
        let (len, k) = (self.n() * batch, self.memory.losses.len());
        self.scratch.lend(2 * len + k * batch + k, |all| {
            let (from, rest) = all.split_at_mut(len);
            let (to, rest) = rest.split_at_mut(len);
            let (states, powers) = rest.split_at_mut(k * batch);
            use_it([from, to, states, powers]);
        });
    }
}

impl<T: Real> SignalMap<T> for BoundVariableSum {
    fn shape(&self) -> Shape {
        Shape::line(self.n())
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        let n = self.n();
        self.lend(batch, |[input, output, states, powers]| match direction {
            Direction::Forward => {
                for (x, d) in from.chunks_exact(n).zip(input.chunks_exact_mut(n)) {
                    d[0] = 0.0;
                    for m in 1..n {
                        d[m] = x[m].widen() - x[m - 1].widen();
                    }
                }
                self.memory.pass(direction, (input, output), states, powers);
                to.iter_mut().zip(&*output).for_each(|(y, r)| *y = T::narrow(*r));
            }
            Direction::Transposed => {
                input.iter_mut().zip(from).for_each(|(ybar, y)| *ybar = y.widen());
                self.memory.pass(direction, (input, output), states, powers);
                for (d, x) in output.chunks_exact_mut(n).zip(to.chunks_exact_mut(n)) {
                    d[0] = 0.0;
                    for m in 0..n {
                        let ahead = d.get(m + 1).copied().unwrap_or(0.0);
                        x[m] = T::narrow(d[m] - ahead);
                    }
                }
            }
        });
        Ok(())
    }
}
