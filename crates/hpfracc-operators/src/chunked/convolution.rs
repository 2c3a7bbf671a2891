use super::level::Level;
use crate::Result;
use crate::differences::next_difference;
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::Real;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::collections::VecDeque;

/// A causal convolution of differences, chunk after chunk.
pub(super) struct Convolution<T> {
    longest: usize,
    /// Samples of the smallest block, a multiple of the chunk's.
    block: usize,
    differences: usize,
    causal: Vec<T>,
    /// The convolution within a block of one chunk; a block of several chunks uses direct sums.
    near: Option<Near<T>>,
    /// By log2 of their length in blocks.
    levels: Vec<Level<T>>,
    space: Vec<T>,
    pushed: usize,
    /// By channel, the last differences of the orders 0 .. q.
    previous: Vec<T>,
    /// By channel, the differences so far.
    history: Vec<Vec<T>>,
    /// By channel, the contributions of complete blocks to the next results.
    sums: Vec<VecDeque<T>>,
}

struct Near<T> {
    map: Box<dyn LinearMap<T>>,
    from: Vec<T>,
    to: Vec<T>,
}

/// Smaller blocks use direct sums.
const SHORTEST_BLOCK: usize = 64;

impl<T: Real> Convolution<T> {
    /// `causal` has one weight for each sample of the longest time series, at least a chunk.
    pub(super) fn new(
        causal: Vec<T>,
        differences: usize,
        chunk: usize,
        channels: usize,
        backend: &dyn Backend<T>,
    ) -> Result<Self> {
        let block = chunk * SHORTEST_BLOCK.div_ceil(chunk);
        let near = if block == chunk {
            let workload = Workload::CausalConvolution { len: block, batch: channels };
            let map = backend.plan(workload)?.bind(&causal[..block])?;
            let numbers = vec![T::zero(); channels * block];
            Some(Near { map, from: numbers.clone(), to: numbers })
        } else {
            None
        };
        let longest = causal.len();
        Ok(Self {
            longest,
            block,
            differences,
            causal,
            near,
            levels: Vec::new(),
            space: Vec::new(),
            pushed: 0,
            previous: vec![T::zero(); channels * differences],
            // Allocated at once: a growing vector would be copied.
            history: (0..channels).map(|_| Vec::with_capacity(longest)).collect(),
            sums: vec![VecDeque::new(); channels],
        })
    }

    /// Adds the results of a chunk. A chunk shorter than the others must be the last.
    pub(super) fn add(
        &mut self,
        backend: &dyn Backend<T>,
        samples: ArrayView2<'_, T>,
        results: ArrayViewMut2<'_, T>,
    ) -> Result<()> {
        self.take(samples);
        self.convolve(results)?;
        self.pushed += samples.ncols();
        if self.pushed.is_multiple_of(self.block) {
            self.complete_block(backend)?;
        }
        Ok(())
    }

    /// Appends the differences of new samples.
    fn take(&mut self, samples: ArrayView2<'_, T>) {
        let q = self.differences;
        for (channel, samples) in samples.outer_iter().enumerate() {
            let previous = &mut self.previous[channel * q..][..q];
            for (n, f) in (self.pushed..).zip(samples) {
                let s = next_difference(previous, *f);
                // The first differences lack earlier samples.
                self.history[channel].push(if n < q { T::zero() } else { s });
            }
        }
    }

    /// Adds the convolution of new samples with their own block and the sums of complete blocks.
    fn convolve(&mut self, mut results: ArrayViewMut2<'_, T>) -> Result<()> {
        let len = results.ncols();
        let start = self.pushed / self.block * self.block;
        match &mut self.near {
            Some(Near { map, from, to }) => {
                for (from, history) in from.chunks_exact_mut(self.block).zip(&self.history) {
                    from[..len].copy_from_slice(&history[start..]);
                    from[len..].fill(T::zero());
                }
                map.apply(from, to)?;
                for (to, mut y) in to.chunks_exact(self.block).zip(results.outer_iter_mut()) {
                    y.iter_mut().zip(to).for_each(|(y, to)| *y += *to);
                }
            }
            None => {
                for (history, mut y) in self.history.iter().zip(results.outer_iter_mut()) {
                    for (n, y) in (self.pushed..).zip(&mut y) {
                        let terms = self.causal.iter().zip(history[start..=n].iter().rev());
                        *y += terms.fold(T::zero(), |sum, (w, s)| sum + *w * *s);
                    }
                }
            }
        }
        for (sums, mut y) in self.sums.iter_mut().zip(results.outer_iter_mut()) {
            let ready = sums.len().min(len);
            y.iter_mut().zip(sums.drain(..ready)).for_each(|(y, sum)| *y += sum);
        }
        Ok(())
    }

    /// Adds the contribution of the largest block that ends here to the results after it.
    fn complete_block(&mut self, backend: &dyn Backend<T>) -> Result<()> {
        if self.pushed >= self.longest {
            return Ok(());
        }
        let index = (self.pushed / self.block).trailing_zeros() as usize;
        while self.levels.len() <= index {
            self.levels.push(Level::new(self.block << self.levels.len()));
        }
        let level = &mut self.levels[index];
        level.bind(backend, &self.causal, self.history.len())?;
        level.add(&self.history, &mut self.sums, (self.pushed, self.longest), &mut self.space)
    }
}
