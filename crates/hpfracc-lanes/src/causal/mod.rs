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
//! | [`ExponentialTiles`] | tiles of many series, in blocks of samples | N K | of the weights |
//!
//! A row has the values of all lanes (paths, samples of a batch) at one time; rows follow each
//! other in time. Lanes never mix: a lane has the same bits in any tile. `tests/causal` compares
//! every sum with the formula in loops. [`thresholds`] has the lengths from which one sum takes less
//! time than another.

mod blocked;
mod direct_series;
mod direct_sum;
mod exponential_tiles;
mod online;
mod series_convolution;
mod spectrum;
mod sum_of_exponentials;
pub mod thresholds;
mod weighted_rows;

pub use blocked::{BlockedRows, BlockedRowsState, BlockedSeries};
pub use direct_series::{DirectSeries, OnlineSeries, dot};
pub use direct_sum::{DirectSum, PADDING, Target};
pub use exponential_tiles::{BlockStep, ExponentialTiles, TileLayout};
pub use online::{Online, OnlineState};
pub use series_convolution::{FourierScalar, SeriesConvolution};
pub use spectrum::{Signal, Spectrum};
pub use sum_of_exponentials::{ExponentialRows, decay_add, decay_sum};
pub use weighted_rows::add_weighted;
