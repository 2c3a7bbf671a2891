//! Causal sums: convolutions with the past, in every layout that callers have.
//!
//! ```text
//! y[n] = sum_{0 <= k <= n} w[k] x[n-k]            known signals
//! s[n] = sum_{1 <= m <= n} w[m] f[n-m]            online: f[n] may depend on s[n]
//! ```
//!
//! The transpose sums over the future: `xbar[n] = sum_k w[k] ybar[n+k]`.
//!
//! | sum | layout | cost of N times | error |
//! |---|---|---|---|
//! | [`DirectSum`] | rows of lanes, known; also transposed and as inner product | N^2 / 2 | rounding |
//! | [`Spectrum`] | rows of lanes, known; the same | N log N | rounding |
//! | [`SeriesConvolution`] | one contiguous series, known | N log N | rounding |
//! | [`Online`] | rows of lanes, one row at a time: direct, blocked, exponentials | N^2 / 2, N log^2 N, N K | rounding; of the weights |
//! | [`DirectSeries`] | contiguous series, one sample at a time | N^2 / 2 | rounding |
//! | [`BlockedSeries`] | the same | N log^2 N | rounding |
//!
//! A row has the values of all lanes (paths, samples of a batch) at one time; rows follow each
//! other in time. Lanes never mix: a lane has the same bits in any tile. [`mod@reference`] is the
//! formula in loops, which `tests/causal.rs` holds every sum against. [`thresholds`] has the
//! lengths from which one sum takes less time than another.

mod blocked;
mod direct;
mod exponentials;
mod fourier;
mod online;
mod real_transform;
pub mod reference;
mod series;
pub mod thresholds;
mod weighted_rows;

pub use blocked::{BlockedRows, BlockedRowsState, BlockedSeries};
pub use direct::{DirectSum, PADDING, Target};
pub use exponentials::{ExponentialRows, decay_add, decay_sum};
pub use fourier::{Signal, Spectrum};
pub use online::{Online, OnlineState};
pub use real_transform::{FourierScalar, SeriesConvolution};
pub use series::{DirectSeries, OnlineSeries, dot};
pub use weighted_rows::add_weighted;
