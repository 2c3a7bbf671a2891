//! Operators applied sample by sample.

mod block;
mod state;

pub use state::StreamState;

use crate::bound::narrow;
use crate::differences::next_difference;
use crate::error::{check_channels, same_shape};
use crate::memory::recurrence::Before;
use crate::{OperatorError, Recurrence, Result};
use block::Block;
use hpfracc_backend::Backend;
use hpfracc_types::Real;
use ndarray::{ArrayView2, ArrayViewMut2};
use std::fmt;
use std::sync::Arc;

/// An operator applied one sample at a time, to one signal or several at once: constant memory, and
/// the error bound of its [`Recurrence`].
///
/// ```
/// use hpfracc_backend::Reference; // or hpfracc_cpu::Recurrence, or the facade's Machine
/// use hpfracc_operators::{Caputo, Operator, Stream};
/// use hpfracc_types::Order;
///
/// let half = Caputo::l1(Order::new(0.5)?)?.recurrence(0.01, 1_000_000_000, 1e-9)?;
/// let mut stream: Stream<f64> = Stream::new(&half, 1, &Reference)?;
/// let mut y = 0.0;
/// for n in 0..=100 {
///     y = stream.push(0.01 * n as f64)?;
/// }
/// // D^1/2 t = 2 sqrt(t / pi)
/// assert!((y - 2.0 / std::f64::consts::PI.sqrt()).abs() < 1e-8);
///
/// // It stops here and resumes elsewhere, with the same bits.
/// let mut later = Stream::resume(&half, &stream.state(), &Reference)?;
/// assert_eq!(later.push(1.01)?, stream.push(1.01)?);
/// # Ok::<(), hpfracc_operators::OperatorError>(())
/// ```
///
/// Samples one at a time and blocks of any length give the same bits, and a channel gives the same
/// bits alone and with others, if the backend guarantees this for recurrences:
/// `hpfracc_cpu::Recurrence` does, as any that passes
/// `hpfracc_backend::conformance::verify_streaming`.
///
/// Cost of a sample: K/8 vector operations thrice (K/16 in `f32`), and a call of the backend for
/// each call of [`push_into`](Self::push_into). Nothing is allocated after the first block of each
/// size. Memory: 6 K numbers for each channel at most, K rounded up to a multiple of 16, and 3200
/// more once blocks were given.
///
/// Rounding comes on top of the bound. In `f32` a state is rounded at every sample relative to what
/// f has gained: over 65 536 samples of an oscillation 8e-7 of the largest result were measured,
/// and 2e-5 where a trend takes f to thirty times its oscillation.
///
/// At most [`Recurrence::longest`] samples are accepted, since the bound does not hold for more.
/// The number of nodes grows only with the logarithm of that length. NaN and infinity reach all
/// later results of their channel.
pub struct Stream<T> {
    recurrence: Recurrence,
    backend: Arc<dyn Backend<T>>,
    channels: usize,
    near: Vec<T>,
    outputs: Vec<T>,
    injections: Vec<T>,
    held: bool,
    kernel: Vec<T>,
    pushed: u64,
    /// By channel, the last differences of the orders 0 .. q.
    previous: Vec<T>,
    /// By channel, the last J - 1 differences, the latest first.
    recent: Vec<T>,
    /// By channel, f_0.
    first: Vec<T>,
    /// From the shortest to the longest; the first, of one sample, stores the states.
    blocks: Vec<Block<T>>,
    failed: bool,
}

/// The number of nodes that go to the backend is a multiple of this, a cache line in `f32`. Those
/// beyond K have rate 1 and coefficient 0: their states are the last sample and change no result.
const NODES: usize = 16;

/// Lengths of the blocks that go to the backend.
const LENGTHS: [usize; 3] = [1, 32, 1024];

