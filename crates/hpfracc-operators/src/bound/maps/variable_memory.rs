use super::cell_differences::{cell_differences, cell_differences_transposed, min_points};
use super::signal_map::{Call, Direction, SignalMap, fit};
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
        let (n, k) = (prefactors.len(), ln_rates.len());
        let count = if local.len() == 3 { 3 } else { 1 };
        let demands = [
            ("the number of differences", local.len(), count),
            ("the number of prefactors", n, n.max(min_points(count))),
            ("the number of exponents", exponents.len(), n),
            ("the number of exponentials", k, k.max(1)),
            ("the differences that have factors", factors.len(), count),
        ];
        let locals = local.iter().map(|local| ("the number of local weights", local.len(), n));
        let factors = factors.iter().map(|f| ("the number of factors of exponentials", f.len(), k));
        let mut demands = demands.into_iter().chain(locals).chain(factors);
        demands.try_for_each(|(what, found, expected)| fits(what, found, expected))?;
        let losses = ln_rates.iter().map(|ln_p| -(-ln_p.exp()).exp_m1()).collect();
        Ok(Self { memory: memory.clone(), losses })
    }

    fn n(&self) -> usize {
        self.memory.prefactors.len()
    }

    /// Number of sequences of differences.
    fn count(&self) -> usize {
        self.memory.local.len()
    }

    /// Differences to results, or, transposed, results to differences: time runs back, and rows
    /// become columns. `from` and `to` are consecutive signals, with all their sequences of
    /// differences; `states` and `powers` are scratch: K entries for each signal, and K entries.
    fn pass(
        &self,
        direction: Direction,
        ends: (&[f64], &mut [f64]),
        states: &mut [f64],
        powers: &mut [f64],
    ) {
        match self.count() {
            1 => self.pass_of::<1>(direction, ends, states, powers),
            _ => self.pass_of::<3>(direction, ends, states, powers),
        }
    }

    fn pass_of<const COUNT: usize>(
        &self,
        direction: Direction,
        (from, to): (&[f64], &mut [f64]),
        states: &mut [f64],
        powers: &mut [f64],
    ) {
        let VariableMemory { side, local, prefactors, exponents, ln_rates, factors } = &self.memory;
        let (n, k) = (self.n(), self.losses.len());
        let local: [&[f64]; COUNT] = std::array::from_fn(|i| &local[i][..n]);
        let factors: [&[f64]; COUNT] = std::array::from_fn(|i| &factors[i][..k]);
        let losses = &self.losses[..k];
        states.fill(0.0);
        for step in 0..n {
            let at = if direction == Direction::Forward { step } else { n - 1 - step };
            // Once for all signals.
            for (power, ln_rate) in powers.iter_mut().zip(ln_rates) {
                *power = prefactors[at] * (exponents[at] * ln_rate).exp();
            }
            for (signal, states) in states.chunks_exact_mut(k).enumerate() {
                // At one end a signal has one sequence, at the other COUNT.
                let one = signal * n + at;
                let all: [usize; COUNT] = std::array::from_fn(|i| (signal * COUNT + i) * n + at);
                let powers = powers[..k].iter().map(|power| match side {
                    Side::Rows => (1.0, *power),
                    Side::Columns => (*power, 1.0),
                });
                let terms = states.iter_mut().zip(powers).zip(losses).enumerate();
                match direction {
                    Direction::Forward => {
                        let input = all.map(|at| from[at]);
                        let mut sum = 0.0;
                        for (j, ((state, (in_column, in_row)), loss)) in terms {
                            sum += in_row * *state;
                            let written = (0..COUNT).fold(0.0, |s, i| s + factors[i][j] * input[i]);
                            *state += in_column * written - loss * *state;
                        }
                        to[one] = (0..COUNT).fold(sum, |sum, i| sum + local[i][at] * input[i]);
                    }
                    Direction::Transposed => {
                        let input = from[one];
                        let mut sums = [0.0; COUNT];
                        for (j, ((state, (in_column, in_row)), loss)) in terms {
                            let read = in_column * *state;
                            (0..COUNT).for_each(|i| sums[i] += factors[i][j] * read);
                            *state += in_row * input - loss * *state;
                        }
                        (0..COUNT).for_each(|i| to[all[i]] = local[i][at] * input + sums[i]);
                    }
                }
            }
        }
    }

    /// The result for the samples of one signal.
    pub(crate) fn forward(&self, samples: &[f64]) -> Vec<f64> {
        let n = self.n();
        let (mut differences, mut to) = (vec![0.0; self.count() * n], vec![0.0; n]);
        cell_differences(samples, &mut differences);
        self.run_one(Direction::Forward, &differences, &mut to);
        to
    }

    /// The gradient of `ybar . y` with respect to each difference of one signal.
    pub(crate) fn transposed(&self, ybar: &[f64]) -> Vec<f64> {
        let mut to = vec![0.0; self.count() * self.n()];
        self.run_one(Direction::Transposed, ybar, &mut to);
        to
    }

    fn run_one(&self, direction: Direction, from: &[f64], to: &mut [f64]) {
        let k = self.losses.len();
        self.pass(direction, (from, to), &mut vec![0.0; k], &mut vec![0.0; k]);
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
        for local in &memory.local {
            fit::<T>(local)?;
        }
        fit::<f64>(&memory.prefactors)?;
        Ok(Self { memory: bound, scratch: Scratch::new() })
    }

    /// Lends differences, results, states and powers.
    fn lend(&self, batch: usize, use_it: impl FnOnce([&mut [f64]; 4])) {
        let (len, k) = (self.memory.n() * batch, self.memory.losses.len());
        let count = self.memory.count();
        self.scratch.lend((count + 1) * len + k * batch + k, |all| {
            let (differences, rest) = all.split_at_mut(count * len);
            let (results, rest) = rest.split_at_mut(len);
            let (states, powers) = rest.split_at_mut(k * batch);
            use_it([differences, results, states, powers]);
        });
    }
}

impl<T: Real> SignalMap<T> for BoundVariableSum {
    fn shape(&self) -> Shape {
        Shape::line(self.memory.n())
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        let n = self.memory.n();
        let all = self.memory.count() * n;
        self.lend(batch, |[differences, results, states, powers]| match direction {
            Direction::Forward => {
                for (x, d) in from.chunks_exact(n).zip(differences.chunks_exact_mut(all)) {
                    cell_differences(x, d);
                }
                self.memory.pass(direction, (differences, results), states, powers);
                to.iter_mut().zip(&*results).for_each(|(y, r)| *y = T::narrow(*r));
            }
            Direction::Transposed => {
                results.iter_mut().zip(from).for_each(|(ybar, y)| *ybar = y.widen());
                self.memory.pass(direction, (results, differences), states, powers);
                for (d, x) in differences.chunks_exact_mut(all).zip(to.chunks_exact_mut(n)) {
                    cell_differences_transposed(d, x);
                }
            }
        });
        Ok(())
    }
}
