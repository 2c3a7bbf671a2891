//! Long time series in chunks, exactly.

mod convolution;
mod first_order;
mod level;
mod results;

pub use results::ChunkedResults;

use crate::bound::{Start, narrow};
use crate::error::{check_channels, fits};
use crate::{Operator, OperatorError, Result, Weights};
use convolution::Convolution;
use first_order::OneExponential;
use hpfracc_backend::Backend;
use hpfracc_types::{Grid, Real};
use ndarray::{Array1, Array2, ArrayView1, ArrayView2, Axis};
use std::fmt;
use std::sync::Arc;

/// An operator over a time series that comes in chunks: the results of one whole call, to rounding,
/// with the history of all earlier chunks.
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
/// All chunks have the same length, except the last one, which may be shorter. Blocks of a chunk,
/// or of several short chunks, double in length: as soon as a block of L samples is complete, one
/// convolution of length 2L adds its contribution to the next L results (Hairer, Lubich and
/// Schlichte, SIAM J. Sci. Stat. Comput. 6 (1985) 532). Cost: O(N log^2 N) for N samples by
/// transforms; about log2(N/chunk) times one whole call.
///
/// Memory: the weights and, for each channel, the samples so far, sums for later results and
/// workspace, about 6 numbers a sample, and the kernels that the backend binds for convolutions of
/// at most twice the length of the time series in total: 18 numbers a sample at most were measured
/// with `hpfracc_cpu::Fft`. For a longer time series a [`Stream`](crate::Stream) has constant memory.
///
/// Results come with their samples, with one exception: a scheme whose start corrections use the
/// first m samples returns the first m results together, see [`lead`](Self::lead). Schemes that use
/// samples ahead of every result are refused, as are those that are not a causal convolution or a
/// sum of such.
///
/// Error: that of the backend, relative to the largest result. NaN and infinity reach all later
/// results of their channel, and through transforms those of their own chunk.
pub struct Chunked<T> {
    backend: Arc<dyn Backend<T>>,
    names: (&'static str, &'static str),
    channels: usize,
    longest: usize,
    chunk: usize,
    /// Their results are added up.
    terms: Vec<Term<T>>,
    starts: Vec<Start<T>>,
    lead: usize,
    pushed: usize,
    /// Whether a chunk was shorter than the others.
    ended: bool,
    /// By channel, the first samples, on which the start corrections depend.
    first: Vec<Vec<T>>,
    /// By channel, results that wait for the start corrections.
    waiting: Vec<Vec<T>>,
}

/// A part of an operator whose results are available with their samples.
enum Term<T> {
    Convolution(Box<Convolution<T>>),
    FirstOrder(OneExponential<T>),
    /// A factor for each sample.
    Diagonal(Vec<T>),
}

impl<T: Real> Chunked<T> {
    /// For one time series on steps `dt`, of up to `longest` samples in chunks of `chunk`. It is
    /// the operator on a grid of `longest` samples: if its weights depend on the length of the
    /// grid, as those of an order that rises from its first to its last sample, the time series
    /// must have this length.
    ///
    /// # Errors
    /// As [`Chunked::with_channels`].
    pub fn new<B>(
        operator: &dyn Operator,
        dt: f64,
        longest: usize,
        chunk: usize,
        backend: &B,
    ) -> Result<Self>
    where
        B: Backend<T> + Clone + 'static,
    {
        Self::with_channels(operator, (longest, dt), chunk, 1, backend)
    }

    /// For `channels` signals side by side, on a grid of (longest, dt).
    ///
    /// # Errors
    /// [`OperatorError::EmptyChunk`] for chunks of no samples, [`OperatorError::Channels`] for no
    /// channels; [`OperatorError::NoChunks`] for a scheme that looks ahead or is not a convolution;
    /// those of [`Operator::weights`], and [`OperatorError::Backend`] if the backend cannot plan
    /// convolutions of a chunk.
    pub fn with_channels<B>(
        operator: &dyn Operator,
        (longest, dt): (usize, f64),
        chunk: usize,
        channels: usize,
        backend: &B,
    ) -> Result<Self>
    where
        B: Backend<T> + Clone + 'static,
    {
        if chunk == 0 {
            return Err(OperatorError::EmptyChunk);
        }
        let what = "the number of channels of a chunked time series";
        check_channels(what, channels, channels.max(1))?;
        let names = operator.name();
        let chunk = chunk.min(longest);
        let backend: Arc<dyn Backend<T>> = Arc::new(backend.clone());
        let weights = operator.weights(Grid::uniform(longest, dt)?)?;
        let as_long = |found| fits("the number of weights", found, longest);
        let (mut all, mut starts) = (Vec::new(), Vec::new());
        for term in terms(weights) {
            all.push(match term {
                Weights::Toeplitz(toeplitz) if !toeplitz.two_sided && toeplitz.advance == 0.0 => {
                    toeplitz.check()?;
                    as_long(toeplitz.causal.len())?;
                    for start in toeplitz.starts {
                        starts.push(Start::new(start)?);
                    }
                    let (causal, q) = (narrow(toeplitz.causal)?, toeplitz.differences);
                    let backend = backend.as_ref();
                    let convolution = Convolution::new(causal, q, chunk, channels, backend)?;
                    Term::Convolution(Box::new(convolution))
                }
                Weights::FirstOrder(map) => {
                    as_long(map.n)?;
                    Term::FirstOrder(OneExponential::new(&map, channels)?)
                }
                Weights::Diagonal(factors) => {
                    as_long(factors.len())?;
                    Term::Diagonal(narrow(factors)?)
                }
                _ => {
                    let (operator, scheme) = names;
                    return Err(OperatorError::NoChunks { operator, scheme });
                }
            });
        }
        Ok(Self {
            backend,
            names,
            channels,
            longest,
            chunk,
            terms: all,
            lead: starts.iter().map(|start| start.stencil.len()).max().unwrap_or(1),
            starts,
            pushed: 0,
            ended: false,
            first: vec![Vec::new(); channels],
            waiting: vec![Vec::new(); channels],
        })
    }

