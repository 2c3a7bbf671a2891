//! Lengths from which one causal sum takes less time than another, measured on one machine
//! (AVX-512).
//!
//! A solver that is given an autotuner asks it instead. The bench groups that the constants come
//! from are named beside them.

/// Samples up to which [`DirectSeries`](super::DirectSeries) takes less time than
/// [`BlockedSeries`](super::BlockedSeries): the bench group `ode/crossover` has them even between
/// 500 and 1000.
pub const DIRECT_SERIES_UP_TO: usize = 600;

/// Samples from which exponentials take less time than [`BlockedSeries`](super::BlockedSeries), the
/// search for their nodes included: `ode/relaxation` has 3.6 ms against 1.2 ms at 1e4 and 11 ms
/// against 23 ms at 1e5.
pub const EXPONENTIALS_FROM: usize = 50_000;

/// Steps of a panel of 16 paths from which [`SeriesConvolution`](super::SeriesConvolution) takes
/// less time than [`DirectSum`](super::DirectSum). In single precision, `noise`: at 500 steps
/// direct sums make 1.30e8 samples a second and transforms 1.22e8, at 1000 steps 1.01e8 and 1.21e8.
pub const PANEL_TRANSFORMS_FROM: usize = 600;

/// Whether [`Spectrum`](super::Spectrum) takes less time than [`DirectSum`](super::DirectSum) for
/// `length` times of `lanes` scalars of `scalar_bytes` bytes. Measured at 1 to 64 lanes: with more
/// lanes than a register holds the two take the same time for 64 times, with fewer for 256.
#[must_use]
pub fn spectrum_is_faster(length: usize, lanes: usize, scalar_bytes: usize) -> bool {
    let more_than_a_register = lanes * scalar_bytes > 64;
    length >= if more_than_a_register { 64 } else { 256 }
}