impl<T: Real> Stream<T> {
    /// A stream of `channels` signals side by side, before their first samples.
    ///
    /// # Errors
    /// [`OperatorError::Channels`] for none, [`OperatorError::Overflow`] if a weight has no finite
    /// value in the scalar type, [`OperatorError::Backend`] if the backend cannot plan recurrences.
    pub fn new<B>(recurrence: &Recurrence, channels: usize, backend: &B) -> Result<Self>
    where
        B: Backend<T> + Clone + 'static,
    {
        check_channels("the number of channels of a stream", channels, channels.max(1))?;
        let backend: Arc<dyn Backend<T>> = Arc::new(backend.clone());
        let nodes = recurrence.rates().len().next_multiple_of(NODES);
        let (outputs, injections) = match recurrence.start_parts() {
            Some(start) => (narrow(&start.outputs[..])?, narrow(&start.states[..])?),
            None => (vec![T::zero(); recurrence.near().len()], Vec::new()),
        };
        let injections = padded(injections, nodes, T::zero());
        let kernel: Vec<T> = narrow(recurrence.kernel())?;
        let (rates, coefficients) = kernel[1..].split_at(recurrence.rates().len());
        let rates = padded(rates.to_vec(), nodes, T::one());
        let coefficients = padded(coefficients.to_vec(), nodes, T::zero());
        let kernel = [&kernel[..1], &rates, &coefficients].concat();
        let mut blocks: Vec<Block<T>> =
            LENGTHS.iter().map(|&len| Block::new(nodes, len, channels)).collect();
        blocks[0].bind(backend.as_ref(), &kernel)?;
        Ok(Self {
            channels,
            near: narrow(recurrence.near())?,
            outputs,
            injections,
            held: recurrence.before() == Before::Held,
            kernel,
            pushed: 0,
            previous: vec![T::zero(); channels * recurrence.differences()],
            recent: vec![T::zero(); channels * (recurrence.near().len() - 1)],
            first: vec![T::zero(); channels],
            blocks,
            failed: false,
            recurrence: recurrence.clone(),
            backend,
        })
    }

    /// The recurrence.
    pub fn recurrence(&self) -> &Recurrence {
        &self.recurrence
    }

    /// Number of channels.
    pub fn channels(&self) -> usize {
        self.channels
    }

    /// Number of samples of each channel so far.
    pub fn pushed(&self) -> u64 {
        self.pushed
    }

    /// Processes the next sample of the only channel and returns its result.
    ///
    /// # Errors
    /// As [`Stream::push_into`].
    #[inline]
    pub fn push(&mut self, sample: T) -> Result<T> {
        let mut result = [T::zero()];
        self.push_into(&[sample], &mut result)?;
        Ok(result[0])
    }

    /// Processes the next sample of every channel and writes the results.
    ///
    /// # Errors
    /// Before anything is changed: [`OperatorError::Channels`] unless both have a value for each
    /// channel, [`OperatorError::SignalTooLong`] beyond [`Recurrence::longest`] samples. If the
    /// device fails, [`OperatorError::Backend`]: the stream has no defined state then, and later
    /// calls return [`OperatorError::StreamFailed`].
    pub fn push_into(&mut self, samples: &[T], results: &mut [T]) -> Result<()> {
        check_channels("the number of samples of a stream", samples.len(), self.channels)?;
        check_channels("the number of results of a stream", results.len(), self.channels)?;
        self.check_length(1)?;
        self.step(0, |channel, _| samples[channel], |channel, _, y| results[channel] = y)
    }

    /// Processes the next samples of every channel and writes their results, both of shape
    /// (channels, samples).
    ///
    /// # Errors
    /// As [`Stream::push_into`], and [`OperatorError::Shape`] if the shapes differ. A block of no
    /// samples changes nothing.
    pub fn push_block(
        &mut self,
        samples: ArrayView2<'_, T>,
        mut results: ArrayViewMut2<'_, T>,
    ) -> Result<()> {
        let (channels, len) = samples.dim();
        check_channels("the channels of a block of a stream", channels, self.channels)?;
        same_shape("results", results.shape(), samples.shape())?;
        self.check_length(len as u64)?;
        let mut at = 0;
        while at < len {
            // The first samples are sums over exact weights, one at a time.
            let whole = if self.pushed < self.near.len() as u64 { 1 } else { len - at };
            let block = LENGTHS.iter().rposition(|&length| length <= whole).unwrap_or(0);
            self.step(
                block,
                |channel, i| samples[[channel, at + i]],
                |channel, i, y| results[[channel, at + i]] = y,
            )?;
            at += LENGTHS[block];
        }
        Ok(())
    }

