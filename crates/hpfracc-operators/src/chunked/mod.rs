//! Long records in pieces, exactly.

mod level;
mod results;

pub use results::ChunkedResults;

use crate::bound_weights::narrow;
use crate::differences::next_difference;
use crate::{Operator, OperatorError, Toeplitz, Weights};
use hpfracc_backend::{Backend, LinearMap, Workload};
use hpfracc_types::{Grid, Real};
use level::Level;
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, ArrayViewMut2, Axis};
use std::fmt;
use std::sync::Arc;

/// An operator over a record that comes in chunks: what one whole call would give, to rounding, with the
/// history of all earlier chunks.
///
/// ```
/// use hpfracc_backend::Reference; // or hpfracc_cpu::Fft, or the facade's Machine
/// use hpfracc_operators::{Caputo, Chunked, Operator};
/// use hpfracc_types::{Grid, Order};
/// use ndarray::{Array1, s};
///
/// let l1 = Caputo::l1(Order::new(0.5)?)?;
/// let f: Array1<f64> = (0..10).map(f64::from).collect();
/// let whole = l1.on(Grid::uniform(10, 1.0)?, &Reference)?.apply(f.view())?;
///
/// let mut chunked = Chunked::new(&l1, 1.0, 10, 4, &Reference)?;
/// for at in [0..4, 4..8, 8..10] {
///     let y = chunked.push(f.slice(s![at.clone()]))?;
///     assert!((&y - &whole.slice(s![at])).iter().all(|error| error.abs() < 1e-14));
/// }
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
///
/// Every chunk has the length given but for the last one, which may be shorter. Blocks of a chunk, or of
/// some where chunks are short, double: as soon as a block of L samples is complete, one convolution of
/// length 2L adds what it means for the next L results (Hairer, Lubich and Schlichte, SIAM J. Sci. Stat.
/// Comput. 6 (1985) 532). Cost: O(N log^2 N) for N samples by transforms; about log2(N/chunk) times one
/// whole call.
///
/// Memory: the weights and, for each channel, the samples so far and sums for later, all in all 3
/// numbers a sample, and what the backend binds, twice the weights or so for transforms. A record that
/// does not fit goes through a [`Stream`](crate::Stream), in constant memory.
///
/// Results come with their samples, one exception: a scheme whose start corrections look at the first m
/// samples gives the first m results together, [`lead`](Self::lead). Schemes that look ahead of every
/// sample are refused, and so are those that are no convolution.
///
/// Error: as that of the backend, relative to the largest result. NaN and infinity reach all later
/// results of their channel, and through transforms those of their own chunk.
pub struct Chunked<T> {
    backend: Arc<dyn Backend<T>>,
    names: (&'static str, &'static str),
    channels: usize,
    longest: usize,
    chunk: usize,
    /// Samples of the smallest block, a multiple of `chunk`.
    block: usize,
    differences: usize,
    causal: Vec<T>,
    starts: Vec<Start<T>>,
    lead: usize,
    /// Within a block of one chunk; where a block has several, sums are taken one by one.
    near: Option<Near<T>>,
    /// By the power of two of their length in blocks.
    levels: Vec<Level<T>>,
    pushed: usize,
    /// A chunk was shorter than the others.
    ended: bool,
    /// By channel, the last differences of the orders 0 .. q.
    previous: Vec<T>,
    /// By channel, what is convolved, so far.
    history: Vec<Vec<T>>,
    /// By channel, what complete blocks add to results, up to the farthest that one reaches.
    sums: Vec<Vec<T>>,
    /// By channel, the first samples, as many as start corrections look at.
    first: Vec<Vec<T>>,
    /// By channel, results that wait for the start corrections.
    waiting: Vec<Vec<T>>,
}

struct Start<T> {
    column: Vec<T>,
    stencil: Vec<T>,
}

struct Near<T> {
    map: Box<dyn LinearMap<T>>,
    from: Vec<T>,
    to: Vec<T>,
}

/// Below so many samples, sums are taken one by one.
const SHORTEST_BLOCK: usize = 64;

impl<T: Real> Chunked<T> {
    /// For one signal on steps `dt`, of up to `longest` samples in chunks of `chunk`.
    ///
    /// # Errors
    /// As [`Chunked::with_channels`].
    pub fn new<B>(
        operator: &dyn Operator,
        dt: f64,
        longest: usize,
        chunk: usize,
        backend: &B,
    ) -> Result<Self, OperatorError>
    where
        B: Backend<T> + Clone + 'static,
    {
        Self::with_channels(operator, (longest, dt), chunk, 1, backend)
    }

