use super::planned::PlannedMaps;
use super::signal_map::{Call, Direction, Pending, SignalMap, narrow};
use crate::bound::scratch::Scratch;
use crate::memory::recurrence::Before;
use crate::{OperatorError, Recurrence, Result};
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// A recurrence over signals of one length; see [`Recurrence`] for the formula.
///
/// The first J results are sums over exact weights. After them the states are `s_0 + e_k f_0`, and
/// the backend continues from there, delayed by J - 1 samples.
pub(super) struct BoundRecurrence<T> {
    n: usize,
    differences: usize,
    held: bool,
    near: Vec<T>,
    outputs: Vec<T>,
    states: Vec<T>,
    /// Over the results from J on, if there are any.
    far: Option<PlannedMaps<T>>,
    scratch: Scratch<T>,
}

impl<T: Real> BoundRecurrence<T> {
    pub(super) fn new(of: &Recurrence, n: usize, backend: &Arc<dyn Backend<T>>) -> Result<Self> {
        if n == 0 || n as u64 > of.longest() {
            let (samples, longest) = (n as u64, of.longest());
            return Err(OperatorError::SignalTooLong { samples, longest });
        }
        let (nodes, first) = (of.rates().len(), of.near().len());
        let (outputs, states) = match of.start_parts() {
            Some(start) => (narrow(&start.outputs[..])?, narrow(&start.states[..])?),
            None => (vec![T::zero(); first], vec![T::zero(); nodes]),
        };
        let far = match n.checked_sub(first) {
            None | Some(0) => None,
            Some(len) => {
                let of_batch = move |batch| Workload::Recurrence { nodes, len, batch };
                let (shape, kernel) = (Shape::line(nodes + len), narrow(of.kernel())?);
                Some(PlannedMaps::new(shape, kernel, of_batch, backend)?)
            }
        };
        let (differences, held) = (of.differences(), of.before() == Before::Held);
        let near = narrow(of.near())?;
        Ok(Self { n, differences, held, near, outputs, states, far, scratch: Scratch::new() })
    }

    /// K.
    fn nodes(&self) -> usize {
        self.states.len()
    }

    /// Numbers of a signal of the far map.
    fn far_len(&self) -> usize {
        self.nodes() + self.n.saturating_sub(self.near.len())
    }

    fn difference(&self, s: &mut [T]) {
        for round in 0..self.differences {
            for n in (1..s.len()).rev() {
                s[n] -= s[n - 1];
            }
            if round == 0 && self.held {
                s[0] = T::zero();
            }
        }
    }

    fn difference_transpose(&self, s: &mut [T]) {
        for round in (0..self.differences).rev() {
            if round == 0 && self.held {
                s[0] = T::zero();
            }
            for n in 1..s.len() {
                s[n - 1] -= s[n];
            }
        }
    }

    /// `sum_j near[j] s[n-j]` over the exact weights of result n: all but the last of them where
    /// the far map takes that one.
    fn taps(&self, n: usize) -> &[T] {
        let first = self.near.len();
        if n < first { &self.near[..=n] } else { &self.near[..first - 1] }
    }

    /// The input of the far map: by signal, the states after the first J samples and the later
    /// differences.
    fn far_input(&self, x: &[T], s: &mut [T], far: &mut [T]) {
        let (n, nodes) = (self.n, self.nodes());
        s.copy_from_slice(x);
        let each = s.chunks_exact_mut(n).zip(far.chunks_exact_mut(self.far_len()));
        for ((s, far), x) in each.zip(x.chunks_exact(n)) {
            self.difference(s);
            for (z, e) in far.iter_mut().zip(&self.states) {
                *z = s[0] + *e * x[0];
            }
            let delayed = far[nodes..].len();
            far[nodes..].copy_from_slice(&s[s.len().min(1)..][..delayed]);
        }
    }