    fn check_length(&self, more: u64) -> Result<()> {
        let (samples, longest) = (self.pushed.saturating_add(more), self.recurrence.longest());
        if self.failed {
            Err(OperatorError::StreamFailed)
        } else if samples > longest {
            Err(OperatorError::SignalTooLong { samples, longest })
        } else {
            Ok(())
        }
    }

    /// One block of samples; within the first J samples, of one.
    #[inline]
    fn step(
        &mut self,
        block: usize,
        sample: impl Fn(usize, usize) -> T,
        result: impl FnMut(usize, usize, T),
    ) -> Result<()> {
        if self.pushed < self.near.len() as u64 {
            self.first_step(sample, result);
            return Ok(());
        }
        let done = self.far_step(block, sample, result);
        self.failed = done.is_err();
        done
    }

    /// Sample n < J: a sum over exact weights. After the last of them the states begin.
    fn first_step(
        &mut self,
        sample: impl Fn(usize, usize) -> T,
        mut result: impl FnMut(usize, usize, T),
    ) {
        let (n, late) = (self.pushed as usize, self.near.len() - 1);
        let q = self.recurrence.differences();
        for channel in 0..self.channels {
            let f = sample(channel, 0);
            let previous = &mut self.previous[channel * q..][..q];
            let recent = &mut self.recent[channel * late..][..late];
            if n == 0 {
                self.first[channel] = f;
                if let Some(before) = previous.first_mut().filter(|_| self.held) {
                    *before = f;
                }
            }
            let s = next_difference(previous, f);
            let near = taps(&self.near[..=n], s, recent);
            result(channel, 0, near + self.outputs[n] * self.first[channel]);
            let oldest = shift_in(recent, s);
            if n == late {
                let states = self.blocks[0].states_mut(channel).iter_mut();
                for (z, e) in states.zip(&self.injections) {
                    *z = oldest + *e * self.first[channel];
                }
            }
        }
        self.pushed += 1;
    }

    /// Samples n >= J: differences older than J - 1 samples enter the states.
    #[inline]
    fn far_step(
        &mut self,
        block: usize,
        sample: impl Fn(usize, usize) -> T,
        mut result: impl FnMut(usize, usize, T),
    ) -> Result<()> {
        let (single, longer) = self.blocks.split_at_mut(1);
        let single = &mut single[0];
        let (q, late) = (self.recurrence.differences(), self.near.len() - 1);
        let (previous, recent, near) = (&mut self.previous, &mut self.recent, &self.near[..late]);
        let each = |channel: usize, i: usize| {
            let recent = &mut recent[channel * late..][..late];
            let s = next_difference(&mut previous[channel * q..][..q], sample(channel, i));
            let taps = taps(near, s, recent);
            (shift_in(recent, s), taps)
        };
        match block.checked_sub(1).map(|longer_than_one| &mut longer[longer_than_one]) {
            None => single.run(each, &mut result)?,
            Some(longer) => {
                longer.bind(self.backend.as_ref(), &self.kernel)?;
                longer.copy_states(single);
                longer.run(each, &mut result)?;
                single.copy_states(longer);
            }
        }
        self.pushed += LENGTHS[block] as u64;
        Ok(())
    }
}

fn padded<T: Real>(mut numbers: Vec<T>, len: usize, with: T) -> Vec<T> {
    numbers.resize(len, with);
    numbers
}

/// `near_0 s + near_1 recent_0 + ..`.
#[inline]
fn taps<T: Real>(near: &[T], s: T, recent: &[T]) -> T {
    let all = std::iter::once(&s).chain(recent);
    near.iter().zip(all).fold(T::zero(), |sum, (w, s)| sum + *w * *s)
}

/// Inserts s in front and returns the last element, or s itself if `recent` is empty.
#[inline]
fn shift_in<T: Real>(recent: &mut [T], s: T) -> T {
    recent.iter_mut().fold(s, |s, place| std::mem::replace(place, s))
}

impl<T: Real> fmt::Debug for Stream<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stream")
            .field("scalar", &T::NAME)
            .field("channels", &self.channels)
            .field("pushed", &self.pushed)
            .field("nodes", &self.recurrence.rates().len())
            .field("backend", &self.backend.name())
            .finish_non_exhaustive()
    }
}
