use crate::Result;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::Real;
use std::collections::VecDeque;

/// The contributions of complete blocks of L samples to the next L results.
///
/// ```text
/// sum[n + t] += sum_{i < L} w[L + t - i] s[n - L + i],    t = 0 .. L
/// ```
///
/// which is the second half of a causal convolution of the block followed by zeros: of length 2L,
/// or of the length of the time series if that is smaller, since even the first block of a level
/// reaches no later result.
pub(super) struct Level<T> {
    len: usize,
    map: Option<Box<dyn LinearMap<T>>>,
}

impl<T: Real> Level<T> {
    /// Nothing is bound before the first complete block.
    pub(super) fn new(len: usize) -> Self {
        Self { len, map: None }
    }

    pub(super) fn bind(
        &mut self,
        backend: &dyn Backend<T>,
        causal: &[T],
        channels: usize,
    ) -> Result<()> {
        if self.map.is_some() {
            return Ok(());
        }
        let len = causal.len().min(2 * self.len);
        let plan = backend.plan(Workload::CausalConvolution { len, batch: channels })?;
        self.map = Some(plan.bind(&causal[..len])?);
        Ok(())
    }

    /// Adds the contribution of the block that ends before sample `now` to `sums`, which begin with
    /// the next result and end before `longest`. `space` is a workspace shared by all levels.
    pub(super) fn add(
        &mut self,
        history: &[Vec<T>],
        sums: &mut [VecDeque<T>],
        (now, longest): (usize, usize),
        space: &mut Vec<T>,
    ) -> Result<()> {
        let Self { len, map: Some(map) } = self else { return Ok(()) };
        let (len, whole) = (*len, map.workload().signal_len());
        let all = history.len() * whole;
        if space.len() < 2 * all {
            space.resize(2 * all, T::zero());
        }
        let (from, to) = space[..2 * all].split_at_mut(all);
        for (from, history) in from.chunks_exact_mut(whole).zip(history) {
            from[..len].copy_from_slice(&history[now - len..now]);
            from[len..].fill(T::zero());
        }
        map.apply(from, to)?;
        let ahead = len.min(longest - now);
        for (to, sums) in to.chunks_exact(whole).zip(sums) {
            if sums.len() < ahead {
                sums.resize(ahead, T::zero());
            }
            sums.iter_mut().zip(&to[len..][..ahead]).for_each(|(sum, more)| *sum += *more);
        }
        if longest - now <= 2 * len {
            // Its next block would end with the time series.
            self.map = None;
        }
        Ok(())
    }
}
