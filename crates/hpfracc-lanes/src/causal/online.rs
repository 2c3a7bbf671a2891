//! Online sums over rows of lanes: the memory of a tile of paths.

use super::add_weighted;
use super::blocked::{BlockedRows, BlockedRowsState};
use super::exponentials::ExponentialRows;
use hpfracc_types::Real;

/// `s[n] = sum_{m >= 1} w_m u[n-m]` for each lane, one row at a time.
#[derive(Debug, Clone)]
pub enum Online<T> {
    /// Weights by lag, from 1: N^2 / 2 products, all rows stored, exact to rounding.
    Direct(Vec<T>),
    /// Transforms of complete blocks: N log^2 N, 2 to 3 N rows, exact to rounding.
    Blocked(BlockedRows<T>),
    /// A sum of exponentials: N K, K rows, within the error of its weights.
    Exponentials(ExponentialRows<T>),
}

/// The past of a tile under an [`Online`] sum.
#[derive(Debug, Clone)]
pub enum OnlineState<T> {
    /// All rows so far.
    Direct(Vec<T>),
    /// Blocks and their transforms.
    Blocked(BlockedRowsState<T>),
    /// One row for each exponential.
    Exponentials(Vec<T>),
}

/// The past of no sum, to be made that of one by [`Online::restart`].
impl<T> Default for OnlineState<T> {
    fn default() -> Self {
        Self::Exponentials(Vec::new())
    }
}

impl<T: Real> Online<T> {
    /// Direct sums with weights by lag, from 1.
    #[must_use]
    pub fn direct(weights: &[f64]) -> Self {
        Self::Direct(weights.iter().map(|w| T::narrow(*w)).collect())
    }

    /// Blocked sums with weights by lag, from 1.
    #[must_use]
    pub fn blocked(weights: &[f64]) -> Self {
        Self::Blocked(BlockedRows::new(weights))
    }

    /// The empty past of a tile.
    #[must_use]
    pub fn start(&self, lanes: usize) -> OnlineState<T> {
        match self {
            Self::Direct(weights) => OnlineState::Direct(Vec::with_capacity(weights.len() * lanes)),
            Self::Blocked(blocked) => OnlineState::Blocked(blocked.start(lanes)),
            Self::Exponentials(sum) => {
                OnlineState::Exponentials(vec![T::zero(); sum.rows() * lanes])
            }
        }
    }

    /// Makes the past of another tile an empty one, in its storage.
    pub fn restart(&self, past: &mut OnlineState<T>, lanes: usize) {
        match (self, past) {
            (Self::Direct(weights), OnlineState::Direct(rows)) => {
                rows.clear();
                rows.reserve(weights.len() * lanes);
            }
            (Self::Blocked(blocked), OnlineState::Blocked(rows)) => blocked.restart(rows, lanes),
            (Self::Exponentials(sum), OnlineState::Exponentials(rows)) => {
                rows.clear();
                rows.resize(sum.rows() * lanes, T::zero());
            }
            (_, past) => *past = self.start(lanes),
        }
    }

    /// Bytes of a tile's past for each lane.
    #[must_use]
    pub fn bytes_per_lane(&self) -> usize {
        let rows = match self {
            Self::Direct(weights) => weights.len(),
            Self::Blocked(blocked) => blocked.rows(),
            Self::Exponentials(sum) => sum.rows(),
        };
        rows * size_of::<T>()
    }

    /// Writes the sum before `u` to `sum` and appends `u`.
    #[inline(always)]
    pub fn step(&self, past: &mut OnlineState<T>, u: &[T], sum: &mut [T]) {
        match (self, past) {
            (Self::Direct(weights), OnlineState::Direct(rows)) => {
                sum.fill(T::zero());
                let newest_first = rows.chunks_exact(u.len()).rev();
                add_weighted(weights.iter().copied().zip(newest_first), sum);
                // No sum reads the last row.
                if rows.len() < weights.len() * u.len() {
                    rows.extend_from_slice(u);
                }
            }
            (Self::Blocked(blocked), OnlineState::Blocked(rows)) => blocked.step(rows, u, sum),
            (Self::Exponentials(of), OnlineState::Exponentials(rows)) => of.step(rows, u, sum),
            _ => {}
        }
    }
}