    /// For `channels` signals side by side, on a grid of (longest, dt).
    ///
    /// # Errors
    /// [`OperatorError::EmptyChunk`] for chunks of no samples, [`OperatorError::Channels`] for no
    /// channels; [`OperatorError::NoChunks`] for a scheme that looks ahead or is no convolution;
    /// those of [`Operator::weights`], and [`OperatorError::Backend`] if the backend cannot plan
    /// convolutions of a chunk.
    pub fn with_channels<B>(
        operator: &dyn Operator,
        (longest, dt): (usize, f64),
        chunk: usize,
        channels: usize,
        backend: &B,
    ) -> Result<Self, OperatorError>
    where
        B: Backend<T> + Clone + 'static,
    {
        if chunk == 0 {
            return Err(OperatorError::EmptyChunk);
        }
        if channels == 0 {
            let what = "the number of channels of a chunked record";
            return Err(OperatorError::Channels { what, found: 0, expected: 1 });
        }
        let names = operator.name();
        let weights = match operator.weights(Grid::uniform(longest, dt)?)? {
            Weights::Toeplitz(toeplitz) if !toeplitz.two_sided && toeplitz.advance == 0.0 => {
                toeplitz
            }
            _ => {
                let (operator, scheme) = names;
                return Err(OperatorError::NoChunks { operator, scheme });
            }
        };
        weights.check()?;
        let Toeplitz { differences, causal, starts, .. } = weights;
        let causal = narrow(&causal)?;
        let starts = starts.iter().map(|start| {
            Ok(Start { column: narrow(&start.column)?, stencil: narrow(&start.stencil)? })
        });
        let starts: Vec<Start<T>> = starts.collect::<Result<_, OperatorError>>()?;
        let chunk = chunk.min(longest);
        let block = chunk * SHORTEST_BLOCK.div_ceil(chunk);
        let backend: Arc<dyn Backend<T>> = Arc::new(backend.clone());
        let near = if block == chunk {
            let workload = Workload::CausalConvolution { len: block, batch: channels };
            let map = backend.plan(workload)?.bind(&causal[..block])?;
            let numbers = vec![T::zero(); channels * block];
            Some(Near { map, from: numbers.clone(), to: numbers })
        } else {
            None
        };
        let empty = || vec![Vec::new(); channels];
        Ok(Self {
            backend,
            names,
            channels,
            longest,
            chunk,
            block,
            differences,
            causal,
            lead: starts.iter().map(|start| start.stencil.len()).max().unwrap_or(1),
            starts,
            near,
            levels: Vec::new(),
            pushed: 0,
            ended: false,
            previous: vec![T::zero(); channels * differences],
            history: empty(),
            sums: empty(),
            first: empty(),
            waiting: empty(),
        })
    }

    /// Samples of a chunk: as asked for, or the longest record where that is shorter.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Samples of each channel so far.
    pub fn pushed(&self) -> usize {
        self.pushed
    }

    /// How many samples have to be known before there is a result: 1 for most schemes.
    pub fn lead(&self) -> usize {
        self.lead
    }

    /// The next chunk of the only channel, and the results that it makes known.
    ///
    /// # Errors
    /// Before anything is changed: [`OperatorError::EmptyChunk`], [`OperatorError::ChunkLength`] if the
    /// chunk is longer than the others or comes behind one that was shorter,
    /// [`OperatorError::RecordTooLong`], and [`OperatorError::Channels`] unless there is one channel.
    /// [`OperatorError::Backend`] if the device fails, behind which nothing is defined.
    pub fn push(&mut self, samples: ArrayView1<'_, T>) -> Result<Array1<T>, OperatorError> {
        let results = self.push_block(samples.insert_axis(Axis(0)))?;
        Ok(results.index_axis_move(Axis(0), 0))
    }

    /// The next chunk of every channel, of shape (channels, samples), and the results that it makes
    /// known.
    ///
    /// # Errors
    /// As [`Chunked::push`].
    pub fn push_block(&mut self, samples: ArrayView2<'_, T>) -> Result<Array2<T>, OperatorError> {
        let (channels, len) = samples.dim();
        self.check(channels, len)?;
        let mut results = Array2::zeros((channels, len));
        for (channel, samples) in samples.outer_iter().enumerate() {
            self.take(channel, samples);
        }
        self.convolve(results.view_mut())?;
        self.ended = len < self.chunk;
        self.pushed += len;
        if self.pushed.is_multiple_of(self.block) {
            self.complete_block()?;
        }
        Ok(self.corrected(results))
    }

