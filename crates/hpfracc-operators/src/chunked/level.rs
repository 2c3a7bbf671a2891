use crate::OperatorError;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::Real;

/// Complete blocks of L samples, and what they add to the next L results.
///
/// ```text
/// sum[n + t] += sum_{i < L} w[L + t - i] s[n - L + i],    t = 0 .. L
/// ```
///
/// which is the second half of a causal convolution of length 2L of the block followed by zeros.
pub(super) struct Level<T> {
    len: usize,
    map: Option<Box<dyn LinearMap<T>>>,
    from: Vec<T>,
    to: Vec<T>,
}

impl<T: Real> Level<T> {
    /// Nothing is bound before the first complete block.
    pub(super) fn new(len: usize) -> Self {
        Self { len, map: None, from: Vec::new(), to: Vec::new() }
    }

    pub(super) fn bind(
        &mut self,
        backend: &dyn Backend<T>,
        causal: &[T],
        channels: usize,
    ) -> Result<(), OperatorError> {
        if self.map.is_some() {
            return Ok(());
        }
        let len = 2 * self.len;
        let plan = backend.plan(Workload::CausalConvolution { len, batch: channels })?;
        let mut kernel = causal[..len.min(causal.len())].to_vec();
        // Lags beyond the longest record: they reach no result.
        kernel.resize(len, T::zero());
        self.map = Some(plan.bind(&kernel)?);
        self.from = vec![T::zero(); channels * len];
        self.to = self.from.clone();
        Ok(())
    }

    /// Of the block that ends before sample `now`, for results before `longest`.
    pub(super) fn add(
        &mut self,
        history: &[Vec<T>],
        sums: &mut [Vec<T>],
        (now, longest): (usize, usize),
    ) -> Result<(), OperatorError> {
        let Self { len, map: Some(map), from, to } = self else { return Ok(()) };
        let len = *len;
        for (from, history) in from.chunks_exact_mut(2 * len).zip(history) {
            from[..len].copy_from_slice(&history[now - len..now]);
        }
        map.apply(from, to)?;
        let end = longest.min(now + len);
        for (to, sums) in to.chunks_exact(2 * len).zip(sums) {
            if sums.len() < end {
                sums.resize(end, T::zero());
            }
            sums[now..end].iter_mut().zip(&to[len..]).for_each(|(sum, more)| *sum += *more);
        }
        Ok(())
    }
}
