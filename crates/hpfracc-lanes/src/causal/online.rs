//! Online sums over rows of lanes: the memory of a tile of paths.

use super::add_weighted;
use super::blocked::{BlockedRows, BlockedRowsState};
use super::sum_of_exponentials::ExponentialRows;
use crate::{CompactVec, Storage};
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

/// The past of a tile under an [`Online`] sum; [`Online::restart`] makes it an empty one.
#[derive(Debug, Clone, Default)]
pub struct OnlineState<T> {
    /// All rows of a direct sum so far, or one row for each exponential.
    rows: Vec<T>,
    /// All rows of a direct sum so far, if they are stored in 16 bits.
    compact: CompactVec<T>,
    /// Blocks and their transforms.
    blocks: BlockedRowsState<T>,
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
        let mut past = OnlineState::default();
        self.restart(&mut past, lanes);
        past
    }

    /// Makes the past of another tile an empty one, in its storage.
    pub fn restart(&self, past: &mut OnlineState<T>, lanes: usize) {
        self.restart_in(past, lanes, Storage::Full);
    }

    /// [`restart`](Self::restart) with the rows of a direct sum in this format; other sums have
    /// full precision.
    pub fn restart_in(&self, past: &mut OnlineState<T>, lanes: usize, storage: Storage) {
        past.rows.clear();
        past.compact.clear(storage, 0);
        match self {
            Self::Direct(weights) if storage != Storage::Full => {
                past.compact.clear(storage, weights.len() * lanes);
            }
            Self::Direct(weights) => past.rows.reserve(weights.len() * lanes),
            Self::Blocked(blocked) => blocked.restart(&mut past.blocks, lanes),
            Self::Exponentials(sum) => past.rows.resize(sum.rows() * lanes, T::zero()),
        }
    }

    /// Bytes of a tile's past for each lane.
    #[must_use]
    pub fn bytes_per_lane(&self) -> usize {
        self.bytes_per_lane_in(Storage::Full)
    }

    /// [`bytes_per_lane`](Self::bytes_per_lane) after [`restart_in`](Self::restart_in).
    #[must_use]
    pub fn bytes_per_lane_in(&self, storage: Storage) -> usize {
        match self {
            Self::Direct(weights) => weights.len() * storage.bytes::<T>(),
            Self::Blocked(blocked) => blocked.rows() * size_of::<T>(),
            Self::Exponentials(sum) => sum.rows() * size_of::<T>(),
        }
    }

    /// Writes the sum before `u` to `sum` and appends `u`.
    #[inline(always)]
    pub fn step(&self, past: &mut OnlineState<T>, u: &[T], sum: &mut [T]) {
        match self {
            Self::Direct(weights) if past.compact.storage() != Storage::Full => {
                step_compact(weights, &mut past.compact, u, sum);
            }
            Self::Direct(weights) => {
                sum.fill(T::zero());
                let newest_first = past.rows.chunks_exact(u.len()).rev();
                add_weighted(weights.iter().copied().zip(newest_first), sum);
                // No sum reads the last row.
                if past.rows.len() < weights.len() * u.len() {
                    past.rows.extend_from_slice(u);
                }
            }
            Self::Blocked(blocked) => blocked.step(&mut past.blocks, u, sum),
            Self::Exponentials(of) => of.step(&mut past.rows, u, sum),
        }
    }
}

/// Lanes that are widened together.
const TOGETHER: usize = 64;

/// The step of a direct sum whose rows are stored in 16 bits.
#[inline(always)]
fn step_compact<T: Real>(weights: &[T], past: &mut CompactVec<T>, u: &[T], sum: &mut [T]) {
    let lanes = u.len();
    let newest_first = (0..past.len() / lanes).rev();
    for (part, sum) in sum.chunks_mut(TOGETHER).enumerate() {
        sum.fill(T::zero());
        let mut row = [T::zero(); TOGETHER];
        let row = &mut row[..sum.len()];
        for (weight, n) in weights.iter().zip(newest_first.clone()) {
            past.read_lanes(n * lanes + part * TOGETHER, row);
            sum.iter_mut().zip(&*row).for_each(|(sum, x)| *sum += *weight * *x);
        }
    }
    // No sum reads the last row.
    if past.len() < weights.len() * lanes {
        past.append(u);
    }
}