    /// Samples of a chunk: the requested number, or `longest` if that is smaller.
    pub fn chunk(&self) -> usize {
        self.chunk
    }

    /// Number of samples of each channel so far.
    pub fn pushed(&self) -> usize {
        self.pushed
    }

    /// Number of samples required before there is a result: 1 for most schemes.
    pub fn lead(&self) -> usize {
        self.lead
    }

    /// Processes the next chunk of the only channel. Returns the results that are now available.
    ///
    /// # Errors
    /// Before anything is changed: [`OperatorError::EmptyChunk`], [`OperatorError::ChunkLength`] if
    /// the chunk is longer than the others or comes after a shorter one,
    /// [`OperatorError::SignalTooLong`], and [`OperatorError::Channels`] unless there is one
    /// channel. [`OperatorError::Backend`] if the device fails, after which nothing is defined.
    pub fn push(&mut self, samples: ArrayView1<'_, T>) -> Result<Array1<T>> {
        let results = self.push_block(samples.insert_axis(Axis(0)))?;
        Ok(results.index_axis_move(Axis(0), 0))
    }

    /// Processes the next chunk of every channel, of shape (channels, samples). Returns the results
    /// that are now available.
    ///
    /// # Errors
    /// As [`Chunked::push`].
    pub fn push_block(&mut self, samples: ArrayView2<'_, T>) -> Result<Array2<T>> {
        let (channels, len) = samples.dim();
        self.check(channels, len)?;
        let mut results = Array2::zeros((channels, len));
        for term in &mut self.terms {
            match term {
                Term::Convolution(convolution) => {
                    convolution.add(self.backend.as_ref(), samples, results.view_mut())?;
                }
                Term::FirstOrder(exponential) => exponential.add(samples, results.view_mut()),
                Term::Diagonal(factors) => {
                    let factors = ArrayView1::from(&factors[self.pushed..self.pushed + len]);
                    results += &(&samples * &factors);
                }
            }
        }
        for (first, samples) in self.first.iter_mut().zip(samples.outer_iter()) {
            let missing = self.lead - first.len();
            first.extend(samples.iter().take(missing));
        }
        self.ended = len < self.chunk;
        self.pushed += len;
        Ok(self.corrected(results))
    }

    /// An iterator over the results of samples, for one channel.
    ///
    /// Memory is that of [`Chunked`]; a chunk of samples is read before its results are returned.
    pub fn results<I: Iterator<Item = T>>(self, samples: I) -> ChunkedResults<T, I> {
        ChunkedResults::new(self, samples)
    }

    fn check(&self, channels: usize, len: usize) -> Result<()> {
        check_channels("the channels of a chunk", channels, self.channels)?;
        if len == 0 {
            return Err(OperatorError::EmptyChunk);
        }
        let expected = if self.ended { 0 } else { self.chunk };
        if len > expected {
            return Err(OperatorError::ChunkLength { found: len, expected });
        }
        if len > self.longest - self.pushed {
            let (samples, longest) = ((self.pushed + len) as u64, self.longest as u64);
            return Err(OperatorError::SignalTooLong { samples, longest });
        }
        Ok(())
    }

    /// Adds the start corrections; results wait until these are available.
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
            for start in &self.starts {
                let (factor, column) = (start.coefficient(first), &start.column[before..]);
                y.iter_mut().zip(column).for_each(|(y, c)| *y += factor * *c);
            }
        }
        results
    }
}

/// The terms of a sum, or the weights themselves.
fn terms(weights: Weights) -> Vec<Weights> {
    match weights {
        Weights::Sum(all) => all.into_iter().flat_map(terms).collect(),
        single => vec![single],
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