    /// The results of samples one after the other, for one channel.
    ///
    /// Memory is that of [`Chunked`]; a chunk of samples is read before its results are given.
    pub fn results<I: Iterator<Item = T>>(self, samples: I) -> ChunkedResults<T, I> {
        ChunkedResults::new(self, samples)
    }

    fn check(&self, channels: usize, len: usize) -> Result<(), OperatorError> {
        if channels != self.channels {
            let (what, expected) = ("the channels of a chunk", self.channels);
            return Err(OperatorError::Channels { what, found: channels, expected });
        }
        if len == 0 {
            return Err(OperatorError::EmptyChunk);
        }
        let expected = if self.ended { 0 } else { self.chunk };
        if len > expected {
            return Err(OperatorError::ChunkLength { found: len, expected });
        }
        if len > self.longest - self.pushed {
            let (samples, longest) = ((self.pushed + len) as u64, self.longest as u64);
            return Err(OperatorError::RecordTooLong { samples, longest });
        }
        Ok(())
    }

    /// Takes the differences of new samples.
    fn take(&mut self, channel: usize, samples: ArrayView1<'_, T>) {
        let q = self.differences;
        let previous = &mut self.previous[channel * q..][..q];
        let history = &mut self.history[channel];
        for (n, f) in (self.pushed..).zip(samples) {
            let s = next_difference(previous, *f);
            // The first ones lack a past.
            history.push(if n < q { T::zero() } else { s });
            if n < self.lead {
                self.first[channel].push(*f);
            }
        }
    }

    /// The sums of new samples: over their own block, and what complete blocks have added.
    fn convolve(&mut self, mut results: ArrayViewMut2<'_, T>) -> Result<(), OperatorError> {
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
                    y.iter_mut().zip(to).for_each(|(y, to)| *y = *to);
                }
            }
            None => {
                for (history, mut y) in self.history.iter().zip(results.outer_iter_mut()) {
                    for (n, y) in (self.pushed..).zip(&mut y) {
                        let terms = self.causal.iter().zip(history[start..=n].iter().rev());
                        *y = terms.fold(T::zero(), |sum, (w, s)| sum + *w * *s);
                    }
                }
            }
        }
        for (sums, mut y) in self.sums.iter().zip(results.outer_iter_mut()) {
            let sums = sums.get(self.pushed..).unwrap_or(&[]);
            y.iter_mut().zip(sums).for_each(|(y, sum)| *y += *sum);
        }
        Ok(())
    }

    /// Adds what the largest block that ends here means for as many results behind it.
    fn complete_block(&mut self) -> Result<(), OperatorError> {
        if self.pushed >= self.longest {
            return Ok(());
        }
        let index = (self.pushed / self.block).trailing_zeros() as usize;
        while self.levels.len() <= index {
            self.levels.push(Level::new(self.block << self.levels.len()));
        }
        let level = &mut self.levels[index];
        level.bind(self.backend.as_ref(), &self.causal, self.channels)?;
        level.add(&self.history, &mut self.sums, (self.pushed, self.longest))
    }

    /// With the start corrections; results wait until these are known.
    fn corrected(&mut self, results: Array2<T>) -> Array2<T> {
        let before = self.pushed - results.ncols();
        if before >= self.lead || (before == 0 && self.pushed >= self.lead) {
            return self.with_starts(before, results);
        }
        for (waiting, y) in self.waiting.iter_mut().zip(results.outer_iter()) {
            waiting.extend(y);
        }
        if self.pushed < self.lead {
            return Array2::zeros((self.channels, 0));
        }
        let all = Array2::from_shape_fn((self.channels, self.pushed), |(c, n)| self.waiting[c][n]);
        self.waiting.iter_mut().for_each(|waiting| *waiting = Vec::new());
        self.with_starts(0, all)
    }

    fn with_starts(&self, before: usize, mut results: Array2<T>) -> Array2<T> {
        for (first, mut y) in self.first.iter().zip(results.outer_iter_mut()) {
            for Start { column, stencil } in &self.starts {
                let factor: f64 =
                    stencil.iter().zip(first).map(|(c, f)| c.widen() * f.widen()).sum();
                let factor = T::narrow(factor);
                y.iter_mut().zip(&column[before..]).for_each(|(y, c)| *y += factor * *c);
            }
        }
        results
    }
}

impl<T: Real> fmt::Debug for Chunked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Chunked")
            .field("operator", &self.names)
            .field("scalar", &T::NAME)
            .field("channels", &self.channels)
            .field("longest", &self.longest)
            .field("chunk", &self.chunk)
            .field("pushed", &self.pushed)
            .field("backend", &self.backend.name())
            .finish_non_exhaustive()
    }
}
