use crate::Result;
use hpfracc_backend::{Backend, Direction, LinearMap, Workload};
use hpfracc_types::Real;

/// Blocks of one length with the recurrence bound to it.
///
/// By channel `from` has the states and then the samples, the layout of
/// [`Workload::Recurrence`]. After a block `from` has its final states.
pub(super) struct Block<T> {
    nodes: usize,
    len: usize,
    channels: usize,
    map: Option<Box<dyn LinearMap<T>>>,
    from: Vec<T>,
    to: Vec<T>,
    /// By channel, the contribution of the exact weights to the results.
    near: Vec<T>,
}

impl<T: Real> Block<T> {
    /// Binds and allocates nothing yet.
    pub(super) fn new(nodes: usize, len: usize, channels: usize) -> Self {
        let (from, to, near) = (Vec::new(), Vec::new(), Vec::new());
        Self { nodes, len, channels, map: None, from, to, near }
    }

    pub(super) fn bind(&mut self, backend: &dyn Backend<T>, kernel: &[T]) -> Result<()> {
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

    /// Copies the states of another block.
    pub(super) fn copy_states(&mut self, other: &Self) {
        for channel in 0..self.channels {
            self.states_mut(channel).copy_from_slice(other.states(channel));
        }
    }

    /// Runs one block: by channel and index, `each` returns the input of the states and the
    /// contribution of the exact weights to the result.
    #[inline]
    pub(super) fn run(
        &mut self,
        mut each: impl FnMut(usize, usize) -> (T, T),
        result: &mut impl FnMut(usize, usize, T),
    ) -> Result<()> {
        let Self { nodes, len, channels, map: Some(map), from, to, near } = self else {
            return Ok(());
        };
        let (nodes, len) = (*nodes, *len);
        // Indices and not chunks, whose count would cost a division per sample.
        let signals = |channel: usize| (channel * (nodes + len) + nodes, channel * len);
        for channel in 0..*channels {
            let (at, near_at) = signals(channel);
            let samples = from[at..][..len].iter_mut().zip(&mut near[near_at..][..len]);
            for (i, (from, near)) in samples.enumerate() {
                (*from, *near) = each(channel, i);
            }
        }
        map.run(Direction::Forward, from, to)?;
        for channel in 0..*channels {
            let (at, near_at) = signals(channel);
            let results = to[at..][..len].iter().zip(&near[near_at..][..len]);
            for (i, (far, near)) in results.enumerate() {
                result(channel, i, *near + *far);
            }
        }
        std::mem::swap(from, to);
        Ok(())
    }
}