    /// Adds the exact weights of the differences s to the output of the far map.
    fn combine(&self, x: &[T], s: &[T], far: &[T], y: &mut [T]) {
        let (n, nodes, first) = (self.n, self.nodes(), self.near.len());
        let each = y.chunks_exact_mut(n).zip(far.chunks_exact(self.far_len()));
        for (((y, far), s), x) in each.zip(s.chunks_exact(n)).zip(x.chunks_exact(n)) {
            for (n, y) in y.iter_mut().enumerate() {
                let taps = self.taps(n).iter().zip(s[..=n].iter().rev());
                let taps = taps.fold(T::zero(), |sum, (w, s)| sum + *w * *s);
                *y = taps + if n < first { self.outputs[n] * x[0] } else { far[nodes + n - first] };
            }
        }
    }

    /// The input of the transposed far map: by signal, no states and the results from J on.
    fn far_input_transposed(&self, y: &[T], far: &mut [T]) {
        let nodes = self.nodes();
        for (far, y) in far.chunks_exact_mut(self.far_len()).zip(y.chunks_exact(self.n)) {
            far[..nodes].fill(T::zero());
            far[nodes..].copy_from_slice(&y[self.near.len().min(self.n)..]);
        }
    }

    /// The transpose of the exact weights, added to the output of the transposed far map.
    fn combine_transposed(&self, y: &[T], far: &[T], x: &mut [T]) {
        let n = self.n;
        let each = x.chunks_exact_mut(n).zip(far.chunks_exact(self.far_len()));
        for ((x, far), y) in each.zip(y.chunks_exact(n)) {
            x.fill(T::zero());
            let (states, delayed) = far.split_at(self.nodes());
            // In double precision: a sum over the states of all nodes.
            let sum = |e: &dyn Fn(usize) -> f64| -> f64 {
                states.iter().enumerate().map(|(k, z)| e(k) * z.widen()).sum()
            };
            x[0] = T::narrow(sum(&|_| 1.0));
            let mut start = sum(&|k| self.states[k].widen());
            for (x, u) in x[1.min(n)..].iter_mut().zip(delayed) {
                *x += *u;
            }
            for (n, y) in y.iter().enumerate() {
                for (w, s) in self.taps(n).iter().zip(x[..=n].iter_mut().rev()) {
                    *s += *w * *y;
                }
                if let Some(output) = self.outputs.get(n) {
                    start += output.widen() * y.widen();
                }
            }
            self.difference_transpose(x);
            x[0] += T::narrow(start);
        }
    }

    /// Computes the input of the far map; s is scratch of the length of the signals.
    fn before_far(&self, direction: Direction, from: &[T], s: &mut [T], input: &mut [T]) {
        match direction {
            Direction::Forward => self.far_input(from, s, input),
            Direction::Transposed => self.far_input_transposed(from, input),
        }
    }

    /// Computes the result from the output of the far map.
    fn after_far(&self, direction: Direction, from: &[T], s: &[T], output: &[T], to: &mut [T]) {
        match direction {
            Direction::Forward => self.combine(from, s, output, to),
            Direction::Transposed => self.combine_transposed(from, output, to),
        }
    }
}

impl<T: Real> SignalMap<T> for BoundRecurrence<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.n)
    }

    fn run(&self, Call { direction, from, to, batch }: Call<'_, T>) -> Result<()> {
        let far_len = batch * self.far_len();
        self.scratch.lend(from.len() + 2 * far_len, |all| {
            let (s, all) = all.split_at_mut(from.len());
            let (input, output) = all.split_at_mut(far_len);
            self.before_far(direction, from, s, input);
            match &self.far {
                Some(far) => far.run(Call::new(direction, input, output, batch))?,
                None => output.fill(T::zero()),
            }
            self.after_far(direction, from, s, output, to);
            Ok(())
        })
    }

    fn run_async<'a>(&'a self, Call { direction, from, to, batch }: Call<'a, T>) -> Pending<'a> {
        Box::pin(async move {
            let mut s = vec![T::zero(); from.len()];
            let mut input = vec![T::zero(); batch * self.far_len()];
            let mut output = input.clone();
            self.before_far(direction, from, &mut s, &mut input);
            if let Some(far) = &self.far {
                far.run_async(Call::new(direction, &input, &mut output, batch)).await?;
            }
            self.after_far(direction, from, &s, &output, to);
            Ok(())
        })
    }
}
