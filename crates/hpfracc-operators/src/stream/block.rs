use crate::OperatorError;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::Real;

/// Blocks of one length, and the recurrence bound to it.
///
/// By channel `from` has the states and then the samples, as
/// [`Workload::Recurrence`] wants them. The states of the last block are in `from` again after it.
pub(super) struct Block<T> {
    nodes: usize,
    len: usize,
    channels: usize,
    map: Option<Box<dyn LinearMap<T>>>,
    from: Vec<T>,
    to: Vec<T>,
    /// By channel, the part of the results that is known before the map's.
    near: Vec<T>,
}

impl<T: Real> Block<T> {
    /// Nothing is bound yet, and nothing allocated.
    pub(super) fn new(nodes: usize, len: usize, channels: usize) -> Self {
        let (from, to, near) = (Vec::new(), Vec::new(), Vec::new());
        Self { nodes, len, channels, map: None, from, to, near }
    }

    pub(super) fn bind(
        &mut self,
        backend: &dyn Backend<T>,
        kernel: &[T],
    ) -> Result<(), OperatorError> {
        if self.map.is_none() {
            let Self { nodes, len, channels, .. } = *self;
            let workload = Workload::Recurrence { nodes, len, batch: channels };
            self.map = Some(backend.plan(workload)?.bind(kernel)?);
            self.from = vec![T::zero(); channels * (nodes + len)];
            self.to = self.from.clone();
            self.near = vec![T::zero(); channels * len];
        }
        Ok(())
    }

    /// The states of a channel.
    pub(super) fn states(&self, channel: usize) -> &[T] {
        &self.from[channel * (self.nodes + self.len)..][..self.nodes]
    }

    pub(super) fn states_mut(&mut self, channel: usize) -> &mut [T] {
        &mut self.from[channel * (self.nodes + self.len)..][..self.nodes]
    }

    /// Takes over where another stands.
    pub(super) fn copy_states(&mut self, other: &Self) {
        for channel in 0..self.channels {
            self.states_mut(channel).copy_from_slice(other.states(channel));
        }
    }

    /// One block: `each` tells, by channel and place, what enters the states and the rest of the result.
    #[inline]
    pub(super) fn run(
        &mut self,
        mut each: impl FnMut(usize, usize) -> (T, T),
        result: &mut impl FnMut(usize, usize, T),
    ) -> Result<(), OperatorError> {
        let Self { nodes, len, map: Some(map), from, to, near, .. } = self else { return Ok(()) };
        let (nodes, len) = (*nodes, *len);
        let samples = from.chunks_exact_mut(nodes + len).zip(near.chunks_exact_mut(len));
        for (channel, (from, near)) in samples.enumerate() {
            for (i, (from, near)) in from[nodes..].iter_mut().zip(near).enumerate() {
                (*from, *near) = each(channel, i);
            }
        }
        map.apply(from, to)?;
        let results = to.chunks_exact(nodes + len).zip(near.chunks_exact(len));
        for (channel, (to, near)) in results.enumerate() {
            for (i, (far, near)) in to[nodes..].iter().zip(near).enumerate() {
                result(channel, i, *near + *far);
            }
        }
        std::mem::swap(from, to);
        Ok(())
    }
}
