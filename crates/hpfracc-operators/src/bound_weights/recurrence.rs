use super::maps::Maps;
use super::{Part, narrow};
use crate::memory::recurrence::Before;
use crate::scratch::Scratch;
use crate::{OperatorError, Recurrence};
use hpfracc_backend::{Backend, Shape, Workload};
use hpfracc_types::Real;
use std::sync::Arc;

/// A recurrence over records of one length; see [`Recurrence`] for the formula.
///
/// The first J results are sums over exact weights. Behind them the states are `s_0 + e_k f_0`, and the
/// backend goes on from there, J - 1 samples late.
pub(super) struct BoundRecurrence<T> {
    n: usize,
    differences: usize,
    held: bool,
    near: Vec<T>,
    outputs: Vec<T>,
    states: Vec<T>,
    /// Over the results from J on, if there are any.
    far: Option<Maps<T>>,
    scratch: Scratch<T>,
}

impl<T: Real> BoundRecurrence<T> {
    pub(super) fn new(
        of: &Recurrence,
        n: usize,
        backend: &Arc<dyn Backend<T>>,
    ) -> Result<Self, OperatorError> {
        if n == 0 || n as u64 > of.longest() {
            let (samples, longest) = (n as u64, of.longest());
            return Err(OperatorError::RecordTooLong { samples, longest });
        }
        let (nodes, first) = (of.rates().len(), of.near().len());
        let (outputs, states) = match of.start_parts() {
            Some(start) => (narrow(&start.outputs)?, narrow(&start.states)?),
            None => (vec![T::zero(); first], vec![T::zero(); nodes]),
        };
        let far = match n.checked_sub(first) {
            None | Some(0) => None,
            Some(len) => {
                let of_batch = move |batch| Workload::Recurrence { nodes, len, batch };
                let kernel = narrow(&of.kernel())?;
                Some(Maps::new(Shape::line(nodes + len), kernel, Box::new(of_batch), backend)?)
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

    /// `sum_j near[j] s[n-j]` over the exact weights of result n: all but the last of them where the
    /// far map takes that one.
    fn taps(&self, n: usize) -> &[T] {
        let first = self.near.len();
        if n < first { &self.near[..=n] } else { &self.near[..first - 1] }
    }
}

impl<T: Real> Part<T> for BoundRecurrence<T> {
    fn shape(&self) -> Shape {
        Shape::line(self.n)
    }

    fn apply(&self, x: &[T], y: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let (n, nodes, far_len) = (self.n, self.nodes(), self.far_len());
        let first = self.near.len();
        self.scratch.lend(x.len() + 2 * batch * far_len, |all| {
            let (s, all) = all.split_at_mut(x.len());
            let (from, to) = all.split_at_mut(batch * far_len);
            s.copy_from_slice(x);
            let each = s.chunks_exact_mut(n).zip(from.chunks_exact_mut(far_len));
            for ((s, from), x) in each.zip(x.chunks_exact(n)) {
                self.difference(s);
                for (z, e) in from.iter_mut().zip(&self.states) {
                    *z = s[0] + *e * x[0];
                }
                let delayed = from[nodes..].len();
                from[nodes..].copy_from_slice(&s[s.len().min(1)..][..delayed]);
            }
            match &self.far {
                Some(far) => far.apply(from, to, batch)?,
                None => to.fill(T::zero()),
            }
            let each = y.chunks_exact_mut(n).zip(to.chunks_exact(far_len)).zip(s.chunks_exact(n));
            for (((y, to), s), x) in each.zip(x.chunks_exact(n)) {
                for (n, y) in y.iter_mut().enumerate() {
                    let taps = self.taps(n).iter().zip(s[..=n].iter().rev());
                    let taps = taps.fold(T::zero(), |sum, (w, s)| sum + *w * *s);
                    *y = taps
                        + if n < first { self.outputs[n] * x[0] } else { to[nodes + n - first] };
                }
            }
            Ok(())
        })
    }

    fn apply_transpose(&self, y: &[T], x: &mut [T], batch: usize) -> Result<(), OperatorError> {
        let (n, nodes, far_len) = (self.n, self.nodes(), self.far_len());
        let first = self.near.len();
        self.scratch.lend(2 * batch * far_len, |all| {
            let (behind, ahead) = all.split_at_mut(batch * far_len);
            for (behind, y) in behind.chunks_exact_mut(far_len).zip(y.chunks_exact(n)) {
                behind[..nodes].fill(T::zero());
                behind[nodes..].copy_from_slice(&y[first.min(n)..]);
            }
            match &self.far {
                Some(far) => far.apply_transpose(behind, ahead, batch)?,
                None => ahead.fill(T::zero()),
            }
            let each = x.chunks_exact_mut(n).zip(ahead.chunks_exact(far_len));
            for ((x, ahead), y) in each.zip(y.chunks_exact(n)) {
                x.fill(T::zero());
                let (states, delayed) = ahead.split_at(nodes);
                // In double precision: the states of all nodes meet here.
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
            Ok(())
        })
    }
}
